/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.util.Objects.requireNonNull;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/**
 * Keeps objects as files of a folder, for example on another disk or a file server. Each file is written under a
 * temporary name, synced, and linked to its own name, so a crash leaves no partial object. The file system must have
 * hard
 * links. Thread-safe, also between processes.
 */
public final class FolderStore implements ObjectStore {
  private static final String TEMPORARY = ".new-"; // no object's name starts with a dot
  private static final long ABANDONED_MILLIS = 24L * 3600 * 1000;

  private final Path folder;

  private FolderStore(Path folder) {
    this.folder = folder;
  }

  /**
   * Opens a store in a folder. The first put creates a missing folder.
   *
   * @param folder the folder, which has no other files
   * @return the store
   * @throws IOException if the folder cannot be read
   */
  public static FolderStore open(Path folder) throws IOException {
    Path absolute = requireNonNull(folder, "folder").toAbsolutePath().normalize();
    FolderStore store = new FolderStore(Files.exists(absolute) ? absolute.toRealPath() : absolute);
    store.deleteAbandoned();
    return store;
  }

  /** Deletes temporary files that a process left a day ago or earlier. */
  private void deleteAbandoned() throws IOException {
    long before = System.currentTimeMillis() - ABANDONED_MILLIS;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, TEMPORARY + "*")) {
      for (Path file : files) {
        if (file.toFile().lastModified() < before) {
          file.toFile().delete(); // or by a later opening: the disk may be mounted for reading only
        }
      }
    } catch (NoSuchFileException none) {
      return;
    }
  }

  @Override
  public boolean putIfAbsent(String name, Content content) throws IOException {
    Path target = folder.resolve(Names.require(name));
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      sync(target.getParent()); // again, because the writer of the object may have crashed before its sync
      return false;
    }
    createFolders(folder);
    Path temporary = folder.resolve(TEMPORARY + UUID.randomUUID());
    try {
      write(temporary, content);
      return link(temporary, target);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static void write(Path file, Content content) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        InputStream in = content.open()) {
      OutputStream out = Channels.newOutputStream(channel);
      long size = in.transferTo(out);
      if (size != content.size()) {
        throw new EOFException("the content of " + file + " has " + size + " bytes instead of " + content.size());
      }
      channel.force(true);
    }
  }

  private static boolean link(Path temporary, Path target) throws IOException {
    boolean isFirst = true;
    while (true) {
      createFolders(target.getParent());
      try {
        Files.createLink(target, temporary);
        break;
      } catch (FileAlreadyExistsException e) {
        isFirst = false;
        break;
      } catch (NoSuchFileException e) {
        if (Files.notExists(temporary)) {
          throw e;
        }
        // another process deleted the last object of the folder, and the folder: create it again
      }
    }
    sync(target.getParent());
    return isFirst;
  }

  private static void createFolders(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    createFolders(folder.getParent());
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    }
    sync(folder.getParent());
  }

  /** Syncs a folder, so that the names of its files are durable. */
  static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (NoSuchFileException deleted) {
      return; // another process has deleted the folder with its last object
    }
  }

  @Override
  public InputStream get(String name, long from) throws IOException {
    if (from < 0) {
      throw new IllegalArgumentException("from: " + from + " is below zero");
    }
    FileChannel channel;
    try {
      channel = FileChannel.open(folder.resolve(Names.require(name)), StandardOpenOption.READ);
    } catch (NoSuchFileException e) {
      return null;
    }
    try {
      if (from > channel.size()) {
        throw new EOFException(name + " has " + channel.size() + " bytes, and is read from " + from);
      }
      return Channels.newInputStream(channel.position(from));
    } catch (Throwable e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public List<Item> list(String prefix, String after, int most) throws IOException {
    Names.requirePrefix(prefix);
    Names.requirePrefix(after);
    if (most < 1) {
      throw new IllegalArgumentException("most: " + most + ", but it must be at least 1");
    }
    List<String> names = new ArrayList<>();
    collect(folder.resolve(prefix.substring(0, prefix.lastIndexOf('/') + 1)), prefix, after, names);
    Collections.sort(names);
    List<Item> items = new ArrayList<>();
    for (String name : names) {
      long size = folder.resolve(name).toFile().length();
      if (items.size() < most && (size > 0 || Files.exists(folder.resolve(name)))) {
        items.add(new Item(name, size));
      }
    }
    return items;
  }

  private void collect(Path directory, String prefix, String after, List<String> names) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        String name = folder.relativize(entry).toString().replace('\\', '/');
        if (!Names.isValid(name)) {
          continue; // temporary, or of another program
        }
        if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
          collect(entry, prefix, after, names);
        } else if (name.startsWith(prefix) && name.compareTo(after) > 0) {
          names.add(name);
        }
      }
    } catch (NoSuchFileException | NotDirectoryException none) {
      return;
    }
  }

  @Override
  public void delete(String name) throws IOException {
    Path file = folder.resolve(Names.require(name));
    Files.deleteIfExists(file);
    sync(file.getParent());
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return folder.toString();
  }
}
