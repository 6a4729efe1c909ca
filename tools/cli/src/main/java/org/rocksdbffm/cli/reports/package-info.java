/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Commands that report about a database: sizes, files, options, WAL and info log. */
package org.rocksdbffm.cli.reports;
