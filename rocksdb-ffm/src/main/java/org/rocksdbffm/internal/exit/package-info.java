/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The end of the process, which the engine's threads would hold up for as long as they are at work. */
package org.rocksdbffm.internal.exit;
