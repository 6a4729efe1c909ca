/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.rocksdbffm.internal.LiveObjects;

/**
 * Asserts that a test class leaves no native object that a close destroys. Objects that are reclaimed with
 * their Java objects need not be gone yet.
 */
public final class LiveObjectsCheck implements BeforeAllCallback, AfterAllCallback {
  private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(LiveObjectsCheck.class);

  @Override
  public void beforeAll(ExtensionContext context) {
    context.getStore(NAMESPACE).put("before", closed());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    assertEquals(context.getStore(NAMESPACE).get("before"), closed(), context.getDisplayName() + " leaves native objects");
  }

  /** What is alive of the kinds that a close destroys. */
  static Map<LiveObjects, Long> closed() {
    Map<LiveObjects, Long> alive = new TreeMap<>(LiveObjects.report());
    alive.keySet().removeIf(kind -> !kind.isClosed());
    return alive;
  }

  /** Asserts that there is none at all. */
  static void assertNone() {
    assertEquals(Map.of(), closed(), "live native objects");
  }
}
