/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** {@code ./bench files}: runs work with files on the engines by turns, and compares how fast they are. */
package org.rocksdbffm.jmh.files.run;
