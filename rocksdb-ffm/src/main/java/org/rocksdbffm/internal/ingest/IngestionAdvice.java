/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.ingest;

import java.util.Map;

/** Advice on the engine's reasons for refusing a table file. */
final class IngestionAdvice {
  private static final Map<String, String> BY_MESSAGE =
      Map.of(
          "External file version not found",
              "it is of a database, and no TableWriter has written it: ingest what a TableWriter writes",
          "does not match existing comparator", "write it with the key order of the column family",
          "Global seqno is required", "allow it by FamilyFiles.IngestOptions.globalSequenceNumbers",
          "External file requires flush", "allow it by FamilyFiles.IngestOptions.blockingFlush, or flush before",
          "cf_allow_ingest_behind=false",
              "open the column family with the option cf_allow_ingest_behind, from its creation on",
          "Files cannot be ingested to Lmax", "compact the range first, or allow other levels by FamilyFiles.IngestOptions.lastLevelOnly(false)",
          "Column family already exists",
              "give it another name, or drop that one first; one that is not seen before the database is opened again is left by an "
                  + "import that failed, and has no rows",
          "Bad table magic number", "it is no table file, or of another table format than that of the column family",
          "file is too short", "it is no table file, or was not finished");

  private IngestionAdvice() {}

  /** Returns advice to append to an error message; empty if absent. */
  static String on(String failure) {
    return BY_MESSAGE.entrySet().stream()
        .filter(advice -> failure.contains(advice.getKey()))
        .map(advice -> ": " + advice.getValue())
        .findFirst()
        .orElse("");
  }
}
