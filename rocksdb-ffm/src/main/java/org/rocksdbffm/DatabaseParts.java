/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.nio.file.Path;
import java.util.List;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.files.FolderState;
import org.rocksdbffm.internal.read.NativeReadOptions;
import org.rocksdbffm.internal.write.NativeWriteOptions;

/** An opened database, whose ownership is <em>transferred</em> to the user's object. */
final class DatabaseParts {
  final Path folder;
  final Database database;

  /** The default family is the first. */
  final List<NativeFamily> families;

  /** For a read-only database, the state of its files at the opening; otherwise null. */
  final FolderState state;

  final NativeReadOptions readDefaults = ReadOptions.defaults().toNative(null);
  final NativeWriteOptions writeDefaults = WriteOptions.defaults().toNative();

  DatabaseParts(Path folder, Database database, FolderState state) {
    this.folder = folder;
    this.database = database;
    this.families = database.families();
    this.state = state;
  }
}
