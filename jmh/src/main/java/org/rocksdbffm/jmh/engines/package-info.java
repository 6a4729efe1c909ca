/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The engines by name: C without Java, rocksdbjni, and this library. */
package org.rocksdbffm.jmh.engines;
