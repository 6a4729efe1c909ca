/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Opens databases, in the order of the steps that this takes, lists what is in one, and destroys one. */
package org.rocksdbffm.internal.opening;
