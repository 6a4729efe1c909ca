/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The engine's functions that this library calls. An engine that the program chose is checked for all of them before
 * the first call; a packed engine was checked by the build.
 */
final class EngineFunctions {
  private static final String KIND = "function ";
  private static final String OF_STUBS = KIND + LibraryPair.STUB_PREFIX;
  private static final int NAMED = 3;

  private EngineFunctions() {}

  /** Throws unless the engine exports every function; {@code asked} says where its name comes from. */
  static void require(SharedLibrary engine, String asked) {
    List<String> missing = new ArrayList<>();
    int count = 0;
    for (String function : all()) {
      count++;
      if (engine.symbols().find(function).isEmpty()) {
        missing.add(function);
      }
    }
    if (!missing.isEmpty()) {
      throw new NativeLibraryError(
          ("%s%s exports %d of the %d functions of rocksdb/c.h that are called; %s%s are missing. It is %s. Name a whole"
                  + " engine of the version that rocksdb-ffm is built for.")
              .formatted(
                  engine.file(),
                  asked,
                  count - missing.size(),
                  count,
                  String.join(", ", missing.subList(0, Math.min(NAMED, missing.size()))),
                  missing.size() > NAMED ? " and " + (missing.size() - NAMED) + " others" : "",
                  version(engine)));
    }
  }

  /** Asks the engine for its version; rocksdbjni's function for it reads none of its arguments. */
  private static String version(SharedLibrary engine) {
    return engine.symbols().find("Java_org_rocksdb_RocksDB_version").map(function -> {
      int version = (int) Posix.call(Posix.function(function, FunctionDescriptor.of(ValueLayout.JAVA_INT)));
      return "RocksDB " + (version >> 16) + "." + (version >> 8 & 0xff) + "." + (version & 0xff);
    }).orElse("an engine of another version, or a part of one");
  }

  private static List<String> all() {
    List<String> functions = new ArrayList<>();
    try (InputStream symbols = EngineFunctions.class.getResourceAsStream("symbols.txt");
        BufferedReader lines = new BufferedReader(new InputStreamReader(symbols, StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(KIND) && !line.startsWith(OF_STUBS)) {
          functions.add(line.substring(KIND.length()));
        }
      }
    } catch (IOException e) {
      throw new NativeLibraryError("Cannot read the list of functions in the jar of rocksdb-ffm: " + e, e);
    }
    return functions;
  }
}
