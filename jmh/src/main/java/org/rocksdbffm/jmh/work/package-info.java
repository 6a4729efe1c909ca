/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The work that is measured, as every engine has to do it: rows, keys, and the loops that read and write them. */
package org.rocksdbffm.jmh.work;
