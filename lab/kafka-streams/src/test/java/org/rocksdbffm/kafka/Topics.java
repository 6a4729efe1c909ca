/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kafka;

/** The topics of one {@link StatefulApp}, whose names begin with the same prefix. */
record Topics(String prefix) {
  String records() {
    return prefix + "-records";
  }

  String others() {
    return prefix + "-others";
  }

  String table() {
    return prefix + "-table";
  }

  String joined() {
    return prefix + "-joined";
  }
}
