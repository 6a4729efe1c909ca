/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Code in Java that the engine calls: how it finds its object, what the thread keeps meanwhile, merge operators and
 * compaction filters. Comparators are a package of their own.
 */
package org.rocksdbffm.internal.callback;
