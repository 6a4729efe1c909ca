/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples;

/**
 * One form of reading a value, such as into a new array.
 *
 * @param name what it is called in the table
 * @param read what is timed
 * @param bytes reads in the same form and copies what was found, to check it
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
