/* Licensed under the Apache License, Version 2.0; see LICENSE. */

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** The functions of the engine that the core calls, from the list of bound symbols. */
final class EngineFunctions {
  private static final String KIND = "function ";
  private static final String OF_STUBS = KIND + "rocksdb_ffm_";

  private EngineFunctions() {}

  /** Returns their names; {@code tree} is the root of the repository. */
  static Set<String> of(Path tree) throws IOException {
    Set<String> functions = new TreeSet<>();
    for (String line : Files.readAllLines(
        tree.resolve("rocksdb-ffm/src/main/resources/org/rocksdbffm/internal/loader/symbols.txt"))) {
      if (line.startsWith(KIND) && !line.startsWith(OF_STUBS)) {
        functions.add(line.substring(KIND.length()));
      }
    }
    return functions;
  }

  /** Returns the functions that a library does not export. */
  static Set<String> missing(Set<String> functions, Set<String> exports) {
    Set<String> missing = new TreeSet<>(functions);
    missing.removeAll(exports);
    return missing;
  }
}
