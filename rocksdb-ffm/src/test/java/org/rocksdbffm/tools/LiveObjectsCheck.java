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
 * Asserts that each test and test class leaves no native object that a close destroys. Waits for values that automatic
 * arenas pin. Native objects that are reclaimed with their Java objects, such as options, may still exist.
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

  /**
   * Returns the kinds with more live objects than before; other kinds may have fewer, because objects of earlier tests
   * were reclaimed.
   */
  private static Map<LiveObjects, Long> addedTo(Map<LiveObjects, Long> before) {
    Map<LiveObjects, Long> alive = closed();
    alive.entrySet().removeIf(kind -> kind.getValue() <= before.getOrDefault(kind.getKey(), 0L));
    return alive;
  }

  /** Runs the garbage collector, and waits shortly for the threads that reclaim objects. */
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

  /** Returns the numbers of live objects, for kinds that a close destroys. */
  public static Map<LiveObjects, Long> closed() {
    Map<LiveObjects, Long> alive = new TreeMap<>(LiveObjects.report());
    alive.keySet().removeIf(kind -> !kind.isClosed());
    return alive;
  }

  /** Asserts that no native object that a close destroys is alive. */
  public static void assertNone() {
    assertEquals(Map.of(), closed(), "live native objects");
  }
}
