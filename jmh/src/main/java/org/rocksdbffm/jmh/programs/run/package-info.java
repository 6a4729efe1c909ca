/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** {@code ./bench programs}: runs whole programs on the engines by turns, and compares what they cost. */
package org.rocksdbffm.jmh.programs.run;
