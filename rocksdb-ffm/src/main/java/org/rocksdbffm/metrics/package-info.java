/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Figures and events of databases: what the engine counts ({@link org.rocksdbffm.metrics.Statistics}), what a single read
 * costs ({@link org.rocksdbffm.metrics.Profile}), the reports of {@link org.rocksdbffm.DatabaseMetrics#health} and its neighbours, and
 * what happens in the background ({@link org.rocksdbffm.metrics.DatabaseListener}, {@link org.rocksdbffm.metrics.InfoLog}).
 */
package org.rocksdbffm.metrics;
