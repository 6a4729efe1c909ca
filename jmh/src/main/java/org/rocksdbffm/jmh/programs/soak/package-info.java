/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** A load that goes on for long at less than the machine can do, to see whether anything grows or gets slower. */
package org.rocksdbffm.jmh.programs.soak;
