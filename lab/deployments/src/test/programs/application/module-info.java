/* Licensed under the Apache License, Version 2.0; see LICENSE. */

module application {
  requires org.rocksdbffm.compat;
  requires org.rocksdbffm.netty;
}
