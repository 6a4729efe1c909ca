/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/**
 * Figures of all databases that are open in a process, opened by {@link org.rocksdbffm.RocksDb} or by the drop-in for
 * {@code org.rocksdb}: for Micrometer, for OpenTelemetry, and for JMX. A program binds them in one line, or is started
 * with {@code -Dorg.rocksdbffm.metrics=jmx} and is not changed at all.
 */
package org.rocksdbffm.monitor;
