/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Native objects that nobody closes: noticed when they become unreachable, told once, and reclaimed on a thread of the
 * library. Also how many there are of each kind.
 */
package org.rocksdbffm.internal.leak;
