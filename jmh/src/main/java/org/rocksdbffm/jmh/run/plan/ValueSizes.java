/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import java.util.List;

/**
 * The sizes with which a row is measured.
 *
 * @param parameter the benchmark's parameter for the size; null if none
 * @param full the sizes of a full run; a single 0 if the row has no size
 * @param quick the sizes of a quick run
 * @param headline the sizes of the headline set
 * @param often sizes of a full run that need several JVMs
 */
public record ValueSizes(
    String parameter, List<Integer> full, List<Integer> quick, List<Integer> headline, List<Integer> often) {
  public boolean areAny() {
    return parameter != null;
  }

  /** Whether further rounds of a full run measure a size. */
  boolean isOften(int size) {
    return quick.contains(size) || headline.contains(size) || often.contains(size);
  }
}
