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
    call(Ingest.HANDLE, engine, db, families, count, errorCell, 0);
  }

  /** Opens a table file; {@code path} is a slice. Returns 0 with a message if that fails. */
  public static long open(long options, long path, long errorCell) {
    long engine = CxxEngine.address();
    return call(Open.HANDLE, engine, options, path, errorCell, 0, 0);
  }

  /** Moves to the next entry, whose key and value the two slices at {@code entry} receive; returns whether there is one. */
  public static boolean next(long table, long entry, long errorCell) {
    long engine = CxxEngine.address();
    return call(Next.HANDLE, engine, table, entry, errorCell, 0, 0) != 0;
  }

  public static void close(long table) {
    long engine = CxxEngine.address();
    call(Close.HANDLE, engine, table, 0, 0, 0, 0);
  }

  /** Reads the blocks of ranges into the block cache, by a new iterator; {@code ranges} is a {@code rocksdb_ffm_cxx_ranges}. */
  public static void prefetch(long iterator, long readOptions, long family, long ranges) {
    long engine = CxxEngine.address();
    call(Prefetch.HANDLE, engine, iterator, readOptions, family, ranges, 0);
  }

  /** Describes a file of {@code rocksdb_livefiles_t} in a {@code rocksdb_ffm_cxx_exported_file}. */
  public static void describe(long files, long index, long description) {
    CxxEngine.address();
    call(Describe.HANDLE, files, index, description, 0, 0, 0);
  }

  /** Returns the metadata of an export without files. */
  public static long newExport(long comparator) {
    long metadata = call(NewExport.HANDLE, 0, 0, 0, 0, 0, 0);
    call(SetComparator.HANDLE, metadata, comparator, 0, 0, 0, 0);
    return metadata;
  }

  /** Returns an empty {@code rocksdb_livefiles_t}. */
  public static long newFiles() {
    return call(NewFiles.HANDLE, 0, 0, 0, 0, 0, 0);
  }

  /** Adds a file with a description. */
  public static void addFile(long files, long description, long errorCell) {
    long file = call(NewFile.HANDLE, 0, 0, 0, 0, 0, 0);
    long engine = CxxEngine.address();
    call(Fill.HANDLE, engine, file, description, errorCell, 0, 0);
    call(AddFile.HANDLE, files, file, 0, 0, 0, 0);
  }

  /** Transfers the files to the metadata of an export. */
  public static void setFiles(long metadata, long files) {
    call(SetFiles.HANDLE, metadata, files, 0, 0, 0, 0);
  }

  private static final class Open {
    static final MethodHandle HANDLE = link("table_open");
  }

  private static final class Next {
    static final MethodHandle HANDLE = link("table_next");
  }

  private static final class Close {
    static final MethodHandle HANDLE = link("table_close");
  }

  private static final class Prefetch {
    static final MethodHandle HANDLE = link("prefetch");
  }

  private static final class Describe {
    static final MethodHandle HANDLE = link("exported_file_of");
  }

  private static final class Fill {
    static final MethodHandle HANDLE = link("exported_file_fill");
  }

  // Functions of the C API that the generated bindings lack.

  private static final class NewExport {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_export_import_files_metadata_create", Downcalls.WORDS);
  }

  private static final class SetComparator {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_export_import_files_metadata_set_db_comparator_name", Downcalls.WORDS);
  }

  private static final class SetFiles {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_export_import_files_metadata_set_files", Downcalls.WORDS);
  }

  private static final class NewFiles {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_livefiles_create", Downcalls.WORDS);
  }

  private static final class NewFile {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_livefile_create", Downcalls.WORDS);
  }

  private static final class AddFile {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_livefiles_add", Downcalls.WORDS);
  }

  private static final class Ingest {
    static final MethodHandle HANDLE = link("ingest");
  }
}
