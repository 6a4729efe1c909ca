/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

import java.util.ArrayList;
import java.util.List;

/** The type of a list: values separated by colons. */
final class ListType extends OptionType {
  private static final String BETWEEN = ":";
  private final OptionType element;

  ListType(OptionType element) {
    super(element.isNothingElse() ? "-" : "");
    this.element = element;
  }

  @Override
  String write(String value) {
    String list = OptionText.withoutBraces(value).strip();
    if (list.isEmpty()) {
      return "";
    }
    List<String> written = new ArrayList<>();
    for (String part : list.split(BETWEEN, -1)) {
      written.add(element.write(part.strip()));
    }
    return String.join(BETWEEN, written);
  }

  /** Supports the empty list. */
  @Override
  boolean isSupported(String written) {
    return written.isEmpty() || super.isSupported(written);
  }

  @Override
  boolean isAmongSupported(String written) {
    for (String part : written.split(BETWEEN, -1)) {
      if (!element.isSupported(part)) {
        return false;
      }
    }
    return true;
  }

  @Override
  List<String> bounds() {
    return element.bounds();
  }

  @Override
  String supported() {
    return "a list, with colons between, of what is each " + element.supported();
  }

  @Override
  String advice(String written) {
    return element.advice(written);
  }
}
