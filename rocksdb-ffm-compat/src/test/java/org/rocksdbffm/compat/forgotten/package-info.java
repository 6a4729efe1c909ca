/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Objects of {@code org.rocksdb} that nobody closes. */
package org.rocksdbffm.compat.forgotten;
