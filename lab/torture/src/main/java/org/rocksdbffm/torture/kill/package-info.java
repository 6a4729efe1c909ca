/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Writers that are killed at any time, and the check that their acknowledged writes survive. */
package org.rocksdbffm.torture.kill;
