/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.watch;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;

/**
 * The engine's statistics of a database, accessed through an options object that shares them. Reads single tickers
 * and histograms, whereas the engine's statistics text aggregates every histogram over all cores. Owns the options.
 * Closed by one thread, after the last use.
 */
public final class OpenStatistics implements AutoCloseable {
  /** The number of values that are read of each histogram. */
  public static final int PARTS = 6;

  private final MemorySegment options;

  public OpenStatistics(MemorySegment options) {
    this.options = options;
  }

  /** Creates statistics with an engine stats level. */
  public static OpenStatistics ofLevel(int level) {
    MemorySegment options = RocksDbC.rocksdb_options_create();
    RocksDbC.rocksdb_options_enable_statistics(options);
    RocksDbC.rocksdb_options_set_statistics_level(options, level);
    return new OpenStatistics(options);
  }

  /** Returns default options that use these statistics; the caller owns them. */
  public MemorySegment inNewOptions() {
    return RocksDbC.rocksdb_options_create_copy(options);
  }

  /**
   * Returns the tickers, then the median, p95, p99, maximum, sum and count of each histogram; arguments are engine
   * numbers.
   */
  public double[] read(int[] tickers, int[] histograms) {
    double[] read = new double[tickers.length + PARTS * histograms.length];
    int at = 0;
    for (int ticker : tickers) {
      read[at++] = RocksDbC.rocksdb_options_statistics_get_ticker_count(options, ticker);
    }
    MemorySegment data = RocksDbC.rocksdb_statistics_histogram_data_create();
    for (int histogram : histograms) {
      RocksDbC.rocksdb_options_statistics_get_histogram_data(options, histogram, data);
      read[at++] = RocksDbC.rocksdb_statistics_histogram_data_get_median(data);
      read[at++] = RocksDbC.rocksdb_statistics_histogram_data_get_p95(data);
      read[at++] = RocksDbC.rocksdb_statistics_histogram_data_get_p99(data);
      read[at++] = RocksDbC.rocksdb_statistics_histogram_data_get_max(data);
      read[at++] = RocksDbC.rocksdb_statistics_histogram_data_get_sum(data);
      read[at++] = RocksDbC.rocksdb_statistics_histogram_data_get_count(data);
    }
    RocksDbC.rocksdb_statistics_histogram_data_destroy(data);
    return read;
  }

  @Override
  public void close() {
    RocksDbC.rocksdb_options_destroy(options);
  }
}
