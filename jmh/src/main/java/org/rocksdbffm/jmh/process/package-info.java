/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Alternating runs of JVMs with one engine each. */
package org.rocksdbffm.jmh.process;
