/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The JMH benchmarks, and their shared state. */
package org.rocksdbffm.jmh.benchmarks;
