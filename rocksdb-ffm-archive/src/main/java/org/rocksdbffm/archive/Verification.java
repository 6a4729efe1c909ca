/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads all objects that restores need. Used once. */
final class Verification {
  private final Chain chain;
  private final List<Damage> damages = new ArrayList<>();
  private final Set<String> verified = new HashSet<>();
  private long bytes;
  private long entries;

  Verification(Chain chain) {
    this.chain = chain;
  }

  Archive.Verified run() throws IOException {
    long end = chain.end(0);
    if (end == 0) {
      return new Archive.Verified(0, 0, 0, 0, List.of());
    }
    List<Long> indexes = List.of();
    try {
      Bases bases = new Bases(chain, end);
      indexes = bases.indexes();
      for (long base : indexes) {
        verify(base);
        if (base < bases.firstKept()) {
          entries(BaseFiles.read(chain.require(base)).firstEntry(), base);
        }
      }
      entries(bases.firstKept(), end);
    } catch (Damage e) {
      damages.add(e);
    }
    return new Archive.Verified(indexes.size(), entries, verified.size(), bytes, damages);
  }

  private void verify(long base) throws IOException {
    for (BaseFiles.Stored file : BaseFiles.read(chain.require(base)).files()) {
      if (verified.add(file.object())) {
        try {
          chain.attempts().run(() -> {
            verify(file);
            return null;
          });
        } catch (Damage e) {
          damages.add(e);
        }
      }
    }
  }

  private void verify(BaseFiles.Stored file) throws IOException {
    MessageDigest digest = Hash.start();
    try (InputStream in = chain.store().get(file.object(), 0)) {
      if (in == null) {
        throw new Damage(file.object(), "it is missing");
      }
      bytes += new DigestInputStream(in, digest).transferTo(OutputStream.nullOutputStream());
    }
    if (!MessageDigest.isEqual(digest.digest(), file.hash())) {
      throw new Damage(file.object(), "its checksum is wrong");
    }
  }

  /** Verifies entries, and that each line has all WAL bytes. */
  private void entries(long from, long until) throws IOException {
    Entry entry = chain.require(Math.min(from, until));
    Logs logs = new Logs(null, Long.MAX_VALUE); // the first line may start in the middle of a file
    while (true) {
      entries++;
      bytes += entry.body().length;
      if (entry.head().kind() == Entry.Kind.LINE) {
        logs = new Logs(null, 0);
      } else if (entry.head().kind() == Entry.Kind.SEGMENT) {
        logs.write(entry, Long.MAX_VALUE);
      }
      if (entry.head().index() >= until) {
        return;
      }
      entry = chain.following(entry);
    }
  }
}
