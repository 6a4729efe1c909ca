/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Every option of the engine's, at its bounds and beyond, over a workload that is held against a map. */
package org.rocksdbffm.torture.options;
