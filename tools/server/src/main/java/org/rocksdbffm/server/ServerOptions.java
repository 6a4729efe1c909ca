/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import org.rocksdbffm.server.protocol.ServerLimits;

/**
 * The options of the server.
 *
 * @param host the address to listen on; the loopback address by default
 * @param port 0 for any free port
 * @param folder of the database
 * @param transport Netty's transport
 * @param certificate a PEM file, or null for no TLS
 * @param key a PEM file, or null
 * @param password for AUTH, or null
 * @param store how values are passed from the database to the socket
 * @param threads the number of event loops
 * @param limits of requests
 */
public record ServerOptions(
    String host,
    int port,
    Path folder,
    Transport transport,
    Path certificate,
    Path key,
    String password,
    StoreKind store,
    int threads,
    ServerLimits limits) {
  /** How values are passed from the database to the socket. */
  public enum StoreKind {
    /** From the block cache without a copy; small values through a pooled buffer. */
    PINNED,
    /** Through a pooled off-heap buffer. */
    POOLED,
    /** Through an array on the heap, with rocksdbjni. */
    JNI
  }

  static final String USAGE =
      """
      usage: ./server --dir FOLDER [--port 6380] [--host 127.0.0.1] [--transport nio|epoll|io_uring]
                      [--tls CERTIFICATE,KEY] [--password-file FILE] [--copy | --copy=pooled] [--threads N]
                      [--max-argument BYTES] [--max-key BYTES] [--max-arguments N] [--max-pipelined N]
                      [--max-connections N] [--idle SECONDS] [--max-requests BYTES] [--max-pinned BYTES]
                      [--max-cursors BYTES]

      --copy sends values by way of arrays on the heap, read through rocksdbjni; --copy=pooled by way of buffers
      outside of it. Both are there to compare with.""";

  /** Returns options for a folder, on any free port. */
  public static ServerOptions of(Path folder) {
    return new ServerOptions(
        "127.0.0.1", 0, folder, Transport.NIO, null, null, null, StoreKind.PINNED, 1, ServerLimits.DEFAULT);
  }

  /** Returns these options with a transport. */
  public ServerOptions with(Transport transport) {
    return new ServerOptions(host, port, folder, transport, certificate, key, password, store, threads, limits);
  }

  /** Returns these options with a kind of store. */
  public ServerOptions with(StoreKind kind) {
    return new ServerOptions(host, port, folder, transport, certificate, key, password, kind, threads, limits);
  }

  /** Returns these options with limits. */
  public ServerOptions with(ServerLimits limits) {
    return new ServerOptions(host, port, folder, transport, certificate, key, password, store, threads, limits);
  }

  /** Returns these options with TLS. */
  public ServerOptions withTls(Path newCertificate, Path newKey) {
    return new ServerOptions(host, port, folder, transport, newCertificate, newKey, password, store, threads, limits);
  }

  /** Returns these options with a password. */
  public ServerOptions withPassword(String newPassword) {
    return new ServerOptions(host, port, folder, transport, certificate, key, newPassword, store, threads, limits);
  }

  /** Parses a command line; throws IllegalArgumentException for an unknown option. */
  static ServerOptions parse(String... arguments) {
    String host = "127.0.0.1";
    int port = 6380;
    Path folder = null;
    Transport transport = Transport.NIO;
    Path certificate = null;
    Path key = null;
    String password = null;
    StoreKind store = StoreKind.PINNED;
    int threads = Runtime.getRuntime().availableProcessors();
    ServerLimits limits = ServerLimits.DEFAULT;
    for (Iterator<String> rest = Arrays.asList(arguments).iterator(); rest.hasNext(); ) {
      String option = rest.next();
      switch (option) {
        case "--host" -> host = valueOf(option, rest);
        case "--port" -> port = (int) number(option, rest, 0, 65535);
        case "--dir" -> folder = Path.of(valueOf(option, rest));
        case "--transport" -> transport = transport(valueOf(option, rest));
        case "--tls" -> {
          String[] files = valueOf(option, rest).split(",");
          if (files.length != 2) {
            throw new IllegalArgumentException(
                "--tls: '" + String.join(",", files) + "', but it is a certificate and a key, separated by a comma");
          }
          certificate = Path.of(files[0]);
          key = Path.of(files[1]);
        }
        case "--password-file" -> password = firstLine(Path.of(valueOf(option, rest)));
        case "--copy", "--copy=jni" -> store = StoreKind.JNI;
        case "--copy=pooled" -> store = StoreKind.POOLED;
        case "--threads" -> threads = (int) number(option, rest, 1, 1024);
        default -> {
          if (!ServerLimits.isOption(option)) {
            throw new IllegalArgumentException(option + ": there is no such option");
          }
          limits = limits.with(option, number(option, rest, 1, ServerLimits.largest(option)));
        }
      }
    }
    if (folder == null) {
      throw new IllegalArgumentException("--dir: it is missing; name the folder of the database");
    }
    return new ServerOptions(host, port, folder, transport, certificate, key, password, store, threads, limits);
  }

  private static String valueOf(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + ": a value is missing");
    }
    return rest.next();
  }

  private static long number(String option, Iterator<String> rest, long least, long most) {
    String text = valueOf(option, rest);
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new IllegalArgumentException(option + ": " + text + " is no number from " + least + " to " + most);
  }

  private static Transport transport(String name) {
    Transport transport =
        Arrays.stream(Transport.values())
            .filter(each -> each.name().equalsIgnoreCase(name))
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException("--transport: " + name + " is none of nio, epoll and io_uring"));
    if (!transport.isAvailable()) {
      throw new IllegalArgumentException(
          "--transport: " + transport.name().toLowerCase(Locale.ROOT) + " is not available on this machine; nio is");
    }
    return transport;
  }

  private static String firstLine(Path file) {
    try (var lines = java.nio.file.Files.lines(file)) {
      return lines
          .findFirst()
          .filter(line -> !line.isEmpty())
          .orElseThrow(() -> new IllegalArgumentException("--password-file: " + file + " is empty"));
    } catch (java.io.IOException e) {
      throw new IllegalArgumentException("--password-file: " + e.getMessage(), e);
    }
  }
}
