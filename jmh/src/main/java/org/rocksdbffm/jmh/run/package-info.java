/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** {@code ./bench}: runs the benchmarks so that engines take turns, and notes what they tell. */
package org.rocksdbffm.jmh.run;
