/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import org.rocksdb.AbstractEventListener;

/** A listener for flushes, like Apache Ignite's listener. */
final class FlushListener extends AbstractEventListener {
  FlushListener() {
    super(EnabledEventCallback.ON_FLUSH_BEGIN, EnabledEventCallback.ON_FLUSH_COMPLETED);
  }
}
