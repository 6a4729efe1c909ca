/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** A command line for RocksDB databases. */
package org.rocksdbffm.cli;
