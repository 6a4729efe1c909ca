/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.work;

/** Work with files that is done again and again, on one engine. One thread. */
public interface FileWork extends AutoCloseable {
  /** Makes what the work begins with. */
  void prepare() throws Exception;

  /** Makes what the next run needs; is not measured. */
  default void before() throws Exception {}

  /** Does it once, and returns how many units of its row that were. */
  double run() throws Exception;

  /** Takes away what a run has made; is not measured. */
  default void after() throws Exception {}

  /** Does it once more, and returns a sum of all that it made or read: the same on all engines. */
  long checksum() throws Exception;

  @Override
  void close();
}
