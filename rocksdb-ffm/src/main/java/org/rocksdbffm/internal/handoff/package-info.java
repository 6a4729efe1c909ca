/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Pinned bytes for somebody who is no user of the library: a channel, a stream, a publisher, another module. */
package org.rocksdbffm.internal.handoff;
