/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** The rows of iterators, which are read ahead and copied. */
package org.rocksdbffm.compat.scan;
