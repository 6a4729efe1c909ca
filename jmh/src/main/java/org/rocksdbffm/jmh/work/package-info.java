/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The work that every engine does: rows, keys, and the loops that read and write them. */
package org.rocksdbffm.jmh.work;
