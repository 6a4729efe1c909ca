/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * A client's command.
 *
 * @param name in upper case
 * @param arguments the name and the arguments, which it <em>owns</em> until it is released
 * @param memory the count of bytes in memory
 * @param counted the bytes of this command in that count
 * @param refusal the error message if the command is rejected; otherwise null
 */
public record ClientRequest(String name, List<ByteBuf> arguments, RequestMemory memory, long counted, String refusal) {
  static ClientRequest of(List<ByteBuf> arguments, RequestMemory memory, long counted) {
    return new ClientRequest(nameOf(arguments.getFirst()), arguments, memory, counted, null);
  }

  /** Returns a rejected command without its arguments. */
  static ClientRequest refused(String refusal, RequestMemory memory) {
    return new ClientRequest("", List.of(), memory, 0, refusal);
  }

  static String nameOf(ByteBuf argument) {
    return argument.toString(StandardCharsets.UTF_8).toUpperCase(Locale.ROOT);
  }

  /** Returns the number of arguments after the name. */
  public int count() {
    return arguments.size() - 1;
  }

  public String text(int index) {
    return arguments.get(index).toString(StandardCharsets.UTF_8);
  }

  public ByteBuf argument(int index) {
    return arguments.get(index);
  }

  public void release() {
    arguments.forEach(ByteBuf::release);
    memory.give(counted);
  }
}
