/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import java.util.List;

/**
 * The sizes that a row is measured with.
 *
 * @param parameter takes the size; null if there is none
 * @param full those of a full run; a single 0 where there is none
 * @param quick those of a quick look
 * @param headline those of the headline set
 * @param often of the full ones, those of which one JVM tells too little
 */
public record Sizes(
    String parameter, List<Integer> full, List<Integer> quick, List<Integer> headline, List<Integer> often) {
  public boolean areAny() {
    return parameter != null;
  }

  /** Whether further rounds of a full run measure it as well. */
  boolean isOften(int size) {
    return quick.contains(size) || headline.contains(size) || often.contains(size);
  }
}
