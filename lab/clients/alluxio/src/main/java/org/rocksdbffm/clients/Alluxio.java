/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import alluxio.master.file.contexts.CreateDirectoryContext;
import alluxio.master.file.contexts.CreateFileContext;
import alluxio.master.file.meta.InodeView;
import alluxio.master.file.meta.MutableInodeDirectory;
import alluxio.master.file.meta.MutableInodeFile;
import alluxio.master.journal.checkpoint.CheckpointInputStream;
import alluxio.master.metastore.BlockMetaStore;
import alluxio.master.metastore.InodeStore.WriteBatch;
import alluxio.master.metastore.ReadOption;
import alluxio.master.metastore.rocks.RocksBlockMetaStore;
import alluxio.master.metastore.rocks.RocksInodeStore;
import alluxio.proto.meta.Block.BlockLocation;
import alluxio.proto.meta.Block.BlockMeta;
import alluxio.resource.CloseableIterator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;

/** A master's metadata: blocks with their locations, and the file tree, written to a checkpoint and restored. */
final class Alluxio {
  private static final int FILES = 1500;

  private Alluxio() {}

  public static void main(String[] arguments) throws Exception {
    blocks();
    inodes();
    System.exit(0); // Alluxio's thread pools are never shut down
  }

  private static void blocks() throws Exception {
    RocksBlockMetaStore blocks = new RocksBlockMetaStore(new File("blocks").getAbsolutePath());
    for (long block = 0; block < FILES; block++) {
      blocks.putBlock(block, BlockMeta.newBuilder().setLength(block * 7).build());
      for (long worker = 0; worker < block % 4; worker++) {
        blocks.addLocation(block, BlockLocation.newBuilder().setWorkerId(worker).setTier("MEM").build());
      }
    }
    read("blocks", blocks);
    for (long block = 0; block < FILES; block += 3) {
      blocks.removeBlock(block);
    }
    blocks.removeLocation(7, 1);
    read("blocks removed", blocks);
    ByteArrayOutputStream checkpoint = new ByteArrayOutputStream();
    blocks.writeToCheckpoint(checkpoint);
    blocks.clear();
    read("blocks cleared", blocks);
    blocks.restoreFromCheckpoint(new CheckpointInputStream(new ByteArrayInputStream(checkpoint.toByteArray())));
    read("blocks restored", blocks);
    blocks.close();
  }

  private static void read(String step, RocksBlockMetaStore blocks) {
    Answers answers = new Answers();
    try (CloseableIterator<BlockMetaStore.Block> all = blocks.getCloseableIterator()) {
      while (all.hasNext()) {
        BlockMetaStore.Block block = all.next();
        answers.row(block.getId(), block.getMeta().getLength());
        blocks.getLocations(block.getId()).forEach(place -> answers.row(place.getWorkerId(), place.getTier()));
      }
    }
    answers.row(blocks.size(), blocks.getBlock(3).isPresent(), blocks.getBlock(4).isPresent());
    answers.end(step);
  }

  private static void inodes() throws Exception {
    RocksInodeStore inodes = new RocksInodeStore(new File("inodes").getAbsolutePath());
    inodes.writeInode(MutableInodeDirectory.create(0, -1, "", CreateDirectoryContext.defaults()));
    try (WriteBatch batch = inodes.createWriteBatch()) {
      for (long file = 1; file <= FILES; file++) {
        batch.writeInode(file(file));
        batch.addChild(0L, "file-" + file, file);
      }
      batch.commit();
    }
    read("inodes", inodes);
    for (long file = 1; file <= FILES; file += 4) {
      inodes.remove(file);
      inodes.removeChild(0, "file-" + file);
    }
    read("inodes removed", inodes);
    ByteArrayOutputStream checkpoint = new ByteArrayOutputStream();
    inodes.writeToCheckpoint(checkpoint);
    inodes.clear();
    read("inodes cleared", inodes);
    inodes.restoreFromCheckpoint(new CheckpointInputStream(new ByteArrayInputStream(checkpoint.toByteArray())));
    read("inodes restored", inodes);
    inodes.close();
  }

  private static MutableInodeFile file(long number) {
    return MutableInodeFile.create(number, 0, "file-" + number, 0, CreateFileContext.defaults());
  }

  private static void read(String step, RocksInodeStore inodes) {
    Answers answers = new Answers();
    try (CloseableIterator<InodeView> all = inodes.getCloseableIterator()) {
      while (all.hasNext()) {
        InodeView inode = all.next();
        answers.row(inode.getId(), inode.getName(), inode.isFile());
      }
    }
    try (CloseableIterator<Long> children = inodes.getChildIds(0L,
        ReadOption.newBuilder().setReadFrom("file-3").build())) {
      while (children.hasNext()) {
        answers.row(children.next());
      }
    }
    answers.row(inodes.getChildId(0L, "file-8", ReadOption.defaults()),
        inodes.getChildId(0L, "none", ReadOption.defaults()));
    answers.end(step);
  }
}
