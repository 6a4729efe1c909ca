/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Finds damaged files of a database, and reads the intact rows. */
package org.rocksdbffm.cli.inspect;
