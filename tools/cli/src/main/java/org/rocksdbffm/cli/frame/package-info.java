/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Runs commands: arguments, exit codes, errors, tables and notations of bytes. */
package org.rocksdbffm.cli.frame;
