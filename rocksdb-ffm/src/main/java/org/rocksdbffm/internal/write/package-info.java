/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Writing: single changes, and batches in the engine's own format, checked before the engine sees them. */
package org.rocksdbffm.internal.write;
