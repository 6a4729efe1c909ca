/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Values that are pinned in the block cache: their count, their limit, and samples of them that say where they were pinned. */
package org.rocksdbffm.internal.pin;
