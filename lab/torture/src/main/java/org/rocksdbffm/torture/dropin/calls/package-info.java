/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Calls of members of {@code org.rocksdb}: the members, their arguments, and runs of many calls. */
package org.rocksdbffm.torture.dropin.calls;
