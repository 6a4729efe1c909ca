/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Rows with columns, compared with values that the program decodes. */
package org.rocksdbffm.jmh.entities;
