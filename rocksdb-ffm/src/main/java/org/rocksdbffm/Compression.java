/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/** The compressions of blocks. All of these are in the engine that comes with this library. */
public enum Compression {
  /** Not at all. */
  NONE("kNoCompression"),
  /** Snappy: fast. */
  SNAPPY("kSnappyCompression"),
  /** Zlib. */
  ZLIB("kZlibCompression"),
  /** Bzip2: slow. */
  BZIP2("kBZip2Compression"),
  /** LZ4: fast; the engine's default. */
  LZ4("kLZ4Compression"),
  /** LZ4, compressed more slowly and more. */
  LZ4HC("kLZ4HCCompression"),
  /** Zstandard: compresses well. */
  ZSTD("kZSTD");

  private final String id;

  Compression(String id) {
    this.id = id;
  }

  /**
   * The engine's name for it.
   *
   * @return the name in option texts
   */
  public String id() {
    return id;
  }
}
