/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.server;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * A client's command.
 *
 * @param name in capital letters
 * @param arguments its name and what follows, which it <em>owns</em> until it is released
 */
record Command(String name, List<ByteBuf> arguments) {
  static Command of(List<ByteBuf> arguments) {
    return new Command(arguments.getFirst().toString(StandardCharsets.UTF_8).toUpperCase(Locale.ROOT), arguments);
  }

  /** How many arguments follow the name. */
  int count() {
    return arguments.size() - 1;
  }

  String text(int index) {
    return arguments.get(index).toString(StandardCharsets.UTF_8);
  }

  ByteBuf argument(int index) {
    return arguments.get(index);
  }

  List<ByteBuf> rest() {
    return arguments.subList(1, arguments.size());
  }

  void release() {
    arguments.forEach(ByteBuf::release);
  }
}
