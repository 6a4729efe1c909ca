/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Tests every option of the engine, at its bounds and beyond, with a workload that is compared with a map. */
package org.rocksdbffm.torture.options;
