/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** What was measured, as a file of results, as tables, as plots, and as the page of benchmarks. */
package org.rocksdbffm.jmh.run.report;

