/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The loops with {@code org.rocksdb}: rocksdbjni, or the drop-in, depending on the class path. */
package org.rocksdbffm.jmh.engines.jni;
