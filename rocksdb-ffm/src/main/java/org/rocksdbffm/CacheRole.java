/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/** A kind of entry in a block cache. */
public enum CacheRole {
  /** Blocks of rows. */
  DATA_BLOCK("DataBlock"),
  /** Filters, or the parts of one. */
  FILTER_BLOCK("FilterBlock"),
  /** The indexes of filters that are in parts. */
  FILTER_META_BLOCK("FilterMetaBlock"),
  /** Filters of a form that no table is written with any more. */
  DEPRECATED_FILTER_BLOCK("DeprecatedFilterBlock"),
  /** Indexes of tables, or the parts of one. */
  INDEX_BLOCK("IndexBlock"),
  /** Other blocks of tables, such as dictionaries and deletions of ranges. */
  OTHER_BLOCK("OtherBlock"),
  /** Memtables, charged by a {@link WriteBufferManager}. */
  WRITE_BUFFER("WriteBuffer"),
  /** Rows that wait for the dictionary of a new table, charged while it is written. */
  COMPRESSION_DICTIONARY("CompressionDictionaryBuildingBuffer"),
  /** Filters of new tables, charged while they are made. */
  FILTER_CONSTRUCTION("FilterConstruction"),
  /** The engine's objects of open tables, where they are charged. */
  TABLE_READER("BlockBasedTableReader"),
  /** The engine's knowledge of files, where it is charged. */
  FILE_METADATA("FileMetadata"),
  /** Values of blob files, in a cache that is that of blocks too. */
  BLOB_VALUE("BlobValue"),
  /** A cache of blobs that is charged to that of blocks. */
  BLOB_CACHE("BlobCache"),
  /** All others. */
  MISC("Misc");

  private final String word;

  CacheRole(String word) {
    this.word = word;
  }

  /** The role with the engine's name; a role that is unknown here is one of the others. */
  static CacheRole named(String word) {
    for (CacheRole role : values()) {
      if (role.word.equals(word)) {
        return role;
      }
    }
    return MISC;
  }
}
