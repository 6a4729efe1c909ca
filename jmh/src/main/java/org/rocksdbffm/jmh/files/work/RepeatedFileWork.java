/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.work;

/** Work with files that is repeated on one engine, by one thread. */
public interface RepeatedFileWork extends AutoCloseable {
  /** Creates the initial data. */
  void prepare() throws Exception;

  /** Prepares the next run; not measured. */
  default void before() throws Exception {}

  /** Runs the work once, and returns the number of units. */
  double run() throws Exception;

  /** Deletes the result of a run; not measured. */
  default void after() throws Exception {}

  /** Runs the work once more, and returns a checksum of the result, which is the same on all engines. */
  long checksum() throws Exception;

  @Override
  void close();
}
