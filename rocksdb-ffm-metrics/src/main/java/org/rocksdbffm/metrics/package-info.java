/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/**
 * Exports the metrics of all open databases in a process, opened by {@link org.rocksdbffm.RocksDb} or by the drop-in
 * for {@code org.rocksdb}, to Micrometer, OpenTelemetry and JMX. A program binds them with one line, or is started with
 * {@code -Dorg.rocksdbffm.metrics=jmx} without a change.
 */
package org.rocksdbffm.metrics;
