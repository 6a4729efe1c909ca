/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The reports of a run: its file of results, tables, plots, and the page of benchmarks. */
package org.rocksdbffm.jmh.run.report;
