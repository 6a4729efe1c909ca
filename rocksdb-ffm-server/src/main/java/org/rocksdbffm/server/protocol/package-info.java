/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** The protocol of the value server: requests as they come from a socket, their limits, and what is refused. */
package org.rocksdbffm.server.protocol;
