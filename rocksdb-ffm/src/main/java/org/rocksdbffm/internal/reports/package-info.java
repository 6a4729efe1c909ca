/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Parses metrics that the engine reports as text: statistics, block cache entries, and a thread's perf context. */
package org.rocksdbffm.internal.reports;
