/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Where the values are: in a database that is read through this library, or through JNI. */
package org.rocksdbffm.server.store;
