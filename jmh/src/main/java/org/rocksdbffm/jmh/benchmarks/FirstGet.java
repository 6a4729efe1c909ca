/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.rocksdb.RocksDB;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.internal.loader.NativeLibrary;
import org.rocksdbffm.jmh.engines.capi.NativeBinding;
import org.rocksdbffm.jmh.engines.capi.NativeLoops;
import org.rocksdbffm.jmh.engines.ffm.FfmBinding;
import org.rocksdbffm.jmh.engines.jni.JniBinding;
import org.rocksdbffm.jmh.work.Binding;
import org.rocksdbffm.jmh.work.Checksum;
import org.rocksdbffm.jmh.work.DataPlace;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.Tuning;

/**
 * A minimal program that opens a database and reads one value twice. Prints the nanoseconds for loading the engine,
 * opening the database, the first get and the second get, and the value's checksum. {@code jmh/native/src/first_get.c}
 * is the same program without a JVM.
 */
public final class FirstGet {
  private static final DataSet DATA = DataSet.ofSize(1, 100);

  private final long[] times = new long[5];
  private int count;

  private FirstGet() {}

  /**
   * Runs the program.
   *
   * @param arguments jni or ffm, and the folder of the data sets
   */
  public static void main(String[] arguments) throws Exception {
    FirstGet program = new FirstGet();
    program.lap();
    Path folder = folder(Path.of(arguments[1]));
    long look =
        arguments[0].equals(Binding.JNI) ? program.jni(folder, key()) : program.ffm(folder, key());
    StringBuilder line = new StringBuilder();
    for (int i = 1; i < program.count; i++) {
      line.append(program.times[i] - program.times[i - 1]).append(' ');
    }
    System.out.println(line.append(look));
    System.out.flush();
  }

  /** Writes the database that the program reads, unless it exists. */
  public static void prepare(Path dataFolder) throws Exception {
    DataSetFiles.main(
        new String[] {dataFolder.toString(), "1", Integer.toString(DATA.valueSize()), DataPlace.CACHE.name()});
  }

  /** Returns the command of the program without a JVM. */
  public static List<String> nativeCommand(Path dataFolder) {
    Tuning tuning = Tuning.forReading(DataPlace.CACHE);
    return List.of(
        NativeLoops.firstGetProgram().toString(),
        NativeLibrary.engine().toString(),
        folder(dataFolder).toString(),
        NativeBinding.optionText(tuning),
        Long.toString(tuning.cacheSize()),
        HexFormat.of().formatHex(key()));
  }

  /** Returns the checksum that the program must print for the value. */
  public static long look() {
    return DATA.look(0);
  }

  private static Path folder(Path dataFolder) {
    return DataSetFiles.folder(dataFolder, DATA, DataPlace.CACHE);
  }

  private static byte[] key() {
    return DATA.key(0);
  }

  private void lap() {
    times[count++] = System.nanoTime();
  }

  private long jni(Path folder, byte[] key) throws Exception {
    RocksDB.loadLibrary();
    lap();
    JniBinding binding = new JniBinding(folder, Tuning.forReading(DataPlace.CACHE));
    RocksDB db = binding.db();
    lap();
    long look = Checksum.at(db.get(key));
    lap();
    long again = Checksum.at(db.get(key));
    lap();
    binding.close();
    return look == again ? look : -1;
  }

  private long ffm(Path folder, byte[] key) {
    NativeLibrary.load();
    lap();
    FfmBinding binding = new FfmBinding(folder, Tuning.forReading(DataPlace.CACHE));
    RocksDb db = binding.db();
    lap();
    long look = Checksum.at(db.get(key));
    lap();
    long again = Checksum.at(db.get(key));
    lap();
    binding.close();
    return look == again ? look : -1;
  }
}
