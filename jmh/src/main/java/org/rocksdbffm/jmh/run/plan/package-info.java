/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The plan of {@code ./bench}: the rows there are, and which of them a command line asks for. */
package org.rocksdbffm.jmh.run.plan;
