/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Counts and limits the values that are pinned in the block cache, and samples where they were pinned. */
package org.rocksdbffm.internal.pin;
