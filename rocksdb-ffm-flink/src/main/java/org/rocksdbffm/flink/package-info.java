/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Connects the classes that Flink's state backend calls to the native filter. */
package org.rocksdbffm.flink;
