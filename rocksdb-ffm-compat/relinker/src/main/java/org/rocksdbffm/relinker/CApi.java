/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The engine's C functions with their parameter types, from its header. */
record CApi(Map<String, Function> functions) {
  /** The C API's structs that only contain a pointer; {@code org.rocksdb} has the pointer itself. */
  private static final Set<String> WRAPPERS =
      Set.of(
          "rocksdb_t*",
          "rocksdb_backup_engine_t*",
          "rocksdb_checkpoint_t*",
          "rocksdb_column_family_handle_t*",
          "rocksdb_env_t*",
          "rocksdb_export_import_files_metadata_t*",
          "rocksdb_iterator_t*",
          "rocksdb_optimistictransactiondb_t*",
          "rocksdb_perfcontext_t*",
          "rocksdb_snapshot_t*",
          "rocksdb_sstfilewriter_t*",
          "rocksdb_transaction_t*",
          "rocksdb_transactiondb_t*",
          "rocksdb_universal_compaction_options_t*",
          "rocksdb_wal_iterator_t*",
          "rocksdb_writebatch_wi_t*");

  static final String ERROR = "char**";
  static final String TEXT = "char*";

  /** A function. A C function; its types are spelled as in C, without {@code const}. */
  record Function(String name, String result, List<String> parameters) {
    /** Whether the last parameter receives an error message. */
    boolean canFail() {
      return !parameters.isEmpty() && parameters.getLast().equals(ERROR);
    }

    /** Returns the parameters without the error parameter. */
    List<String> arguments() {
      return canFail() ? parameters.subList(0, parameters.size() - 1) : parameters;
    }

    /** Returns the descriptor of a native Java method with parameters of the same widths; pointers are longs. */
    String descriptor() {
      return parameters.stream().map(CApi::width).collect(Collectors.joining("", "(", ")")) + width(result);
    }
  }

  static CApi read(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return new CApi(
          lines.filter(line -> !line.startsWith("#"))
              .map(line -> List.of(line.split(" ")))
              .map(words -> new Function(words.get(0), words.get(1), words.subList(2, words.size())))
              .collect(Collectors.toMap(Function::name, function -> function)));
    }
  }

  Function function(String name) {
    Function function = functions.get(name);
    if (function == null) {
      throw new RelinkException("the engine's header declares no " + name);
    }
    return function;
  }

  static boolean isWrapper(String type) {
    return WRAPPERS.contains(type);
  }

  /** Returns the descriptor of the Java type with the same width. */
  static String width(String type) {
    return switch (type) {
      case "void" -> "V";
      case "uchar", "uint8_t", "char", "bool" -> "B";
      case "int", "int32_t", "uint32_t", "unsigned" -> "I";
      case "size_t", "int64_t", "uint64_t" -> "J";
      case "double" -> "D";
      default -> {
        if (!type.endsWith("*") && !type.endsWith("_cb")) {
          throw new RelinkException("a " + type + " is passed in no way that is known here");
        }
        yield "J";
      }
    };
  }
}
