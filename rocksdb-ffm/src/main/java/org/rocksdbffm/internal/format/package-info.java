/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/**
 * The engine's formats of numbers, write batches, and records of WAL and MANIFEST files. Pure Java, except
 * decompression.
 */
package org.rocksdbffm.internal.format;
