/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The mounted file systems of a Linux process. Empty where there is no such table. */
record MountTable(List<String> lines) {
  static MountTable ofThisProcess() {
    try {
      return new MountTable(Files.readAllLines(Path.of("/proc/self/mounts"), StandardCharsets.ISO_8859_1));
    } catch (IOException none) {
      return new MountTable(List.of());
    }
  }

  /** Whether the file system that an absolute path lies on is mounted with the option. */
  boolean has(String option, Path path) {
    int longest = -1;
    boolean has = false;
    for (String line : lines) {
      String[] fields = line.split(" ");
      Path point = Path.of(unescaped(fields[1]));
      if (path.startsWith(point) && point.getNameCount() >= longest) {
        longest = point.getNameCount();
        has = List.of(fields[3].split(",")).contains(option);
      }
    }
    return has;
  }

  private static String unescaped(String field) {
    String latin = field.replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n").replace("\\134", "\\");
    return new String(latin.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }
}
