/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/**
 * Finds the native libraries of this platform, verifies their digests, keeps one private copy for each user, and opens
 * them.
 */
package org.rocksdbffm.internal.loader;
