/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.rocksdbffm.clients.Cluster;
import org.rocksdbffm.clients.Program;

/** The members of a group of rheakv, one of which leads. */
final class Group extends Cluster {
  static final int MEMBERS = 3;

  private final List<Integer> ports = freePorts(MEMBERS);

  Group(Program program, Path folder) throws IOException {
    super(program, folder, MEMBERS);
    for (int member = 0; member < MEMBERS; member++) {
      start(member);
    }
  }

  /** The endpoints of all. */
  String endpoints() {
    return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
  }

  /** The folder of a member's database. */
  Path store(int member) {
    return folder(member).resolve(Member.store(ports.get(member)));
  }

  void start(int member) throws IOException {
    Files.deleteIfExists(folder(member).resolve(Member.STATE));
    start(member, "" + ports.get(member), endpoints());
  }

  /** One that says that it leads, or a negative number. */
  int leader() {
    return IntStream.range(0, MEMBERS).filter(member -> state(member)[0].equals("true")).findFirst().orElse(-1);
  }

  /** True of one that was killed, too, if it was taking a snapshot then. */
  boolean isTakingSnapshot(int member) {
    return Files.exists(folder(member).resolve(Member.SNAPSHOT_UNDER_WAY));
  }

  /** All have applied the same entries of the log, if nobody writes. */
  boolean isEven() {
    List<String> applied = IntStream.range(0, MEMBERS).mapToObj(member -> state(member)[1]).distinct().toList();
    return applied.size() == 1 && !applied.contains("");
  }

  /** Whether it leads, and what it applied; both empty while it starts. */
  private String[] state(int member) {
    try {
      return Files.readString(folder(member).resolve(Member.STATE)).split(" ");
    } catch (NoSuchFileException starting) {
      return new String[] {"", ""};
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for one of the members, and returns it. */
  int await(String what, IntSupplier member) {
    int[] found = new int[1];
    await(what, () -> (found[0] = member.getAsInt()) >= 0);
    return found[0];
  }
}
