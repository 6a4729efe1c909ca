/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/** The compressions of blocks. The published engine supports all of them. */
public enum Compression {
  /** No compression. */
  NONE("kNoCompression"),
  /** Snappy: fast. */
  SNAPPY("kSnappyCompression"),
  /** Zlib. */
  ZLIB("kZlibCompression"),
  /** Bzip2: slow. */
  BZIP2("kBZip2Compression"),
  /** LZ4: fast; the engine's default. */
  LZ4("kLZ4Compression"),
  /** LZ4 with a better ratio, but slower. */
  LZ4HC("kLZ4HCCompression"),
  /** Zstandard: a good ratio. */
  ZSTD("kZSTD");

  private final String id;

  Compression(String id) {
    this.id = id;
  }

  /**
   * Returns the engine's name of the compression.
   *
   * @return the name in option texts
   */
  public String id() {
    return id;
  }
}
