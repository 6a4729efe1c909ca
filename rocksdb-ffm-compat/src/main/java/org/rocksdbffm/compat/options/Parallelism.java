/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

/** Sets the number of a database's background jobs, and of the threads that all databases of its Env share. */
public final class Parallelism {
  private Parallelism() {}

  /** Sets at least one thread for compactions; without it, compactions of open databases would never end. */
  public static void set(long options, int threads) {
    rocksdb_options_increase_parallelism(options, Math.max(1, threads));
    rocksdb_options_set_max_background_jobs(options, threads);
  }

  private static native void rocksdb_options_increase_parallelism(long options, int threads);

  private static native void rocksdb_options_set_max_background_jobs(long options, int jobs);
}
