/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Reads by key: single keys and multi-gets, copied or pinned. */
package org.rocksdbffm.internal.read;
