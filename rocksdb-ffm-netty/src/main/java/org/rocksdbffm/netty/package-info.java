/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Reads values as Netty buffers without copying large ones, and writes keys and values from Netty buffers. */
package org.rocksdbffm.netty;
