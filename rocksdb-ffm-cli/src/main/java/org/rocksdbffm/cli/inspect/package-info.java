/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Finds what is damaged in the files of a database, and reads the rows beside it. */
package org.rocksdbffm.cli.inspect;
