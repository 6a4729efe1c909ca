/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.rocksdbffm.internal.files.ArchiveService;
import org.rocksdbffm.internal.files.ArchivedDatabase;

/**
 * Archives the databases of a program on {@code org.rocksdb}, if the system property {@code
 * org.rocksdbffm.compat.archive} names a store. The library loads this class as a service; programs need not call it.
 */
public final class StartArchives implements ArchiveService {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  /** Creates the service; called by {@link java.util.ServiceLoader}. */
  public StartArchives() {}

  @Override
  public void require(String where) throws IOException {
    ObjectStore.at(where).close();
  }

  /** A place has the ID of the database as its name: it is the same after a move, and another one for another database. */
  @Override
  public String place(ArchivedDatabase db, String where) {
    String identity = db.identity();
    byte[] bytes = identity.getBytes(UTF_8);
    boolean isName = NAME.matcher(identity).matches();
    String name = isName ? identity : HexFormat.of().formatHex(Hash.of(bytes, bytes.length));
    if (!Stores.isUri(where)) {
      return Path.of(where, name).toString();
    }
    int end = where.indexOf('?');
    String path = end < 0 ? where : where.substring(0, end);
    return path.replaceAll("/+$", "") + "/" + name + where.substring(path.length());
  }

  @Override
  public Running start(ArchivedDatabase db, String place) throws IOException {
    ObjectStore store = ObjectStore.at(place);
    Archiver archiver = new Archiver(store, db, Archiver.Options.defaults());
    return () -> {
      archiver.close();
      store.close();
      return archiver.status().problem();
    };
  }
}
