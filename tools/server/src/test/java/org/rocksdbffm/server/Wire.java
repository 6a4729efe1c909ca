/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A connection to a server, for arbitrary bytes and parsed replies. */
final class Wire implements AutoCloseable {
  /** An answer that is an error. */
  record Refusal(String message) {
    /** Whether the error is temporary, and not caused by the request. */
    boolean isOfTheMoment() {
      return message.startsWith("BUSY ") || message.startsWith("OOM ")
          || message.startsWith("ERR max number of clients");
    }
  }

  final long begin = System.nanoTime();
  final Socket socket;
  final OutputStream out;
  private final InputStream in;

  Wire(InetSocketAddress address, int timeoutMillis) throws IOException {
    socket = new Socket();
    socket.connect(address, timeoutMillis);
    socket.setSoTimeout(timeoutMillis);
    socket.setTcpNoDelay(true);
    out = socket.getOutputStream();
    in = new BufferedInputStream(socket.getInputStream());
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static byte[] command(byte[]... words) {
    var all = new ByteArrayOutputStream();
    all.writeBytes(bytes("*" + words.length + "\r\n"));
    for (byte[] word : words) {
      all.writeBytes(bytes("$" + word.length + "\r\n"));
      all.writeBytes(word);
      all.writeBytes(bytes("\r\n"));
    }
    return all.toByteArray();
  }

  static byte[] command(String... words) {
    byte[][] all = new byte[words.length][];
    for (int i = 0; i < words.length; i++) {
      all[i] = bytes(words[i]);
    }
    return command(all);
  }

  Object ask(String... words) throws IOException {
    out.write(command(words));
    return answer();
  }

  /**
   * Reads the next reply: a byte array or null for a value, a number, a text, a {@link Refusal}, or a list of these.
   */
  Object answer() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case '-' -> new Refusal(rest);
      case ':' -> Long.valueOf(rest);
      case '_' -> null;
      case '$' -> {
        int size = Integer.parseInt(rest);
        if (size < 0) {
          yield null;
        }
        byte[] value = in.readNBytes(size);
        if (in.read() != '\r' | in.read() != '\n' || value.length != size) {
          throw new EOFException("within a value");
        }
        yield value;
      }
      case '*' -> {
        List<Object> all = new ArrayList<>();
        for (int i = Integer.parseInt(rest); i > 0; i--) {
          all.add(answer());
        }
        yield all;
      }
      default -> throw new AssertionError("the server says " + line);
    };
  }

  private String line() throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\r'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the server closed the connection");
      }
      line.append((char) c);
    }
    if (in.read() != '\n' || line.isEmpty()) {
      throw new AssertionError("the server says " + line);
    }
    return line.toString();
  }

  /** Reads available bytes; returns false at the end of the stream. */
  boolean read(byte[] target) throws IOException {
    return in.read(target) >= 0;
  }

  long info(String name) throws IOException {
    String info = new String((byte[]) ask("INFO"), StandardCharsets.US_ASCII);
    int at = info.indexOf("\n" + name + ":") + name.length() + 2;
    return Long.parseLong(info.substring(at, info.indexOf('\r', at)));
  }

  /** Resets the connection, so that the other side fails. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
