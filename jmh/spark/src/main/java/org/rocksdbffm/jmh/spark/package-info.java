/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Spark's state store as a program that is measured; apart from the other programs, because Spark is so many jars. */
package org.rocksdbffm.jmh.spark;
