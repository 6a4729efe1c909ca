/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The loops over rocksdbjni, or over another thing on the class path that has the classes of {@code org.rocksdb}. */
package org.rocksdbffm.jmh.engines.jni;
