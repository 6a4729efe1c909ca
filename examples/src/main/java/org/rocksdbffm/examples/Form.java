/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples;

/**
 * One way to read a value, such as into a new array.
 *
 * @param name the name in the table
 * @param read the code to measure
 * @param bytes reads a value in the same way and copies it, for the check that all ways read equal bytes
 */
record Form(String name, Read read, Bytes bytes) {
  /** Reads the value of a row, touches it, and returns its size plus its first byte. */
  interface Read {
    long of(int row) throws Exception;
  }

  /** Reads the value of a row and copies it. */
  interface Bytes {
    byte[] of(int row) throws Exception;
  }
}
