/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.steps;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A call: its thread, its number in the case, the member, and the arguments, with the receiver first. */
public record CallStep(int thread, int number, String member, List<Value> arguments) {
  /** The number of the first virtual thread. */
  public static final int FIRST_VIRTUAL = 10;

  public static CallStep parse(String line) {
    String[] words = line.strip().split(" ");
    return new CallStep(
        Integer.parseInt(words[0]),
        Integer.parseInt(words[1]),
        words[2],
        Arrays.stream(words, 3, words.length).map(Value::parse).toList());
  }

  @Override
  public String toString() {
    return thread + " " + number + " " + member
        + arguments.stream().map(each -> " " + each).collect(Collectors.joining());
  }
}
