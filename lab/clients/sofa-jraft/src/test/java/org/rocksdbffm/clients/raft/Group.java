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

/** The members of a rheakv group, one of which is the leader. */
final class Group extends Cluster {
  static final int MEMBERS = 3;

  private final List<Integer> ports = freePorts(MEMBERS);

  Group(Program program, Path folder) throws IOException {
    super(program, folder, MEMBERS);
    for (int member = 0; member < MEMBERS; member++) {
      start(member);
    }
  }

  /** Returns the endpoints of all members. */
  String endpoints() {
    return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
  }

  /** Returns the folder of a member's database. */
  Path store(int member) {
    return folder(member).resolve(Member.store(ports.get(member)));
  }

  void start(int member) throws IOException {
    Files.deleteIfExists(folder(member).resolve(Member.STATE));
    start(member, "" + ports.get(member), endpoints());
  }

  /** Returns a member that claims to be the leader, or a negative number. */
  int leader() {
    return IntStream.range(0, MEMBERS).filter(member -> state(member)[0].equals("true")).findFirst().orElse(-1);
  }

  /** Whether a member is taking a snapshot, or was when it was killed. */
  boolean isTakingSnapshot(int member) {
    return Files.exists(folder(member).resolve(Member.SNAPSHOT_UNDER_WAY));
  }

  /** Whether all members have applied the same log entries; valid only without writes. */
  boolean isEven() {
    List<String> applied = IntStream.range(0, MEMBERS).mapToObj(member -> state(member)[1]).distinct().toList();
    return applied.size() == 1 && !applied.contains("");
  }

  /** Returns whether a member is the leader, and its last applied index; both empty while it starts. */
  private String[] state(int member) {
    try {
      return Files.readString(folder(member).resolve(Member.STATE)).split(" ");
    } catch (NoSuchFileException starting) {
      return new String[] {"", ""};
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until a condition returns a member, and returns that member. */
  int await(String what, IntSupplier member) {
    int[] found = new int[1];
    await(what, () -> (found[0] = member.getAsInt()) >= 0);
    return found[0];
  }
}
