/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/**
 * A client that verifies that it reads the values that it wrote. After a refused write, both the old and the new value
 * are valid until the next write. A write whose reply was lost may still take effect later, so its key is not used any
 * more.
 */
final class HonestClient implements Runnable {
  private static final int KEYS = 40;
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final int[] SIZES = {0, 1, 100, 1000, 9_000, 70_000, 600_000};

  private final InetSocketAddress address;
  private final String prefix;
  private final Random random;
  private final AtomicBoolean stop;
  private final Map<String, List<byte[]>> possible = new HashMap<>();
  private final int[] generations = new int[KEYS];
  private volatile Throwable failure;
  private volatile long checked;
  private volatile long refused;

  HonestClient(InetSocketAddress address, int number, Random random, AtomicBoolean stop) {
    this.address = address;
    this.prefix = "honest:" + number + ":";
    this.random = random;
    this.stop = stop;
  }

  @Override
  public void run() {
    try {
      while (!stop.get()) {
        try (Wire wire = new Wire(address, TIMEOUT_MILLIS)) {
          for (int i = 0; i < 200 && !stop.get(); i++) {
            talk(wire);
          }
        } catch (SocketTimeoutException e) {
          throw new AssertionError("no answer in " + TIMEOUT_MILLIS + " ms", e);
        } catch (IOException e) {
          refused++; // the server has no room for another client
          Thread.sleep(5);
        }
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  private String key() {
    return key(random.nextInt(KEYS));
  }

  private String key(int number) {
    return prefix + number + "." + generations[number];
  }

  private List<byte[]> values(String key) {
    return possible.computeIfAbsent(key, any -> new ArrayList<>(Arrays.asList((byte[]) null)));
  }

  private void talk(Wire wire) throws IOException {
    switch (random.nextInt(6)) {
      case 0, 1 -> put(wire);
      case 2 -> written(wire, random.nextInt(KEYS), null);
      case 3 -> getMany(wire);
      case 4 -> pipeline(wire);
      default -> look(wire, key());
    }
  }

  private void put(Wire wire) throws IOException {
    byte[] value = new byte[SIZES[random.nextInt(SIZES.length)]];
    random.nextBytes(value);
    written(wire, random.nextInt(KEYS), value);
  }

  /** Puts a value, or deletes the key if the value is null. */
  private void written(Wire wire, int number, byte[] value) throws IOException {
    String key = key(number);
    List<byte[]> values = values(key);
    values.add(value); // valid as soon as the request is sent
    Object answer;
    try {
      wire.out.write(
          value == null ? Wire.command("DEL", key) : Wire.command(Wire.bytes("SET"), Wire.bytes(key), value));
      answer = wire.answer();
    } catch (IOException e) {
      generations[number]++;
      throw e;
    }
    if (answer instanceof Wire.Refusal refusal) {
      requireOfTheMoment(refusal);
    } else {
      require(value == null ? answer instanceof Long : "OK".equals(answer), key, answer);
      values.clear();
      values.add(value);
    }
  }

  private void requireOfTheMoment(Wire.Refusal refusal) throws IOException {
    refused++;
    require(refusal.isOfTheMoment(), "a refusal", refusal);
  }

  private void require(boolean isTrue, String what, Object answer) {
    if (!isTrue) {
      throw new AssertionError(what + " was answered with "
          + (answer instanceof byte[] b ? b.length + " bytes" : answer));
    }
    checked++;
  }

  private void read(String key, Object answer) throws IOException {
    if (answer instanceof Wire.Refusal refusal) {
      requireOfTheMoment(refusal);
      return;
    }
    List<byte[]> values = values(key);
    require(values.stream().anyMatch(value -> Arrays.equals(value, (byte[]) answer)), key, answer);
  }

  private void getMany(Wire wire) throws IOException {
    String[] words = new String[2 + random.nextInt(20)];
    words[0] = "MGET";
    for (int i = 1; i < words.length; i++) {
      words[i] = key();
    }
    Object answer = wire.ask(words);
    if (answer instanceof Wire.Refusal refusal) {
      requireOfTheMoment(refusal);
      return;
    }
    List<?> answers = (List<?>) answer;
    for (int i = 1; i < words.length; i++) {
      read(words[i], answers.get(i - 1));
    }
  }

  private void pipeline(Wire wire) throws IOException {
    List<String> keys = new ArrayList<>();
    for (int i = random.nextInt(50); i >= 0; i--) {
      keys.add(key());
      wire.out.write(Wire.command("GET", keys.getLast()));
    }
    for (String key : keys) {
      read(key, wire.answer());
    }
  }

  private void look(Wire wire, String key) throws IOException {
    Object size = wire.ask("STRLEN", key);
    Object isThere = wire.ask("EXISTS", key, key);
    if (size instanceof Wire.Refusal refusal) {
      requireOfTheMoment(refusal);
    } else {
      require(
          values(key).stream()
              .anyMatch(value -> (value == null ? 0L : value.length) == (Long) size), key + "'s size", size);
    }
    if (isThere instanceof Wire.Refusal refusal) {
      requireOfTheMoment(refusal);
    } else {
      require(values(key).stream().anyMatch(value -> (value == null ? 0L : 2L) == (Long) isThere), key, isThere);
    }
  }

  /** Compares all keys that the client has written with the values that a reader returns. */
  void verify(UnaryOperator<byte[]> reader) {
    possible.forEach(
        (key, values) -> {
          byte[] value = reader.apply(Wire.bytes(key));
          require(values.stream().anyMatch(each -> Arrays.equals(each, value)), key + ", in the end,", value);
        });
  }

  void requireNoFailure() {
    if (failure != null) {
      throw new AssertionError(prefix, failure);
    }
  }

  long checked() {
    return checked;
  }

  long refused() {
    return refused;
  }
}
