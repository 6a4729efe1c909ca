/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.foreign.CxxCalls;
import org.rocksdbffm.internal.foreign.CxxEngine;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.lifetime.RefCounted;
import org.rocksdbffm.internal.lifetime.Shared;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * Keys in native memory, and the engine's environment that encrypts files with them. Destroyed, with the keys
 * overwritten, when its last holder releases it. Thread-safe.
 */
public final class NativeEncryption implements DatabaseFile.Keys, Shared {
  private static final int KEY_ID = 32;
  private static final int KEY_BYTES = 32;
  private static final int PART = 1 << 18;
  private static final String COPY = "encrypted-";
  private static final String OF_COPY = ".tmp";
  private static final int READABLE = 0;
  private static final int NO_PREFIX = 1;
  private static final int OTHER_VERSION = 2;
  private static final int UNKNOWN_KEY = 3;

  private final long encryption;
  private final List<String> ids;
  private final RefCounted holders = new RefCounted();

  /** A key: an id of 1 to 32 printable ASCII characters, and 32 bytes. */
  public record Key(String id, byte[] bytes) {}

  private NativeEncryption(long encryption, List<String> ids) {
    this.encryption = encryption;
    this.ids = ids;
    LiveObjects.ENCRYPTIONS.made();
  }

  /** Copies the keys, the first of which encrypts new files. */
  public static NativeEncryption of(List<Key> keys) {
    NativeLibrary.load();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment all = arena.allocate((long) keys.size() * (KEY_ID + KEY_BYTES) + 1);
      try {
        for (int i = 0; i < keys.size(); i++) {
          MemorySegment key = all.asSlice((long) i * (KEY_ID + KEY_BYTES));
          key.setString(0, keys.get(i).id, StandardCharsets.US_ASCII); // with a 0, which the bytes may overwrite
          MemorySegment.copy(keys.get(i).bytes, 0, key, ValueLayout.JAVA_BYTE, KEY_ID, KEY_BYTES);
        }
        long encryption = CxxCalls.create(CxxEngine.address(), all, keys.size(), error);
        Status.check(error, "keys of an encryption");
        return new NativeEncryption(encryption, keys.stream().map(Key::id).toList());
      } finally {
        all.fill((byte) 0);
      }
    }
  }

  /** Returns the encryption of the running operation; null if it has none. */
  public static NativeEncryption current() {
    return DatabaseFile.KEYS.isBound() ? (NativeEncryption) DatabaseFile.KEYS.get() : null;
  }

  /** Returns a share of the encryption of the running operation; null if it has none. */
  public static NativeEncryption shareOfCurrent() {
    NativeEncryption current = current();
    return current == null ? null : current.share();
  }

  /** Runs an operation with keys, or without them if they are null. */
  public static <T, E extends Throwable> T during(NativeEncryption keys, ScopedValue.CallableOp<T, E> operation) throws E {
    return keys == null ? operation.call() : ScopedValue.where(DatabaseFile.KEYS, keys).call(operation);
  }

  /** Runs an operation with these keys, and then releases them. */
  public <T, E extends Throwable> T during(ScopedValue.CallableOp<T, E> operation) throws E {
    try {
      return during(this, operation);
    } finally {
      release();
    }
  }

  /** Makes options use the environment. */
  void setIn(MemorySegment options) {
    CxxCalls.setEnvironment(options, environment());
  }

  /** Returns the environment, which a holder may pass to the engine. */
  public MemorySegment environment() {
    return CxxCalls.environment(encryption);
  }

  /** Returns the id of the key that encrypts new files. */
  public String newest() {
    return ids.getFirst();
  }

  /**
   * Deletes a file IDENTITY that these keys do not decrypt, with which the engine would refuse the database: the engine
   * writes it again from the MANIFEST.
   */
  public void deleteForeignIdentity(Path folder) throws IOException {
    Path identity = folder.resolve("IDENTITY");
    String key = Files.exists(identity) ? DatabaseFile.keyOf(identity) : newest();
    if (key == null || !ids.contains(key)) {
      Files.delete(identity);
    }
  }

  /**
   * Encrypts the file IDENTITY of an open database with the newest key, because the engine never writes it again; if that
   * fails, a later opening does it.
   */
  public void renewIdentity(Path folder) {
    Path identity = folder.resolve("IDENTITY");
    try {
      if (Files.exists(identity) && !newest().equals(DatabaseFile.keyOf(identity))) {
        byte[] content = during(this, () -> DatabaseFile.bytes(identity));
        Path copy = copyIn(folder);
        write(copy, Channels.newChannel(new ByteArrayInputStream(content)));
        Files.move(copy, identity, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      return; // the database works without it, and with the older one
    }
  }

  @Override
  public void require(byte[] header, Path file) throws DatabaseFile.Refusal {
    int state = check(header);
    String of = "the key '" + DatabaseFile.keyOf(header) + "'";
    switch (state) {
      case READABLE -> { }
      case UNKNOWN_KEY -> throw new DatabaseFile.Refusal(
          file + " is encrypted with " + of + ", and the given keys are " + ids, "add this key to the others");
      case NO_PREFIX, OTHER_VERSION -> throw new DatabaseFile.Refusal(
          file + " was encrypted by a newer version", "use that version of rocksdb-ffm");
      default -> throw new DatabaseFile.Refusal(
          file + " is encrypted with another key than the given one with its id, " + of + ", or its first bytes are damaged",
          "give the key that the file was written with; keys with different bytes need different ids");
    }
  }

  private int check(byte[] header) {
    try (Arena arena = Arena.ofConfined()) {
      return CxxCalls.check(encryption, arena.allocateFrom(ValueLayout.JAVA_BYTE, header));
    }
  }

  @Override
  public void decrypt(byte[] header, long offset, byte[] bytes, int from, int length) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocate(Math.max(1, length));
      MemorySegment.copy(bytes, from, copy, ValueLayout.JAVA_BYTE, 0, length);
      CxxCalls.decrypt(encryption, arena.allocateFrom(ValueLayout.JAVA_BYTE, header), offset, copy, length);
      MemorySegment.copy(copy, ValueLayout.JAVA_BYTE, 0, bytes, from, length);
    }
  }

  /** Returns a new file in a database's folder with the content of a plain file, encrypted with the newest key. */
  public Path encryptedCopy(Path plain, Path folder) throws IOException {
    Path copy = copyIn(folder);
    try (FileChannel content = FileChannel.open(plain, StandardOpenOption.READ)) {
      write(copy, content);
      return copy;
    } catch (Throwable e) {
      Files.deleteIfExists(copy);
      throw e;
    }
  }

  private static Path copyIn(Path folder) {
    return folder.resolve(COPY + Long.toUnsignedString(ThreadLocalRandom.current().nextLong()) + OF_COPY);
  }

  /** Deletes encrypted copies that a process has left in the folder of a database, which was opened since then. */
  public static void deleteCopies(Path folder) {
    File[] copies = folder.toFile().listFiles((all, name) -> name.startsWith(COPY) && name.endsWith(OF_COPY));
    for (File copy : copies == null ? new File[0] : copies) {
      copy.delete(); // or by a later opening
    }
  }

  /** Writes a new file, encrypted with the newest key. */
  public void write(Path target, ReadableByteChannel from) throws IOException {
    try (FileChannel to = FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      encrypt(from, to, target);
      to.force(true);
    }
  }

  /** Returns the bytes of a new file with a content, encrypted with the newest key. */
  public byte[] encrypted(byte[] content) {
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    try {
      encrypt(Channels.newChannel(new ByteArrayInputStream(content)), Channels.newChannel(to), null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return to.toByteArray();
  }

  private void encrypt(ReadableByteChannel from, WritableByteChannel to, Path target) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment prefix = arena.allocate(DatabaseFile.PREFIX);
      if (CxxCalls.newPrefix(encryption, prefix) == 0) {
        throw new IOException("no random numbers for the nonce of " + (target == null ? "a copy" : target));
      }
      writeAll(to, prefix.asByteBuffer());
      MemorySegment part = arena.allocate(PART);
      for (long offset = DatabaseFile.PREFIX; ; ) {
        ByteBuffer bytes = part.asByteBuffer();
        int size = from.read(bytes);
        if (size < 0) {
          break;
        }
        CxxCalls.decrypt(encryption, prefix.asSlice(0, DatabaseFile.HEADER), offset, part, size); // the same operation
        writeAll(to, bytes.flip());
        offset += size;
      }
    }
  }

  private static void writeAll(WritableByteChannel to, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      to.write(bytes);
    }
  }

  /** Adds a holder. */
  public NativeEncryption share() {
    holders.retain();
    return this;
  }

  /** Removes a holder. Releases a share. The holder's engine objects must no longer use the environment. */
  @Override
  public void release() {
    if (holders.release()) {
      CxxCalls.destroy(encryption);
      LiveObjects.ENCRYPTIONS.freed();
    }
  }
}
