/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Reads that only the drop-in uses, with raw pointers instead of families. */
package org.rocksdbffm.internal.dropin;
