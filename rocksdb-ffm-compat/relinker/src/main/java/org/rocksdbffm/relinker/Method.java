/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

/** A method: its class name as in Java source, its name, and its descriptor. */
record Method(String type, String name, String descriptor) {
  @Override
  public String toString() {
    return type + "." + name + descriptor;
  }

  /** Returns the same method with another result type. */
  Method returning(String result) {
    return new Method(type, name, descriptor.substring(0, descriptor.indexOf(')') + 1) + result);
  }

  /** Returns the symbol of the JNI function. Overloaded native methods have a long form with the parameters. */
  String entryPoint(boolean overloaded) {
    String symbol = "Java_" + mangled(type.replace('.', '/')) + "_" + mangled(name);
    return overloaded
        ? symbol + "__" + mangled(descriptor.substring(1, descriptor.indexOf(')')))
        : symbol;
  }

  private static String mangled(String text) {
    StringBuilder mangled = new StringBuilder();
    for (char c : text.toCharArray()) {
      switch (c) {
        case '/' -> mangled.append('_');
        case '_' -> mangled.append("_1");
        case ';' -> mangled.append("_2");
        case '[' -> mangled.append("_3");
        case '$' -> mangled.append("_00024");
        default -> mangled.append(c);
      }
    }
    return mangled.toString();
  }
}
