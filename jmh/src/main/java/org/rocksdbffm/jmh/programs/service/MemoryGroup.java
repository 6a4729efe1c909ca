/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A Linux cgroup with a memory limit. Has no effect if this user may not create a cgroup. */
final class MemoryGroup implements AutoCloseable {
  private static final Path FIRST_VERSION = Path.of("/sys/fs/cgroup/memory");
  private static final Path SECOND_VERSION = Path.of("/sys/fs/cgroup");
  private static final String OWN = ".*:memory:/(.*)";

  private final Path folder; // null if there is no cgroup

  private MemoryGroup(Path folder) {
    this.folder = folder;
  }

  static MemoryGroup of(int mib) {
    boolean first = Files.isDirectory(FIRST_VERSION);
    String name = "rocksdb-ffm-service-" + ProcessHandle.current().pid();
    try {
      Path folder = (first ? ownOfFirstVersion() : SECOND_VERSION).resolve(name);
      Files.createDirectory(folder);
      Files.writeString(folder.resolve(first ? "memory.limit_in_bytes" : "memory.max"),
          Long.toString((long) mib << 20));
      return new MemoryGroup(folder);
    } catch (IOException mayNot) {
      return new MemoryGroup(null);
    }
  }

  /** Returns this process' cgroup (version 1), whose limits still apply; in a container it may appear as the root. */
  private static Path ownOfFirstVersion() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
      Path own = FIRST_VERSION.resolve(line.replaceFirst(OWN, "$1"));
      if (line.matches(OWN) && Files.isDirectory(own)) {
        return own;
      }
    }
    return FIRST_VERSION;
  }

  boolean limits() {
    return folder != null;
  }

  /** Returns the prefix with which a command runs in the cgroup. */
  List<String> prefix() {
    return folder == null
        ? List.of("env")
        : List.of("/bin/sh", "-c", "echo $$ > " + folder.resolve("cgroup.procs") + " && exec \"$@\"", "service");
  }

  @Override
  public void close() throws IOException {
    if (folder != null) {
      Files.delete(folder);
    }
  }
}
