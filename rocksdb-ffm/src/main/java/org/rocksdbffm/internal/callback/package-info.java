/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Java callbacks of the engine: how an id finds its object, the state of a thread that runs one, merge operators,
 * compaction filters, events and logs. Comparators are in {@code order}.
 */
package org.rocksdbffm.internal.callback;
