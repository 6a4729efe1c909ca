/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** The protocol of the value server: decodes requests from a socket, and checks limits. */
package org.rocksdbffm.server.protocol;
