/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** {@code ./bench files}: runs work with files on the engines alternately, and compares their speed. */
package org.rocksdbffm.jmh.files.run;
