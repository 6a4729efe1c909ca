/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.opening;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import org.rocksdbffm.internal.callback.EventSource;
import org.rocksdbffm.internal.callback.RawEvent;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NumberMark;
import org.rocksdbffm.internal.folder.DatabaseFolders;
import org.rocksdbffm.internal.folder.FolderClaim;
import org.rocksdbffm.internal.folder.Refused;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.lifetime.RecoveryWatch;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.settings.NativeEncryption;
import org.rocksdbffm.internal.settings.NativeOptions;
import org.rocksdbffm.internal.transaction.TransactionRegistry;
import org.rocksdbffm.internal.upkeep.DiskRecovery;

/** Opens databases. */
public final class DatabaseOpener {
  private DatabaseOpener() {}

  /** Opens the database and the families of the request, in its order. */
  public static Database open(Request request) {
    long began = FlightRecords.begin();
    Path folder = request.real.path(); // the path passed to the engine
    FolderClaim claim = claim(request, folder);
    try {
      FileListener listener = request.writesInJavaOrder() ? FileListener.listening(request) : null;
      EngineParts opened = EngineParts.of(request);
      TransactionRegistry transactions = new TransactionRegistry(request.path.path());
      Database database =
          new Database(request.path.path(), opened.db(), request.kind, claim, transactions, request.options);
      try {
        List<NativeFamily> families = adopt(database, request, opened);
        check(database, request, families);
        if (!request.kind.isForReading() && database.latestSequenceNumber() > 0) {
          database.run((db, arena, error) -> NumberMark.write(database, false, error)); // the recovery may have flushed
        }
        if (!request.kind.isForReading() && request.options.encryption() != null) {
          NativeEncryption.deleteCopies(folder);
          request.options.encryption().renewIdentity(folder);
        }
        if (request.kind == DatabaseKind.LOCKING) {
          transactions.prepared().recover(opened.db(), families);
        }
        if (listener != null) {
          listener.serve(database, families);
        }
        recoverDisk(database, request.options);
        FlightRecords.opened(database.path(), began);
        return database;
      } catch (Throwable e) {
        database.closeForgotten();
        throw e;
      }
    } catch (Throwable e) {
      claim.undo(folder);
      throw e;
    }
  }

  private static FolderClaim claim(Request request, Path folder) {
    try {
      return DatabaseFolders.claim(folder, request.folders(folder), request.kind.isForReading());
    } catch (IOException e) {
      throw Refused.toUser("opening " + request.path, e);
    }
  }

  private static List<NativeFamily> adopt(Database database, Request request, EngineParts opened) {
    Iterator<MemorySegment> handles = opened.families().iterator();
    for (var family : request.families.entrySet()) {
      database.adopt(family.getKey(), handles.next(), family.getValue());
    }
    return database.families();
  }

  private static void recoverDisk(Database database, NativeOptions options) {
    RecoveryWatch watch = options.takeRecovery();
    if (watch == null) {
      return;
    }
    EventSource events = options.events();
    LongConsumer listener = events == null ? nanos -> {} : nanos -> events.publish(new RawEvent.Resumed(nanos));
    try {
      DiskRecovery.start(database, watch, options.roomToResume(), options.paths(), listener);
    } catch (Throwable e) {
      watch.close();
      throw e;
    }
  }

  private static void check(Database database, Request request, List<NativeFamily> families) {
    try {
      request.requireSound();
      if (database.isOrderedInJava()) {
        FileListener.require(database);
      }
      if (database.cachesRows()) {
        RangeDeletions.requireNone(families, request.kind.isForReading());
      }
    } catch (IllegalStateException e) {
      database.stop(e.getMessage(), e.getCause());
      throw e;
    }
  }
}
