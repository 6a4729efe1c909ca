/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** An open database with its column families and snapshots: who uses it, and how it is closed. */
package org.rocksdbffm.internal.db;
