/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import static org.projectnessie.versioned.storage.common.objtypes.StringObj.stringData;
import static org.projectnessie.versioned.storage.common.persist.Reference.reference;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.projectnessie.nessie.relocated.protobuf.ByteString;
import org.projectnessie.versioned.storage.common.config.StoreConfig;
import org.projectnessie.versioned.storage.common.exceptions.ObjNotFoundException;
import org.projectnessie.versioned.storage.common.exceptions.RefAlreadyExistsException;
import org.projectnessie.versioned.storage.common.objtypes.Compression;
import org.projectnessie.versioned.storage.common.persist.CloseableIterator;
import org.projectnessie.versioned.storage.common.persist.Obj;
import org.projectnessie.versioned.storage.common.persist.ObjId;
import org.projectnessie.versioned.storage.common.persist.ObjType;
import org.projectnessie.versioned.storage.common.persist.Persist;
import org.projectnessie.versioned.storage.common.persist.Reference;
import org.projectnessie.versioned.storage.rocksdb.RocksDBBackend;
import org.projectnessie.versioned.storage.rocksdb.RocksDBBackendConfig;
import org.projectnessie.versioned.storage.rocksdb.RocksDBBackendFactory;

/** The store of a catalog's objects and references, with transactions, scans and the deletion of a repository. */
final class Nessie {
  private static final int OBJECTS = 2000;

  private Nessie() {}

  public static void main(String[] arguments) throws Exception {
    try (RocksDBBackend backend = open()) {
      backend.setupSchema();
      Persist main = persist(backend, "main");
      Persist other = persist(backend, "other");
      scan("empty", main);
      fill(main);
      fill(other);
      references(main);
      scan("filled", main);
      List<ObjId> deleted = new ArrayList<>();
      for (int number = 0; number < OBJECTS; number += 3) {
        deleted.add(object(number).id());
      }
      main.deleteObjs(deleted.toArray(ObjId[]::new));
      scan("deleted", main);
      other.erase();
      scan("erased", other);
    }
    try (RocksDBBackend backend = open()) {
      Persist main = persist(backend, "main");
      scan("reopened", main);
      Answers.say("reference", main.fetchReference("reference 5").pointer(), main.fetchReference("none"));
      Answers.say("object", main.fetchObj(object(1).id()).id());
      try {
        main.fetchObj(object(3).id());
      } catch (ObjNotFoundException e) {
        Answers.say("no object", e.getMessage());
      }
      backend.eraseRepositories(Set.of("main"));
      scan("erased", main);
    }
  }

  private static RocksDBBackend open() {
    return new RocksDBBackendFactory()
        .buildBackend(RocksDBBackendConfig.builder().databasePath(Path.of("catalog").toAbsolutePath()).build());
  }

  private static Persist persist(RocksDBBackend backend, String repository) {
    return backend.createFactory().newPersist(StoreConfig.Adjustable.empty().withRepositoryId(repository));
  }

  private static void fill(Persist store) throws Exception {
    List<Obj> batch = new ArrayList<>();
    for (int number = 0; number < OBJECTS; number++) {
      if (number % 2 == 0) {
        batch.add(object(number));
      } else {
        store.storeObj(object(number));
      }
    }
    Answers stored = new Answers();
    for (boolean each : store.storeObjs(batch.toArray(Obj[]::new))) {
      stored.row(each);
    }
    stored.row(store.storeObj(object(7)));
    stored.end(store.config().repositoryId() + " stored");
  }

  private static void references(Persist store) throws Exception {
    for (int number = 0; number < 100; number++) {
      store.addReference(reference("reference " + number, object(number).id(), false, number, null));
    }
    Reference old = store.fetchReference("reference 5");
    Answers.say("updated", store.updateReferencePointer(old, object(500).id()).pointer());
    Reference marked = store.markReferenceAsDeleted(store.fetchReference("reference 6"));
    store.purgeReference(marked);
    Answers.say("purged", store.fetchReference("reference 6"));
    try {
      store.addReference(reference("reference 7", object(7).id(), false, 7, null));
    } catch (RefAlreadyExistsException e) {
      Answers.say("exists", e.getMessage());
    }
  }

  private static void scan(String step, Persist store) {
    Answers answers = new Answers();
    try (CloseableIterator<Obj> objects = store.scanAllObjects(Set.<ObjType>of())) {
      while (objects.hasNext()) {
        answers.row(objects.next().id());
      }
    }
    answers.end(store.config().repositoryId() + " " + step);
  }

  private static Obj object(int number) {
    return stringData("text/plain", Compression.NONE, "file " + number, List.of(),
        ByteString.copyFromUtf8("text " + number));
  }
}
