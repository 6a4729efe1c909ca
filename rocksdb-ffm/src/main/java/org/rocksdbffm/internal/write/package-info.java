/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Writes: single changes, and batches in the engine's format, checked before the engine gets them. */
package org.rocksdbffm.internal.write;
