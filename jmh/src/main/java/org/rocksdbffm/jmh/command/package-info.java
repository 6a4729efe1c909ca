/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The command lines of {@code ./bench}. */
package org.rocksdbffm.jmh.command;
