/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A client that does random harm to a server, and does not check the answers. */
final class HostileClient implements Runnable {
  private static final int PATIENCE_MILLIS = 100;
  private static final long OLD_NANOS = 1_000_000_000;
  private static final byte[] LARGE_KEY = Wire.bytes("hostile:large");

  private final InetSocketAddress address;
  private final Random random;
  private final AtomicBoolean stop;
  private final AtomicLong deeds;
  private volatile Wire current;

  HostileClient(InetSocketAddress address, Random random, AtomicBoolean stop, AtomicLong deeds) {
    this.address = address;
    this.random = random;
    this.stop = stop;
    this.deeds = deeds;
  }

  @Override
  public void run() {
    while (!stop.get()) {
      try (Wire wire = new Wire(address, PATIENCE_MILLIS)) {
        current = wire;
        for (int i = random.nextInt(4); i >= 0 && !stop.get(); i--) {
          deed(wire);
          deeds.incrementAndGet();
        }
        if (random.nextInt(3) == 0) {
          wire.reset();
        }
      } catch (IOException e) {
        pause(5); // the server may refuse, close, or be slow
      }
    }
  }

  /** Resets an old connection, which ends the blocked write of a client that never reads. */
  void hurry() {
    Wire wire = current;
    if (wire != null && (stop.get() || System.nanoTime() - wire.begin > OLD_NANOS)) {
      try {
        wire.reset();
      } catch (IOException e) {
        // The connection is closed already.
      }
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void deed(Wire wire) throws IOException {
    switch (random.nextInt(14)) {
      case 0 -> noise(wire);
      case 1 -> endless(wire);
      case 2 -> dribble(wire);
      case 3 -> putLarge(wire);
      case 4 -> askAndNeverRead(wire);
      case 5 -> leaveInTheMiddle(wire);
      case 6 -> halfClose(wire);
      case 7 -> manyNames(wire);
      case 8 -> scan(wire);
      case 9 -> announce(wire);
      case 10 -> crowd();
      default -> frames(wire);
    }
  }

  private void noise(Wire wire) throws IOException {
    byte[] noise = new byte[random.nextInt(100_000)];
    random.nextBytes(noise);
    wire.out.write(noise);
    wire.read(new byte[1000]);
  }

  /** Sends the start of a command, and then bytes that never complete it. */
  private void endless(Wire wire) throws IOException {
    List<String> beginnings =
        List.of("*1", "*1\r\n$1", "get ", "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$536870912\r\n", "\r\n", "$");
    wire.out.write(Wire.bytes(beginnings.get(random.nextInt(beginnings.size()))));
    byte[] more = new byte[64 << 10];
    Arrays.fill(more, (byte) "1a\n".charAt(random.nextInt(3)));
    for (int i = random.nextInt(200); i > 0 && !stop.get(); i--) {
      wire.out.write(more);
    }
  }

  private void dribble(Wire wire) throws IOException {
    byte[] request = new Frames(random).some();
    for (int i = 0; i < Math.min(request.length, 300) && !stop.get(); i++) {
      wire.out.write(request[i]);
      if (random.nextInt(20) == 0) {
        pause(1);
      }
    }
  }

  private void putLarge(Wire wire) throws IOException {
    byte[] value = new byte[random.nextInt(8 << 20)];
    byte[] request = Wire.command(Wire.bytes("SET"), LARGE_KEY, value);
    wire.out.write(request, 0, random.nextInt(3) == 0 ? random.nextInt(request.length) : request.length);
    wire.read(new byte[100]);
  }

  private void askAndNeverRead(Wire wire) throws IOException {
    for (int i = random.nextInt(300); i > 0; i--) {
      wire.out.write(Wire.command(Wire.bytes("GET"), LARGE_KEY));
    }
    pause(random.nextInt(100));
  }

  private void leaveInTheMiddle(Wire wire) throws IOException {
    wire.out.write(Wire.command(Wire.bytes("MGET"), LARGE_KEY, LARGE_KEY, LARGE_KEY));
    wire.read(new byte[1 + random.nextInt(100_000)]);
    wire.reset();
    throw new IOException("gone");
  }

  private void halfClose(Wire wire) throws IOException {
    wire.out.write(new Frames(random).some());
    wire.socket.shutdownOutput();
    byte[] read = new byte[64 << 10];
    while (!stop.get() && wire.read(read)) {
      // Reads until the server closes the connection, too.
    }
    throw new IOException("gone");
  }

  private void manyNames(Wire wire) throws IOException {
    byte[][] words = new byte[2 + random.nextInt(10_000)][];
    Arrays.fill(words, random.nextBoolean() ? LARGE_KEY : Wire.bytes("none"));
    words[0] = Wire.bytes(List.of("EXISTS", "DEL", "MGET").get(random.nextInt(3)));
    wire.out.write(Wire.command(words));
    wire.read(new byte[1000]);
  }

  private void scan(Wire wire) throws IOException {
    byte[] key = new byte[random.nextInt(60_000)];
    Arrays.fill(key, (byte) 'x');
    wire.out.write(Wire.command(Wire.bytes("SET"), key, new byte[10]));
    for (int i = random.nextInt(50); i > 0; i--) {
      wire.out.write(Wire.command("SCAN", Integer.toString(random.nextInt(5)), "COUNT", "1", "MATCH", "*x*x*x*y"));
    }
    wire.read(new byte[1000]);
  }

  private void announce(Wire wire) throws IOException {
    wire.out.write(Wire.bytes("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$67108864\r\n"));
    byte[] part = new byte[1 + random.nextInt(3 << 20)];
    wire.out.write(part);
    pause(random.nextInt(200));
  }

  /** Opens as many connections as the server accepts. */
  private void crowd() throws IOException {
    List<Wire> crowd = new ArrayList<>();
    try {
      for (int i = random.nextInt(150); i > 0 && !stop.get(); i--) {
        crowd.add(new Wire(address, PATIENCE_MILLIS));
      }
      pause(random.nextInt(50));
    } finally {
      for (Wire each : crowd) {
        each.close();
      }
    }
  }

  private void frames(Wire wire) throws IOException {
    wire.out.write(new Frames(random).some());
    if (random.nextBoolean()) {
      wire.read(new byte[10_000]);
    }
  }
}
