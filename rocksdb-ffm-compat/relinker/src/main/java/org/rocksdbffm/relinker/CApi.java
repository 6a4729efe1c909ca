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

/** The C functions of the engine with the types of their parameters, as its header declares them. */
record CApi(Map<String, Function> functions) {
  /** The C API's structs with a pointer in them, where {@code org.rocksdb} has the pointer. */
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

  /** A function; its types are spelled as in C, without {@code const}. */
  record Function(String name, String result, List<String> parameters) {
    /** Whether it says through a last parameter what went wrong. */
    boolean canFail() {
      return !parameters.isEmpty() && parameters.getLast().equals(ERROR);
    }

    /** Its parameters without the one for the error. */
    List<String> arguments() {
      return canFail() ? parameters.subList(0, parameters.size() - 1) : parameters;
    }

    /** As Java declares a native method with parameters of the same widths; a pointer is a long. */
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

  /** The letter of the Java type that is as wide. */
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
