/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

/**
 * Keeps what a subclass declares off the cache lines of whatever lies before it in the heap. The JVM lays out the fields
 * of a superclass first, and no other way keeps their order; padding that a class declares for itself may end up anywhere
 * between its fields, with the last of them beside the first ones of the next object.
 */
@SuppressWarnings("unused")
public abstract class Padded {
  // The room behind the header, which would go to a field of the subclass.
  private int gap;

  // Two lines, because processors fetch them in pairs.
  private long padding0, padding1, padding2, padding3, padding4, padding5, padding6, padding7;
  private long padding8, padding9, padding10, padding11, padding12, padding13, padding14, padding15;
}
