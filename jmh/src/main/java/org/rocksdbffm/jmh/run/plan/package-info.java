/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The plan of {@code ./bench}: all rows, and the selection of a command line. */
package org.rocksdbffm.jmh.run.plan;
