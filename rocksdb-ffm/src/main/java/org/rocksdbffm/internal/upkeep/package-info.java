/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Flushes, compactions, pauses, and changes of options and column families of an open database. */
package org.rocksdbffm.internal.upkeep;
