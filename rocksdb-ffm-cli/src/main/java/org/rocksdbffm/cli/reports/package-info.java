/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Commands that say what a database is like: sizes, files, options, logs, events. */
package org.rocksdbffm.cli.reports;
