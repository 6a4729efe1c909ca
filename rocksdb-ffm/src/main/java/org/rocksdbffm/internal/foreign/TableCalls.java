/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import static org.rocksdbffm.internal.foreign.CxxEngine.link;
import static org.rocksdbffm.internal.foreign.Downcalls.call;

import java.lang.invoke.MethodHandle;

/**
 * The functions of the C++ stubs for table files, with a {@code long} for each pointer. Each call opens the library
 * before it initializes the holder class of its handle, because a failed initializer is never retried.
 */
public final class TableCalls {
  private TableCalls() {}

  /** Ingests files into several families; {@code families} is an array of {@code rocksdb_ffm_cxx_ingestion}. */
  public static void ingest(long db, long families, long count, long errorCell) {
    long engine = CxxEngine.address();
    call(Stubs.INGEST, engine, db, families, count, errorCell, 0);
  }

  /** Opens a table file; {@code path} is a slice. Returns 0 with a message if that fails. */
  public static long open(long options, long path, long errorCell) {
    long engine = CxxEngine.address();
    return call(Stubs.OPEN, engine, options, path, errorCell, 0, 0);
  }

  /** Moves to the next entry, whose key and value the two slices at {@code entry} receive; returns whether there is one. */
  public static boolean next(long table, long entry, long errorCell) {
    long engine = CxxEngine.address();
    return call(Stubs.NEXT, engine, table, entry, errorCell, 0, 0) != 0;
  }

  public static void close(long table) {
    long engine = CxxEngine.address();
    call(Stubs.CLOSE, engine, table, 0, 0, 0, 0);
  }

  /** Reads the blocks of ranges into the block cache, by a new iterator; {@code ranges} is a {@code rocksdb_ffm_cxx_ranges}. */
  public static void prefetch(long iterator, long readOptions, long family, long ranges) {
    long engine = CxxEngine.address();
    call(Stubs.PREFETCH, engine, iterator, readOptions, family, ranges, 0);
  }

  /** Describes a file of {@code rocksdb_livefiles_t} in a {@code rocksdb_ffm_cxx_exported_file}. */
  public static void describe(long files, long index, long description) {
    CxxEngine.address();
    call(Stubs.DESCRIBE, files, index, description, 0, 0, 0);
  }

  /** Returns the metadata of an export without files. */
  public static long newExport(long comparator) {
    long metadata = call(Engine.NEW_EXPORT, 0, 0, 0, 0, 0, 0);
    call(Engine.SET_COMPARATOR, metadata, comparator, 0, 0, 0, 0);
    return metadata;
  }

  /** Returns an empty {@code rocksdb_livefiles_t}. */
  public static long newFiles() {
    return call(Engine.NEW_FILES, 0, 0, 0, 0, 0, 0);
  }

  /** Adds a file with a description. */
  public static void addFile(long files, long description, long errorCell) {
    long file = call(Engine.NEW_FILE, 0, 0, 0, 0, 0, 0);
    long engine = CxxEngine.address();
    call(Stubs.FILL, engine, file, description, errorCell, 0, 0);
    call(Engine.ADD_FILE, files, file, 0, 0, 0, 0);
  }

  /** Transfers the files to the metadata of an export. */
  public static void setFiles(long metadata, long files) {
    call(Engine.SET_FILES, metadata, files, 0, 0, 0, 0);
  }

  /** Functions of the C++ stubs. */
  private static final class Stubs {
    static final MethodHandle OPEN = link("table_open");
    static final MethodHandle NEXT = link("table_next");
    static final MethodHandle CLOSE = link("table_close");
    static final MethodHandle PREFETCH = link("prefetch");
    static final MethodHandle DESCRIBE = link("exported_file_of");
    static final MethodHandle FILL = link("exported_file_fill");
    static final MethodHandle INGEST = link("ingest");
  }

  /** Functions of the C API that the generated bindings lack. */
  private static final class Engine {
    static final MethodHandle NEW_EXPORT = Downcalls.link("rocksdb_export_import_files_metadata_create", Downcalls.WORDS);
    static final MethodHandle SET_COMPARATOR =
        Downcalls.link("rocksdb_export_import_files_metadata_set_db_comparator_name", Downcalls.WORDS);
    static final MethodHandle SET_FILES = Downcalls.link("rocksdb_export_import_files_metadata_set_files", Downcalls.WORDS);
    static final MethodHandle NEW_FILES = Downcalls.link("rocksdb_livefiles_create", Downcalls.WORDS);
    static final MethodHandle NEW_FILE = Downcalls.link("rocksdb_livefile_create", Downcalls.WORDS);
    static final MethodHandle ADD_FILE = Downcalls.link("rocksdb_livefiles_add", Downcalls.WORDS);
  }
}
