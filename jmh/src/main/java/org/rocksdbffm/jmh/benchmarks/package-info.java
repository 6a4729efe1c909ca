/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The benchmarks, each a class of JMH, and what they share. */
package org.rocksdbffm.jmh.benchmarks;
