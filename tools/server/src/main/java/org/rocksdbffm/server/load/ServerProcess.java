/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.rocksdbffm.server.Server;

/** A server in a child JVM with the class path of this JVM. */
public final class ServerProcess implements AutoCloseable {
  private final Process process;
  private final InetSocketAddress address;
  private final StringBuffer said = new StringBuffer();
  private final Thread listener;

  public ServerProcess(List<String> jvmOptions, String... arguments) throws IOException {
    this(List.of(), jvmOptions, arguments);
  }

  /** Starts a server; the launcher is a prefix of the command line, and may be empty. */
  public ServerProcess(List<String> launcher, List<String> jvmOptions, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(launcher);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Server.class.getName(), "--port", "0"));
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    address = addressIn(output);
    listener = Thread.ofVirtual().start(() -> output.lines().forEach(line -> said.append(line).append('\n')));
  }

  private InetSocketAddress addressIn(BufferedReader output) throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith("listening on ")) {
        return new InetSocketAddress("127.0.0.1", Integer.parseInt(line.substring(line.lastIndexOf(':') + 1)));
      }
      said.append(line).append('\n');
    }
    throw new IllegalStateException("the server did not start:\n" + said);
  }

  public InetSocketAddress address() {
    return address;
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Returns the output of the process so far, without the line about its address. */
  public String said() {
    return said.toString();
  }

  /** Terminates the server, which answers all received commands before; returns its output. */
  public String end() throws InterruptedException {
    process.destroy();
    return ended();
  }

  /** Kills the server. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    ended();
  }

  private String ended() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("the server does not end:\n" + said);
    }
    listener.join();
    return said.toString();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
