/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Measures Spark's state store; in a separate module, because Spark has many jars. */
package org.rocksdbffm.jmh.spark;
