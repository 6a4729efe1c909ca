/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Calls that the relinker adds to rocksdbjni's methods, to connect the lifetimes of their objects. */
package org.rocksdbffm.compat.woven;
