/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** The link from upstream's classes to the engine: loads the native library, and links C functions on first call. */
package org.rocksdbffm.compat.link;
