/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** {@code ./bench}: runs the benchmarks, alternating between engines, and records the results. */
package org.rocksdbffm.jmh.run;
