/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.commands;

import io.netty.buffer.ByteBuf;
import org.rocksdbffm.server.protocol.ClientRequest;
import org.rocksdbffm.server.store.ValueStore;

/**
 * Reads the values of keys one after another, each when the client has read most of the values before. The values are
 * not a snapshot: other clients may write concurrently. A value that cannot be read is replaced by an error.
 */
public final class ValueReader implements CommandWork {
  private final ValueStore store;
  private final ClientRequest command;
  private final boolean isArray;
  private boolean isBegun;
  private int next = 1;

  // The value that was read on a background thread, null if it is absent.
  private boolean isFound;
  private ByteBuf found;

  /** Takes the command's arguments as keys; replies with an array, or with the value of the only key. */
  ValueReader(ValueStore store, ClientRequest command, boolean isArray) {
    this.store = store;
    this.command = command;
    this.isArray = isArray;
  }

  @Override
  public boolean step(ReplyWriter answers) {
    begin(answers);
    if (isFound) {
      ByteBuf value = found;
      found = null;
      isFound = false;
      answers.value(value);
    } else {
      answers.value(store, command.argument(next));
    }
    return isLast();
  }

  private void begin(ReplyWriter answers) {
    if (isArray && !isBegun) {
      answers.array(command.count());
    }
    isBegun = true;
  }

  private boolean isLast() {
    return next++ == command.count();
  }

  @Override
  public void stepAside() {
    found = store.get(command.argument(next), true);
    isFound = true;
  }

  @Override
  public boolean failed(ReplyWriter answers, String error) {
    begin(answers);
    answers.error(error);
    return isLast();
  }

  @Override
  public void release() {
    if (found != null) {
      found.release();
      found = null;
    }
  }
}
