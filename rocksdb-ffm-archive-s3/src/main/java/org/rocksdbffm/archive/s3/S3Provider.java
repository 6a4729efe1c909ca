/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import org.rocksdbffm.archive.ObjectStore;
import org.rocksdbffm.archive.StoreProvider;

/**
 * Opens {@code s3://bucket/prefix}, optionally followed by {@code ?region=eu-central-1},
 * {@code ?endpoint=https://minio.example.com} or {@code ?path-style=false}; several options are separated by {@code &}.
 * Credentials are found by Amazon's SDK.
 */
public final class S3Provider implements StoreProvider {
  /** Creates the provider; called by {@link java.util.ServiceLoader}. */
  public S3Provider() {}

  @Override
  public String scheme() {
    return "s3";
  }

  @Override
  public ObjectStore open(URI where) throws IOException {
    return S3Store.open(options(where));
  }

  static S3Store.Options options(URI where) {
    String bucket = where.getAuthority();
    if (bucket == null || bucket.contains("@") || bucket.contains(":")) {
      throw new IllegalArgumentException(
          "where: '" + where + "', but it must be s3://bucket/prefix; credentials are in the environment or a profile");
    }
    String prefix = where.getPath().replaceAll("^/+|/+$", "");
    S3Store.Options options = S3Store.Options.of(bucket).prefix(prefix);
    if (where.getRawQuery() == null) {
      return options;
    }
    Boolean inPath = null;
    for (String parameter : where.getRawQuery().split("&")) {
      String[] pair = parameter.split("=", 2);
      String value = pair.length == 2 ? URLDecoder.decode(pair[1], UTF_8) : "";
      switch (pair[0]) {
        case "region" -> options = options.region(value);
        case "endpoint" -> options = options.endpoint(URI.create(value));
        case "path-style" -> inPath = Boolean.valueOf(value);
        default -> throw new IllegalArgumentException(
            "where: '" + pair[0] + "' is not a parameter: only region, endpoint and path-style are");
      }
    }
    return inPath == null ? options : options.pathStyle(inPath);
  }
}
