/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Databases of rocksdbjni, the drop-in and this library, with the operations that create files or read WALs. */
package org.rocksdbffm.jmh.files.store;
