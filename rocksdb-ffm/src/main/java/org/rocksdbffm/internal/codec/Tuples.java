/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.codec;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Key encodings of tuples: keys of several components, which sort by the first component, then by the second, and so
 * on.
 */
public final class Tuples {
  private Tuples() {}

  /** One component: its encoding, and the function that gets it from a tuple. */
  public record Component<T, A>(KeyForm<A> form, Function<? super T, ? extends A> get) {
    void write(T value, KeySink sink, boolean last) {
      form.write(requireNonNull(get.apply(value), "value: a component of it is null"), sink, last);
    }
  }

  private record OfComponents<T>(List<Component<T, ?>> components, Function<Object[], T> make) implements KeyForm<T> {
    @Override
    public void write(T value, KeySink sink, boolean last) {
      for (int i = 0; i < components.size(); i++) {
        components.get(i).write(value, sink, last && i == components.size() - 1);
      }
    }

    @Override
    public T read(KeySource source, boolean last) {
      Object[] values = new Object[components.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = components.get(i).form().read(source, last && i == values.length - 1);
      }
      return make.apply(values);
    }
  }

  /** Returns the encoding of a tuple. {@code make} gets the decoded components in the order of {@code components}. */
  public static <T> KeyForm<T> of(List<Component<T, ?>> components, Function<Object[], T> make) {
    return new OfComponents<>(List.copyOf(components), make);
  }

  @SuppressWarnings("unchecked") // the encodings of A and B returned them
  static <T, A, B> KeyForm<T> of(
      KeyForm<A> first, Function<T, A> getFirst, KeyForm<B> second, Function<T, B> getSecond, BiFunction<A, B, T> make) {
    return of(
        List.of(new Component<>(first, getFirst), new Component<>(second, getSecond)),
        values -> make.apply((A) values[0], (B) values[1]));
  }
}
