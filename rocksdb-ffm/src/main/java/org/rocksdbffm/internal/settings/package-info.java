/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * The settings of an opening or a call, in the engine's form: options of databases and families, caches, the settings
 * of reads and writes.
 */
package org.rocksdbffm.internal.settings;
