/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** {@code ./bench programs}: runs whole programs on the engines alternately, and compares their costs. */
package org.rocksdbffm.jmh.programs.run;
