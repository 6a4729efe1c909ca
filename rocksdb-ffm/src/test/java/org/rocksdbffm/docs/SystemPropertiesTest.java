/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the page of system properties lists exactly the properties that the code reads. */
class SystemPropertiesTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern NAME = Pattern.compile("\"(org\\.rocksdbffm(\\.compat)?\\.[a-z][A-Za-z]*)\"");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(org\\.rocksdbffm\\.[A-Za-z.]+)` \\|");

  /** Names of modules, which look like names of properties. */
  private static final Set<String> MODULES = Set.of("org.rocksdbffm.compat");

  @Test
  void thePageHasEachPropertyThatIsRead() throws IOException {
    Set<String> read = new TreeSet<>();
    for (String module : List.of("rocksdb-ffm", "rocksdb-ffm-netty", "rocksdb-ffm-metrics", "rocksdb-ffm-compat")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          String code = Files.readString(file);
          NAME.matcher(code).results().map(found -> found.group(1)).filter(name -> !MODULES.contains(name))
              .forEach(read::add);
        }
      }
    }
    Set<String> documented = new TreeSet<>();
    String page = Files.readString(ROOT.resolve("docs/deploy.md"));
    ROW.matcher(page).results().forEach(row -> documented.add(row.group(1)));
    assertEquals(read, documented);
    assertTrue(read.size() >= 10, read::toString);
  }
}
