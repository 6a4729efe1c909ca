/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Processes that use the core or the drop-in and end, by every way of ending, while the engine is at work. */
package org.rocksdbffm.compat.exits;
