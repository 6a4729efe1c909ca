/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Pinned bytes that are lent to other code than the library's user: a channel, a stream, a publisher, a module. */
package org.rocksdbffm.internal.handoff;
