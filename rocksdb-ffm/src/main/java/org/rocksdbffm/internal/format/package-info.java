/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** How the engine writes numbers, write batches and the records of logs and MANIFEST files. Pure Java, without state. */
package org.rocksdbffm.internal.format;
