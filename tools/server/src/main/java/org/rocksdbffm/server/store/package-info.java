/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** The databases of the server: of this library, or of rocksdbjni. */
package org.rocksdbffm.server.store;
