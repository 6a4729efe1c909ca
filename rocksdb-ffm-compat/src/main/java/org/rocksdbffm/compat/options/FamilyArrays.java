/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdbffm.compat.support.Text;

/**
 * Column families as parameters of the C API: arrays of names, options, and handles to be filled. The C API takes full
 * options for each family, where {@code org.rocksdb} separates database and family options, so this combines them until
 * it is closed.
 */
public final class FamilyArrays implements AutoCloseable {
  private final MemorySegment names;
  private final MemorySegment options;
  private final MemorySegment handles;

  public FamilyArrays(byte[][] names, long databaseOptions, long[] familyOptions, Arena arena) {
    this.names = Text.ofNames(names, arena);
    this.options = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, familyOptions.length));
    this.handles = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, names.length));
    for (int i = 0; i < familyOptions.length; i++) {
      options.setAtIndex(ValueLayout.JAVA_LONG, i, together(databaseOptions, familyOptions[i]));
    }
  }

  /** Combines database and family options in a new object, which the caller destroys. */
  static long together(long databaseOptions, long familyOptions) {
    return Java_org_rocksdb_Options_newOptions__JJ(databaseOptions, familyOptions);
  }

  public long names() {
    return names.address();
  }

  public long options() {
    return options.address();
  }

  public long handles() {
    return handles.address();
  }

  public long name(int index) {
    return names.getAtIndex(ValueLayout.JAVA_LONG, index);
  }

  public long option(int index) {
    return options.getAtIndex(ValueLayout.JAVA_LONG, index);
  }

  public long handle(int index) {
    return handles.getAtIndex(ValueLayout.JAVA_LONG, index);
  }

  @Override
  public void close() {
    options.elements(ValueLayout.JAVA_LONG).forEach(element -> {
      long pointer = element.get(ValueLayout.JAVA_LONG, 0);
      if (pointer != 0) {
        rocksdb_options_destroy(pointer);
      }
    });
  }

  private static native long Java_org_rocksdb_Options_newOptions__JJ(long databaseOptions, long familyOptions);

  private static native void rocksdb_options_destroy(long options);
}
