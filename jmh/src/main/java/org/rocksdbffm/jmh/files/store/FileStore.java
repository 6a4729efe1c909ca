/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.store;

import java.nio.file.Path;
import java.util.List;

/** A database by one engine, with all that makes files of it or reads its log. */
public interface FileStore extends AutoCloseable {
  /** Writes a row, through the log. */
  void put(byte[] key, byte[] value) throws Exception;

  /** Writes rows through the log, so many in each batch. */
  void putAll(FileRows rows, int batch) throws Exception;

  void flush() throws Exception;

  /** Writes a table file of no database yet. */
  void writeTable(Path file, FileRows rows) throws Exception;

  /** Waits until the disk has the name of such a file, where the engine's own end of it has not. */
  void syncName(Path file) throws Exception;

  void ingest(Path file) throws Exception;

  /** Reads the log from its beginning, and returns each batch of it as bytes of its own. */
  List<byte[]> batches() throws Exception;

  /** Reads the log from its beginning, and has each batch where it may be sent from; adds up sizes and last bytes. */
  Tail tail() throws Exception;

  /** Writes batches that another database's log had. */
  void apply(List<byte[]> batches) throws Exception;

  void checkpoint(Path target) throws Exception;

  /** Adds a backup to a folder. */
  void backup(Path folder) throws Exception;

  /** The sum of the sizes and of the first bytes of all rows. */
  long sum() throws Exception;

  @Override
  void close();

  /** A log as it was read: its size, and the sum of the last bytes of its batches. */
  record Tail(long bytes, long sum) {}
}
