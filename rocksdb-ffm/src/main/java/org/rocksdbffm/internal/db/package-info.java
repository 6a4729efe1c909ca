/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** An open database with its column families and snapshots: which calls use it, and how it is closed. */
package org.rocksdbffm.internal.db;
