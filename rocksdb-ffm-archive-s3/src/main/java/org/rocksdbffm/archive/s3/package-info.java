/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Archives of databases in buckets of Amazon S3, and of servers with its protocol and its conditional writes. */
package org.rocksdbffm.archive.s3;
