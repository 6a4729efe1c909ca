/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The end of the process, which the engine's threads would otherwise delay. */
package org.rocksdbffm.internal.exit;
