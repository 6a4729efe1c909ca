/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Settings in the engine's form: options of databases and families, caches, and options of reads and writes. */
package org.rocksdbffm.internal.settings;
