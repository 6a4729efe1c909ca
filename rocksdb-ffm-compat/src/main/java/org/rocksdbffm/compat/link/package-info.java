/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Links rocksdbjni's classes to the engine: loads the native library, and links C functions at their first call. */
package org.rocksdbffm.compat.link;
