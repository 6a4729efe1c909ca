/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Lends pinned bytes to code outside the library: a channel, a stream, a publisher, another module. */
package org.rocksdbffm.internal.handoff;
