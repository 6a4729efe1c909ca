/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.store;

import java.nio.file.Path;
import java.util.List;

/** A database of an engine, with the operations that create files or read the WAL. */
public interface FileStore extends AutoCloseable {
  /** Writes a row, with WAL. */
  void put(byte[] key, byte[] value) throws Exception;

  /** Writes rows in batches, with WAL. */
  void putAll(FileRows rows, int batch) throws Exception;

  void flush() throws Exception;

  /** Writes a table file, for ingestion. */
  void writeTable(Path file, FileRows rows) throws Exception;

  /** Syncs the folder of such a file, unless the engine has done so. */
  void syncName(Path file) throws Exception;

  void ingest(Path file) throws Exception;

  /** Reads the WAL from its start, and returns the batches, each in a separate array. */
  List<byte[]> batches() throws Exception;

  /** Reads the WAL from its start, each batch into memory from which it can be sent; adds sizes and last bytes. */
  Tail tail() throws Exception;

  /** Writes batches from another database's WAL. */
  void apply(List<byte[]> batches) throws Exception;

  void checkpoint(Path target) throws Exception;

  /** Adds a backup to a folder. */
  void backup(Path folder) throws Exception;

  /** Returns the sum of the sizes and first bytes of all rows. */
  long sum() throws Exception;

  @Override
  void close();

  /** The size of a WAL, and the sum of the last bytes of its batches. */
  record Tail(long bytes, long sum) {}
}
