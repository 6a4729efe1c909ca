/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/**
 * Encodes values as keys whose unsigned bytes sort as the values do. Pure Java: knows nothing of the engine, and of
 * native memory only the segment that a key is decoded from.
 */
package org.rocksdbffm.internal.codec;
