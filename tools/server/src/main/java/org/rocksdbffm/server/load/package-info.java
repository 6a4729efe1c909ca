/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Measures the value server under load, with alternating stores and transports. */
package org.rocksdbffm.server.load;
