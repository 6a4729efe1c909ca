/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Reading by key: one key, many keys, copied or pinned. */
package org.rocksdbffm.internal.read;
