/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

/**
 * Keeps a subclass's fields off the cache lines of the preceding object in the heap. The JVM lays out superclass
 * fields first, and nothing else fixes the order: padding that a class declares itself may end up between its fields,
 * with the last field on the next object's cache line.
 */
@SuppressWarnings("unused")
public abstract class Padded {
  // Fills the gap after the header, where the JVM would put a field of the subclass.
  private int gap;

  // Two cache lines, because processors fetch them in pairs.
  private long padding0, padding1, padding2, padding3, padding4, padding5, padding6, padding7;
  private long padding8, padding9, padding10, padding11, padding12, padding13, padding14, padding15;
}
