/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** The link from the classes that Flink's state backend calls to the filter in native code. */
package org.rocksdbffm.flink;
