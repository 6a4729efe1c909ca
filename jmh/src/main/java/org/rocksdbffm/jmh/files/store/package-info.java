/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Databases by rocksdbjni, or what stands for it, and by this library, for operations that make files or read logs. */
package org.rocksdbffm.jmh.files.store;
