/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Metrics and events of databases: the engine's statistics ({@link org.rocksdbffm.reports.Statistics}), the cost of a
 * single read ({@link org.rocksdbffm.reports.Profile}), the reports of {@link org.rocksdbffm.DatabaseMetrics}, and
 * background events ({@link org.rocksdbffm.reports.DatabaseListener}, {@link org.rocksdbffm.reports.InfoLog}).
 */
package org.rocksdbffm.reports;
