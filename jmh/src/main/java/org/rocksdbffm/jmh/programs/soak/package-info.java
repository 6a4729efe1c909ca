/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** A long load below the machine's maximum, to test whether memory grows or steps get slower. */
package org.rocksdbffm.jmh.programs.soak;
