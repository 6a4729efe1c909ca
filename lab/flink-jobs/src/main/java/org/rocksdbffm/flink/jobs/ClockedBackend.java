/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.StateBackendFactory;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;

/** The RocksDB state backend, with a clock for the TTL that the job sets. */
public final class ClockedBackend extends EmbeddedRocksDBStateBackend {
  static final AtomicLong NOW = new AtomicLong();

  private static final long serialVersionUID = 1;

  private ClockedBackend(EmbeddedRocksDBStateBackend original, ReadableConfig settings, ClassLoader loader) {
    super(original, settings, loader);
  }

  /** The value of {@code state.backend.type}. */
  public static final class Factory implements StateBackendFactory<ClockedBackend> {
    @Override
    public ClockedBackend createFromConfig(ReadableConfig settings, ClassLoader loader) {
      return new ClockedBackend(new EmbeddedRocksDBStateBackend(), settings, loader);
    }
  }

  @Override
  public EmbeddedRocksDBStateBackend configure(ReadableConfig settings, ClassLoader loader) {
    return new ClockedBackend(this, settings, loader);
  }

  @Override
  public <K> AbstractKeyedStateBackend<K> createKeyedStateBackend(KeyedStateBackendParameters<K> parameters)
      throws IOException {
    return super.createKeyedStateBackend(
        new KeyedStateBackendParametersImpl<>(parameters).setTtlTimeProvider(NOW::get));
  }
}
