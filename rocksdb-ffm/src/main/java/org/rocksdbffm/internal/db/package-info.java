/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** An open database with its column families and snapshots: opening, closing, destroying, and the engine's maintenance. */
package org.rocksdbffm.internal.db;
