/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** The parts that all random walks share: arguments, child JVMs, the smallest failing case, and a report. */
package org.rocksdbffm.torture.runs;
