/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.io.IOException;

/** A service that archives databases without code in the program: each in a separate place of an object store. */
public interface ArchiveService {
  /** A database that is being archived. */
  interface Running {
    /** Archives the last writes, and stops. Returns why some are missing from the archive; empty if none are. */
    String stop();
  }

  /** Throws if there is no store at {@code where}. */
  void require(String where) throws IOException;

  /** Returns the part of the store at {@code where} that has the archive of a database. */
  String place(ArchivedDatabase db, String where);

  /** Starts to archive a database in the store at {@code place}. */
  Running start(ArchivedDatabase db, String place) throws IOException;
}
