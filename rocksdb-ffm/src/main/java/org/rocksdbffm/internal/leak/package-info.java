/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Leaked native objects: detected when they become unreachable, reported once, and reclaimed on a thread of the
 * library. Also counts the live objects of each kind.
 */
package org.rocksdbffm.internal.leak;
