/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.Objects;
import org.rocksdbffm.internal.callback.CallbackFrame;
import org.rocksdbffm.internal.callback.RawComparator;
import org.rocksdbffm.internal.callback.RawFilter;
import org.rocksdbffm.internal.callback.RawMerge;
import org.rocksdbffm.internal.callback.RawMerge.Operands;
import org.rocksdbffm.internal.options.MergeOperatorName;
import org.rocksdbffm.internal.options.table.OptionText;

/** Reusable views of the engine's bytes for the callbacks of one thread. */
final class Views {
  private final ByteView first = new ByteView();
  private final ByteView second = new ByteView();
  private final OperandList operands = new OperandList();

  private Views() {}

  private static Views of(CallbackFrame frame) {
    if (frame.views() instanceof Views views) {
      return views;
    }
    Views made = new Views();
    frame.views(made);
    return made;
  }

  private void hide() {
    first.hide();
    second.hide();
  }

  /** Each operand has a separate view, because users may keep several; the views are reused by later calls. */
  private static final class OperandList extends AbstractList<ByteView> {
    private ByteView[] views = new ByteView[0];
    private int size;

    void show(Operands shown) {
      if (shown.count() > views.length) {
        views = new ByteView[shown.count()];
        for (int i = 0; i < views.length; i++) {
          views[i] = new ByteView();
        }
      }
      size = shown.count();
      for (int i = 0; i < size; i++) {
        views[i].show(shown.address(i), shown.size(i));
      }
    }

    void hide() {
      for (int i = 0; i < size; i++) {
        views[i].hide();
      }
      size = 0;
    }

    @Override
    public ByteView get(int index) {
      return views[Objects.checkIndex(index, size)];
    }

    @Override
    public int size() {
      return size;
    }
  }

  /** Checks a name that the engine writes to files and compares. */
  static String name(String name) {
    if (requireNonNull(name, "name").isBlank() || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("name: '" + name.replace("\0", "\\0") + "' is blank, or has a NUL character");
    }
    return name;
  }

  /**
   * Checks the name of a Java merge operator; a built-in operator's name would be recreated from the stored options.
   */
  static String operatorName(String name) {
    if (MergeOperatorName.isOfTheEngine(name(name))) {
      throw new IllegalArgumentException("name: '" + name + "' is one of the engine's own merge operators");
    }
    return name;
  }

  /** Checks the name of a column family, which is stored in UTF-8, and ends at a NUL. */
  static void familyName(String parameter, String name) {
    if (name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          parameter + ": '" + name.replace("\0", "\\0") + "' has a NUL character, where a name ends");
    }
    utf8(parameter, name);
  }

  /** Returns a text in UTF-8; refuses half of a surrogate pair, which would become "?". */
  static byte[] utf8(String parameter, String text) {
    if (!OptionText.isUtf8(requireNonNull(text, parameter))) {
      throw new IllegalArgumentException(parameter + ": '" + text + "' has half of a surrogate pair, which UTF-8 cannot express");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static RawComparator comparing(KeyComparator comparator) {
    return new Comparing(requireNonNull(comparator, "comparator"));
  }

  /** Not a lambda, which would add a call to this hot path. */
  private record Comparing(KeyComparator comparator) implements RawComparator {
    @Override
    public int compare(CallbackFrame frame, long a, long aSize, long b, long bSize) {
      Views views = of(frame);
      views.first.show(a, aSize);
      views.second.show(b, bSize);
      try {
        return comparator.compare(views.first, views.second);
      } finally {
        views.hide();
      }
    }
  }

  static RawMerge merging(MergeFunction function) {
    requireNonNull(function, "function");
    return new RawMerge() {
      @Override
      public byte[] merge(CallbackFrame frame, long key, long keySize, long value, long valueSize, Operands operands) {
        Views views = of(frame);
        views.first.show(key, keySize);
        views.second.show(value, valueSize);
        views.operands.show(operands);
        try {
          return function.merge(views.first, value == 0 ? null : views.second, views.operands);
        } finally {
          views.hide();
          views.operands.hide();
        }
      }

      @Override
      public byte[] combine(CallbackFrame frame, long key, long keySize, Operands operands) {
        Views views = of(frame);
        views.first.show(key, keySize);
        views.operands.show(operands);
        try {
          return function.combine(views.first, views.operands);
        } finally {
          views.hide();
          views.operands.hide();
        }
      }
    };
  }

  static RawFilter.Factory filters(CompactionFilter.Factory factory) {
    requireNonNull(factory, "factory");
    return (isFull, isManual) -> {
      CompactionFilter filter = factory.create(new CompactionFilter.Compaction(isFull, isManual));
      return filter == null ? null : filtering(filter);
    };
  }

  private static RawFilter filtering(CompactionFilter filter) {
    return (frame, level, key, keySize, value, valueSize) -> {
      Views views = of(frame);
      views.first.show(key, keySize);
      views.second.show(value, valueSize);
      try {
        CompactionFilter.Decision decision = filter.filter(level, views.first, views.second);
        return requireNonNull(decision, "the decision of the filter").answer();
      } finally {
        views.hide();
      }
    };
  }
}
