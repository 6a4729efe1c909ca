/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Commands that read, write, copy and compare rows. */
package org.rocksdbffm.cli.rows;
