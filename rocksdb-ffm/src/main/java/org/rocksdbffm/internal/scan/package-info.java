/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Reading in order: an iterator of the engine, and blocks of rows that one call brings. */
package org.rocksdbffm.internal.scan;
