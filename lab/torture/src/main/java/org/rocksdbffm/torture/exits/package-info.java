/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Processes with the core or the drop-in that end in every way, while the engine is working. */
package org.rocksdbffm.torture.exits;
