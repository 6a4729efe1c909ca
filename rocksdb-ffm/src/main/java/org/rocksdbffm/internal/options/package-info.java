/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Settings of a user, held against the reviewed table of options: each value by its row, and combinations by rules. The
 * engine reads the text that is written down from that, and nothing else.
 */
package org.rocksdbffm.internal.options;
