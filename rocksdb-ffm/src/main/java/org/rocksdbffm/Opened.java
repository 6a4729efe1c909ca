/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.nio.file.Path;
import java.util.List;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.files.FolderMoment;
import org.rocksdbffm.internal.read.NativeReadOptions;
import org.rocksdbffm.internal.write.NativeWriteOptions;

/** A database that was opened, which it <em>transfers</em> to the object that users get. */
final class Opened {
  final Path folder;
  final Database database;

  /** The default one is the first. */
  final List<NativeFamily> families;

  /** Of a database that is read alone, the moment that it shows; otherwise null. */
  final FolderMoment moment;

  final NativeReadOptions readDefaults = ReadOptions.defaults().toNative(null);
  final NativeWriteOptions writeDefaults = WriteOptions.defaults().toNative();

  Opened(Path folder, Database database, FolderMoment moment) {
    this.folder = folder;
    this.database = database;
    this.families = database.families();
    this.moment = moment;
  }
}
