/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Ways to read that the drop-in alone uses: they take a pointer of its own where the core takes a family. */
package org.rocksdbffm.internal.dropin;
