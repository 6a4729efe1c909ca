/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Commands that copy a database, and that work on its files. */
package org.rocksdbffm.cli.upkeep;
