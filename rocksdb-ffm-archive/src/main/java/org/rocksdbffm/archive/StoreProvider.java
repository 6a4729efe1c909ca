/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;
import java.net.URI;

/**
 * Opens stores by URIs of one scheme, for {@link ObjectStore#at}. A module registers its provider with {@link
 * java.util.ServiceLoader}.
 */
public interface StoreProvider {
  /**
   * Returns the scheme.
   *
   * @return such as {@code s3}, in lower case
   */
  String scheme();

  /**
   * Opens a store.
   *
   * @param where a URI of the scheme; its path, if the scheme has one, is a prefix of all names
   * @return the store, which the caller <em>owns</em> and must close
   * @throws IOException if the store cannot be opened
   * @throws IllegalArgumentException if the URI is wrong
   */
  ObjectStore open(URI where) throws IOException;
}
