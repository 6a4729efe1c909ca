/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Figures that the engine tells of a database: its statistics and the memory that it uses. */
package org.rocksdbffm.internal.metrics;
