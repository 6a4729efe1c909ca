/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Metrics and events of databases: the engine's statistics ({@link org.rocksdbffm.metrics.Statistics}), the cost of a
 * single read ({@link org.rocksdbffm.metrics.Profile}), the reports of {@link org.rocksdbffm.DatabaseMetrics}, and
 * background events ({@link org.rocksdbffm.metrics.DatabaseListener}, {@link org.rocksdbffm.metrics.InfoLog}).
 */
package org.rocksdbffm.metrics;
