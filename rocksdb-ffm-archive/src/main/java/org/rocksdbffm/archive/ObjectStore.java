/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * Stores immutable objects by name. An archive needs no more than these methods: an object is written once and never
 * changed, and {@link #putIfAbsent} decides which of two writers wins a name. Implementations are thread-safe.
 *
 * <p>A name is a path of up to 200 characters from {@code a-z 0-9 . - _}, in parts that are separated by single
 * slashes; no part starts with a dot. All methods throw {@link IllegalArgumentException} for other names.
 *
 * <p>Every method may throw {@link IOException} at any time, including after it has taken effect: the caller repeats
 * the call. An implementation does not retry for longer than some seconds, and has time limits for each request, so
 * that a caller can be stopped. An interrupt of the thread may end a call with {@link java.io.InterruptedIOException};
 * the thread then stays interrupted, because without that flag the exception may also mean a time limit.
 */
public interface ObjectStore extends AutoCloseable {
  /**
   * The bytes of an object to store. The bytes can be read several times, because a store may have to send them again.
   * Thread-safe.
   */
  interface Content {
    /**
     * Returns the number of bytes.
     *
     * @return the size in bytes
     */
    long size();

    /**
     * Opens a stream from the first byte on.
     *
     * @return a stream of exactly {@link #size} bytes, which the caller <em>owns</em> and must close
     * @throws IOException if the bytes cannot be read
     */
    InputStream open() throws IOException;
  }

  /**
   * A stored object.
   *
   * @param name the object's name
   * @param size its size in bytes
   */
  record Item(String name, long size) {}

  /**
   * Opens a store by a text, such as an option of a command: the path or {@code file:} URI of a folder, or a URI of another
   * scheme, such as {@code s3:}, for which there is a {@link StoreProvider}.
   *
   * @param where the path or URI
   * @return the store, which the caller <em>owns</em> and must close
   * @throws IOException if the store cannot be opened
   * @throws IllegalArgumentException if there is no provider for the scheme, or the text is no URI
   */
  static ObjectStore at(String where) throws IOException {
    return Stores.at(where);
  }

  /**
   * Stores an object, unless there is an object with the name, which then stays unchanged. The object appears with all
   * its
   * bytes together, and is durable when this returns; if it fails, either the whole object is stored or none. Of
   * several
   * concurrent calls with the same name, in any process, exactly one returns true.
   *
   * @param name the object's name
   * @param content its bytes, <em>borrowed until</em> this returns; may be larger than memory
   * @return whether this call stored the object; false if there was one before, perhaps by an earlier attempt of this
   *     call
   * @throws IOException if the store fails, or the content cannot be read; the object may be stored or not
   */
  boolean putIfAbsent(String name, Content content) throws IOException;

  /**
   * Opens a stored object. An object can be read as soon as {@link #putIfAbsent} has returned, by every process.
   *
   * @param name the object's name
   * @param from the offset of the first byte to read, at most the object's size
   * @return a stream of the bytes from that offset to the end, which the caller <em>owns</em> and may close early; null
   *     if
   *     there is no such object
   * @throws IOException if the store fails; so may the methods of the stream
   */
  InputStream get(String name, long from) throws IOException;

  /**
   * Lists objects in ascending order of their names, as {@link String#compareTo} orders them. The list may be stale: it
   * may
   * lack objects that were stored recently, and have objects that were deleted recently.
   *
   * @param prefix the start of the names, such as {@code log/}; empty for all objects
   * @param after lists only names after this one, which need not exist; empty for all
   * @param most the largest number of objects to return, at least 1
   * @return up to {@code most} objects; empty if there are no more. A list with fewer than {@code most} objects is not
   *     necessarily the last.
   * @throws IOException if the store fails
   */
  List<Item> list(String prefix, String after, int most) throws IOException;

  /**
   * Deletes an object; does nothing if there is none.
   *
   * @param name the object's name
   * @throws IOException if the store fails; the object may be deleted or not
   */
  void delete(String name) throws IOException;

  /** Frees the store's connections; idempotent. Stored objects stay. */
  @Override
  void close();
}
