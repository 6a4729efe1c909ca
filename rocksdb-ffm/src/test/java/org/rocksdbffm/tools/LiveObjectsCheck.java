/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.rocksdbffm.internal.leak.LiveObjects;

/**
 * Asserts that a test, and a test class, leaves no native object that a close destroys; what an arena of the
 * collector's
 * pins is waited for. FamilyOptions, which are reclaimed with their Java objects, need not be gone yet.
 */
public final class LiveObjectsCheck
    implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
  private static final int ATTEMPTS = 200;
  private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(LiveObjectsCheck.class);

  @Override
  public void beforeAll(ExtensionContext context) {
    context.getStore(NAMESPACE).put("before", closed());
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    beforeAll(context);
  }

  @Override
  public void afterEach(ExtensionContext context) throws InterruptedException {
    afterAll(context);
  }

  @Override
  public void afterAll(ExtensionContext context) throws InterruptedException {
    @SuppressWarnings("unchecked")
    Map<LiveObjects, Long> before = (Map<LiveObjects, Long>) context.getStore(NAMESPACE).get("before");
    for (int i = 0; i < ATTEMPTS && !addedTo(before).isEmpty(); i++) {
      collect();
    }
    assertEquals(Map.of(), addedTo(before), context.getDisplayName() + " leaves native objects");
  }

  /** The kinds with more live objects than before; others may have fewer, if an earlier test's were reclaimed. */
  private static Map<LiveObjects, Long> addedTo(Map<LiveObjects, Long> before) {
    Map<LiveObjects, Long> alive = closed();
    alive.entrySet().removeIf(kind -> kind.getValue() <= before.getOrDefault(kind.getKey(), 0L));
    return alive;
  }

  /** Lets the collector reclaim, whose own threads cannot be waited for otherwise. */
  public static void collect() throws InterruptedException {
    System.gc();
    Thread.sleep(20);
  }

  public static void awaitNone() throws InterruptedException {
    for (int i = 0; i < ATTEMPTS && !closed().isEmpty(); i++) {
      collect();
    }
    assertNone();
  }

  /** Waits until no object of any kind is alive, including objects that are reclaimed with their Java objects. */
  public static void awaitNothing() throws InterruptedException {
    for (int i = 0; i < ATTEMPTS && !LiveObjects.report().isEmpty(); i++) {
      collect();
    }
    assertEquals(Map.of(), LiveObjects.report(), "live native objects");
  }

  /** The numbers of live objects, of the kinds that a close destroys. */
  public static Map<LiveObjects, Long> closed() {
    Map<LiveObjects, Long> alive = new TreeMap<>(LiveObjects.report());
    alive.keySet().removeIf(kind -> !kind.isClosed());
    return alive;
  }

  /** Asserts that there is none at all. */
  public static void assertNone() {
    assertEquals(Map.of(), closed(), "live native objects");
  }
}
