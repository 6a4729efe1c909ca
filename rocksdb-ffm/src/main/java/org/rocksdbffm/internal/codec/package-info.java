/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/**
 * How values become keys whose unsigned bytes sort as the values do. Pure Java: nothing here knows the engine or native
 * memory beyond the segment that a key is read from.
 */
package org.rocksdbffm.internal.codec;
