/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;

/** Ties the lifetimes of objects together, as the table of lifetimes says of upstream's methods. */
public final class Bonds {
  private Bonds() {}

  /** A parent closes its child before itself. */
  public static void adopts(Object parent, Object child) {
    Guard.adopt(Natives.guard(parent), Natives.guard(child));
  }

  /** The engine goes on to point at what was set; null takes the place of what was set before. */
  public static void keeps(Object owner, String what, Object kept) {
    Natives.guard(owner).keep(what, kept == null ? null : Natives.guard(kept));
  }

  /** Who uses an object uses the other too; null ends that. */
  public static void uses(Object object, Object other) {
    Natives.guard(object).accompaniedBy(other == null ? null : Natives.guard(other));
  }

  /** A borrowed object, which may be null, lives in another. */
  public static void lends(Object borrowed, Object lender) {
    if (borrowed != null) {
      Natives.guard(borrowed).livesIn(Natives.guard(lender));
    }
  }

  /** An object points at whatever the other points at; of no meaning for what holds nothing native. */
  public static void inherits(Object heir, Object from) {
    if (heir instanceof List<?> heirs) {
      heirs.forEach(its -> inherits(its, from));
    } else if (from instanceof List<?> all) {
      all.forEach(its -> inherits(heir, its));
    } else if (from instanceof ColumnFamilyDescriptor descriptor) {
      inherits(heir, descriptor.getOptions());
    } else {
      Guard keeper = Natives.guard(from);
      if (keeper != null) {
        Natives.guard(heir).inherit(keeper);
      }
    }
  }
}
