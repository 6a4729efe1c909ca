/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Measures the value server under load, by turns over engines and transports. */
package org.rocksdbffm.server.load;
