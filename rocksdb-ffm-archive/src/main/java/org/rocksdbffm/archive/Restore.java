/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdbffm.internal.files.StagingFolder;
import org.rocksdbffm.internal.format.DatabaseFile;

/** Writes the files of a state to a folder. */
final class Restore {
  private static final int THREADS = 4;

  private final Chain chain;
  private final Plan plan;
  private final Archive.Progress progress;
  private Map<String, Path> present = Map.of();
  private final AtomicLong done = new AtomicLong();

  Restore(Chain chain, Plan plan, Archive.Progress progress) {
    this.chain = chain;
    this.plan = plan;
    this.progress = progress;
  }

  /** Creates the folder, which appears complete or not at all. */
  void run(Path target, Descent descent) throws IOException {
    try (StagingFolder staging = StagingFolder.of(target, ".tmp", "restoring to " + target)) {
      staging.begin();
      Files.createDirectory(staging.folder());
      fill(staging.folder());
      descent.write(staging.folder());
      FolderStore.sync(staging.folder());
      staging.becomeTarget();
    }
  }

  /** Links files that exist, by the SHA-256 of their contents, instead of copying them. */
  Restore linking(Map<String, Path> files) {
    present = Map.copyOf(files);
    return this;
  }

  private void fill(Path folder) throws IOException {
    try (Logs logs = new Logs(folder, plan.files().firstLog())) {
      fill(folder, logs);
    }
  }

  /** Writes all files to an empty folder; returns the last entry. */
  Entry fill(Path folder, Logs logs) throws IOException {
    files(folder);
    if (!isEncrypted(folder)) {
      write(folder.resolve("IDENTITY"), plan.files().identity().getBytes(UTF_8));
    } // otherwise the next opening writes IDENTITY, encrypted, from the MANIFEST
    return write(logs);
  }

  private boolean isEncrypted(Path folder) throws IOException {
    for (BaseFiles.Stored file : plan.files().files()) {
      if (file.name().startsWith("MANIFEST")) {
        return DatabaseFile.keyOf(folder.resolve(file.name())) != null;
      }
    }
    return false;
  }

  private void files(Path folder) throws IOException {
    List<Future<?>> copies = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS, Thread.ofPlatform().daemon().factory());
    try {
      for (BaseFiles.Stored file : plan.files().files()) {
        copies.add(threads.submit(() -> {
          chain.attempts().run(() -> {
            copy(file, folder);
            return null;
          });
          progress.copied(done.addAndGet(file.size()), plan.files().size());
          return null;
        }));
      }
      for (Future<?> copy : copies) {
        copy.get();
      }
    } catch (ExecutionException e) {
      throw unwrapped(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("stopped");
    } finally {
      threads.shutdownNow();
      threads.close();
    }
  }

  private static IOException unwrapped(Throwable failure) throws IOException {
    return switch (failure) {
      case IOException e -> e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> new IOException(failure);
    };
  }

  private void copy(BaseFiles.Stored file, Path folder) throws IOException {
    if (!StagingFolder.isOfEngine(file.name())) {
      throw new Damage(Chain.name(plan.base()), "it names the file " + file.name());
    }
    Path existing = present.get(HexFormat.of().formatHex(file.hash()));
    if (existing != null && !file.name().startsWith("MANIFEST")) {
      Files.createLink(folder.resolve(file.name()), existing);
      return;
    }
    MessageDigest digest = Hash.start();
    try (InputStream in = chain.store().get(file.object(), 0)) {
      if (in == null) {
        throw new Damage(file.object(), "it is missing");
      }
      try (FileChannel channel = created(folder.resolve(file.name()))) {
        OutputStream out = Channels.newOutputStream(channel);
        new DigestInputStream(in, digest).transferTo(out);
        channel.force(true);
      }
    }
    if (!MessageDigest.isEqual(digest.digest(), file.hash())) {
      throw new Damage(file.object(), "its checksum is wrong");
    }
  }

  private static FileChannel created(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
  }

  private static void write(Path file, byte[] bytes) throws IOException {
    try (FileChannel channel = created(file)) {
      ByteBuffer left = ByteBuffer.wrap(bytes);
      while (left.hasRemaining()) {
        channel.write(left);
      }
      channel.force(true);
    }
  }

  private Entry write(Logs logs) throws IOException {
    Entry entry = chain.require(Math.min(plan.files().firstEntry(), plan.last()));
    while (true) {
      if (entry.head().kind() == Entry.Kind.SEGMENT) {
        logs.write(entry, plan.cut());
      }
      if (entry.head().index() == plan.last()) {
        return entry;
      }
      entry = chain.following(entry);
    }
  }
}
