/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdbffm.internal.settings.NativeEncryption;

/**
 * The source of the keys that encrypt the files of a database, for {@link DatabaseOptions#encryption}: a key file, a
 * {@link KeyStore}, or a service that manages keys, by an implementation of this interface.
 *
 * <p>Each opening calls {@link #keys}. The first key encrypts new files; the others read files that were written before
 * the keys were changed. A key may be removed when no file is encrypted with it any more.
 */
@FunctionalInterface
public interface EncryptionKeys {
  /**
   * Returns the keys, the newest first. The caller overwrites their bytes when it has copied them to native memory, so
   * each call must return new keys.
   *
   * @return at least one key
   */
  List<Key> keys();

  /**
   * Runs an operation that reads or writes encrypted files, but takes no {@link DatabaseOptions}: of {@link Backups},
   * {@link Repair}, {@link StoredOptions}, {@link TableWriter}, or a static method of {@link RocksDb}. An object that it
   * opens keeps the keys until it is closed.
   *
   * <pre>{@code
   * try (Backups backups = keys.use(() -> Backups.open(folder))) {
   *   backups.create(db);
   * }
   * }</pre>
   *
   * <p>A database that is opened in the operation has these keys too, unless its options have others.
   *
   * @param operation runs on this thread; files that are not encrypted are refused in it
   * @param <T> the type of the result
   * @param <E> the type of exceptions that the operation throws
   * @return the result of the operation
   * @throws E if the operation throws it
   */
  default <T, E extends Throwable> T use(ScopedValue.CallableOp<T, E> operation) throws E {
    requireNonNull(operation, "operation");
    return Key.toNative(this).during(operation);
  }

  /** A key of AES-256 with its id, which is stored in each file. */
  final class Key {
    private static final int BYTES = 32;
    private static final int MOST_OF_ID = 32;
    private static final String MARK = "\ufeff"; // some editors write it before a text
    private static final int SIZE_OF_MARK = 3;

    private final String id;
    private final byte[] bytes;
    private final AtomicBoolean used = new AtomicBoolean();

    /**
     * Creates a key.
     *
     * @param id 1 to 32 printable ASCII characters without spaces; not secret
     * @param bytes 32 random bytes; <em>transferred</em>: they are overwritten after the use
     */
    public Key(String id, byte[] bytes) {
      if (requireNonNull(id, "id").length() > MOST_OF_ID || !id.matches("[!-~]+")) {
        throw new IllegalArgumentException("id: '" + id + "', but it has 1 to 32 printable ASCII characters without spaces");
      }
      if (requireNonNull(bytes, "bytes").length != BYTES) {
        throw new IllegalArgumentException("bytes: " + bytes.length + " bytes, but a key of AES-256 has 32");
      }
      this.id = id;
      this.bytes = bytes;
    }

    /**
     * Returns the id.
     *
     * @return the id that was given
     */
    public String id() {
      return id;
    }

    @Override
    public String toString() {
      return "key " + id;
    }

    /** Copies the keys of a source to native memory, and overwrites them here. */
    static NativeEncryption toNative(EncryptionKeys source) {
      List<Key> keys = requireNonNull(source.keys(), "keys");
      for (Key key : keys) {
        if (requireNonNull(key, "keys: a key").used.getAndSet(true)) {
          throw new IllegalStateException(
              "keys: " + key + " was used before, and overwritten; return new keys each time");
        }
      }
      try {
        if (keys.isEmpty() || keys.stream().map(Key::id).distinct().count() != keys.size()) {
          throw new IllegalArgumentException("keys: " + keys + ", but there is at least one, and each has another id");
        }
        return NativeEncryption.of(keys.stream().map(key -> new NativeEncryption.Key(key.id, key.bytes)).toList());
      } finally {
        keys.forEach(key -> Arrays.fill(key.bytes, (byte) 0));
      }
    }
  }

  /**
   * Reads the keys from a file, in which each line has an id, a space, and 64 hexadecimal digits. The newest key is in
   * the first line; empty lines and lines that begin with {@code #} are ignored. The file is read at each opening.
   *
   * @param file should be readable by its owner only
   * @return the keys in the file
   */
  static EncryptionKeys ofFile(Path file) {
    requireNonNull(file, "file");
    return new EncryptionKeys() {
      @Override
      public List<Key> keys() {
        return read(file);
      }

      @Override
      public String toString() {
        return "keys in " + file;
      }
    };
  }

  /**
   * Takes secret keys from a key store, for example a PKCS #12 file that {@code keytool -genseckey -keyalg AES -keysize
   * 256} made. The aliases are the ids.
   *
   * @param store the loaded key store; <em>shared</em> by the openings
   * @param password protects the keys; copied
   * @param aliases of the keys, the newest first
   * @return the keys in the store
   */
  static EncryptionKeys ofKeyStore(KeyStore store, char[] password, List<String> aliases) {
    requireNonNull(store, "store");
    char[] secret = requireNonNull(password, "password").clone();
    List<String> names = List.copyOf(requireNonNull(aliases, "aliases"));
    return () -> {
      List<Key> keys = new ArrayList<>();
      for (String name : names) {
        try {
          java.security.Key key = store.getKey(name, secret);
          byte[] bytes = key == null ? null : key.getEncoded();
          if (bytes == null) {
            throw new IllegalArgumentException("aliases: the key store has no key '" + name + "' with readable bytes");
          }
          keys.add(new Key(name, bytes));
        } catch (GeneralSecurityException e) {
          throw new IllegalArgumentException("aliases: the key '" + name + "' cannot be read: " + e.getMessage(), e);
        }
      }
      return keys;
    };
  }

  private static List<Key> read(Path file) {
    byte[] text;
    try {
      text = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IllegalArgumentException("file: the keys cannot be read from " + file + ": " + e, e);
    }
    List<Key> keys = new ArrayList<>();
    try {
      int line = 1;
      for (int start = hasMark(text) ? Key.SIZE_OF_MARK : 0, end; start < text.length; start = end + 1, line++) {
        end = start;
        while (end < text.length && text[end] != '\n') {
          end++;
        }
        add(keys, text, start, end > start && text[end - 1] == '\r' ? end - 1 : end, file + ", line " + line);
      }
    } finally {
      Arrays.fill(text, (byte) 0);
    }
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("file: there is no key in " + file);
    }
    return keys;
  }

  /** Whether a text starts with a byte order mark. */
  private static boolean hasMark(byte[] text) {
    return new String(text, 0, Math.min(text.length, Key.SIZE_OF_MARK), StandardCharsets.UTF_8).equals(Key.MARK);
  }

  private static void add(List<Key> keys, byte[] text, int start, int end, String line) {
    if (start == end || text[start] == '#') {
      return;
    }
    int space = start;
    while (space < end && text[space] != ' ') {
      space++;
    }
    if (end - space != 1 + 2 * Key.BYTES) {
      throw new IllegalArgumentException("file: " + line + " is not an id, a space and 64 hexadecimal digits");
    }
    byte[] bytes = new byte[Key.BYTES];
    for (int i = 0; i < bytes.length; i++) {
      int high = text[space + 1 + 2 * i];
      int low = text[space + 2 + 2 * i];
      if (!HexFormat.isHexDigit(high) || !HexFormat.isHexDigit(low)) {
        throw new IllegalArgumentException("file: " + line + " is not an id, a space and 64 hexadecimal digits");
      }
      bytes[i] = (byte) (HexFormat.fromHexDigit(high) << 4 | HexFormat.fromHexDigit(low));
    }
    try {
      keys.add(new Key(new String(text, start, space - start, StandardCharsets.UTF_8), bytes));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("file: " + line + ": " + e.getMessage(), e);
    }
  }
}
