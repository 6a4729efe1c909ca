/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.calls;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdbffm.torture.dropin.steps.CallStep;

/**
 * Initial steps of cases, which create objects to misuse. {@code %F} represents the case's folder; a name in braces
 * represents the number of the step that has the name before a colon.
 */
public final class Recipes {
  private static final Pattern NAME = Pattern.compile("\\{([a-z]+)}");

  private static final String OPTIONS =
      """
      o: Options()
      Options.setCreateIfMissing(boolean) ${o} true
      ro: ReadOptions()
      wo: WriteOptions()
      """;

  private static final String ROWS =
      """
      RocksDB.put(byte[],byte[]) ${d} x6b31 x7631
      RocksDB.put(byte[],byte[]) ${d} x6b32 x76*5000
      f: ColumnFamilyDescriptor(byte[]) x636630
      h: RocksDB.createColumnFamily(ColumnFamilyDescriptor) ${d} ${f}
      RocksDB.put(ColumnFamilyHandle,byte[],byte[]) ${d} ${h} x6b33 x7633
      i: RocksDB.newIterator(ColumnFamilyHandle) ${d} ${h}
      AbstractRocksIterator.seekToFirst() ${i}
      s: RocksDB.getSnapshot() ${d}
      """;

  /**
   * Returns steps that open a database with a list of families, whose handles are {@code ${d}.0} and {@code ${d}.1}.
   */
  private static String listed(String more, String open) {
    return """
        o: DBOptions()
        DBOptions.setCreateIfMissing(boolean) ${o} true
        DBOptions.setCreateMissingColumnFamilies(boolean) ${o} true
        ro: ReadOptions()
        wo: WriteOptions()
        co: ComparatorOptions()
        r: ReverseBytewiseComparator(ComparatorOptions) ${co}
        p: ColumnFamilyOptions()
        ColumnFamilyOptions.setMergeOperatorName(String) ${p} "stringappend"
        q: ColumnFamilyOptions()
        ColumnFamilyOptions.setComparator(AbstractComparator) ${q} ${r}
        a: ColumnFamilyDescriptor(byte[],ColumnFamilyOptions) x64656661756c74 ${p}
        b: ColumnFamilyDescriptor(byte[],ColumnFamilyOptions) x636631 ${q}
        """ + more + "d: " + open + """
         [${a},${b}] []
        RocksDB.put(byte[],byte[]) ${d} x6b31 x7631
        RocksDB.put(ColumnFamilyHandle,byte[],byte[]) ${d} ${d}.1 x6b31 x7631
        i: RocksDB.newIterator() ${d}
        w: WriteBatchWithIndex(boolean) true
        AbstractWriteBatch.setSavePoint() ${w}
        AbstractWriteBatch.put(ColumnFamilyHandle,byte[],byte[]) ${w} ${d}.1 x6b31 x7631
        AbstractWriteBatch.put(ColumnFamilyHandle,byte[],byte[]) ${w} ${d}.1 x6b32 x7631
        AbstractWriteBatch.merge(byte[],byte[]) ${w} x6b31 x7631
        WriteBatchWithIndex.newIteratorWithBase(RocksIterator) ${w} ${i}
        """;
  }

  private static String listedWithLocks(String policy) {
    return listed(
            "t: TransactionDBOptions()\nTransactionDBOptions.setWritePolicy(TxnDBWritePolicy) ${t} @" + policy + "\n",
            "TransactionDB.open(DBOptions,TransactionDBOptions,String,List,List) ${o} ${t} \"%F/db2\"")
        + """
        x: TransactionDB.beginTransaction(WriteOptions) ${d} ${wo}
        Transaction.getIterator(ReadOptions) ${x} ${ro}
        Transaction.setName(String) ${x} "listed"
        Transaction.put(ColumnFamilyHandle,byte[],byte[]) ${x} ${d}.1 x6b31 x7631
        Transaction.mergeUntracked(byte[],byte[]) ${x} x6b31 x7632
        Transaction.prepare() ${x}
        y: TransactionDB.beginTransaction(WriteOptions) ${d} ${wo}
        Transaction.getIterator() ${y}
        Transaction.mergeUntracked(byte[],byte[]) ${y} x6b31 x7632
        """;
  }

  static final List<String> ALL =
      List.of(
          OPTIONS + "d: RocksDB.open(Options,String) ${o} \"%F/db0\"\n" + ROWS,
          OPTIONS + "Options.setRecycleLogFileNum(long) ${o} #2\nd: RocksDB.open(Options,String) ${o} \"%F/db1\"\n"
          + ROWS
              + """
              fo: FlushOptions()
              RocksDB.flush(FlushOptions) ${d} ${fo}
              RocksDB.openReadOnly(String) "%F/db1"
              RocksDB.openAsSecondary(Options,String,String) ${o} "%F/db1" "%F/db5"
              """,
          OPTIONS
          + "t: TransactionDBOptions()\nd: TransactionDB.open(Options,TransactionDBOptions,String) ${o} ${t} "
          + "\"%F/db2\"\n"
              + ROWS
              + """
              x: TransactionDB.beginTransaction(WriteOptions) ${d} ${wo}
              Transaction.put(byte[],byte[]) ${x} x6b35 x7635
              Transaction.getIterator(ReadOptions,ColumnFamilyHandle) ${x} ${ro} ${h}
              y: TransactionDB.beginTransaction(WriteOptions) ${d} ${wo}
              Transaction.put(ColumnFamilyHandle,byte[],byte[]) ${y} ${h} x6b36 x7636
              """,
          OPTIONS + "d: OptimisticTransactionDB.open(Options,String) ${o} \"%F/db3\"\n" + ROWS
              + """
              x: OptimisticTransactionDB.beginTransaction(WriteOptions) ${d} ${wo}
              Transaction.put(ColumnFamilyHandle,byte[],byte[]) ${x} ${h} x6b35 x7635
              m: OptimisticTransactionDB.getBaseDB() ${d}
              n: ColumnFamilyDescriptor(byte[]) x6d6d
              p: RocksDB.createColumnFamily(ColumnFamilyDescriptor) ${m} ${n}
              RocksDB.newIterator(ColumnFamilyHandle) ${m} ${p}
              Transaction.getIterator(ReadOptions) ${x} ${ro}
              """,
          listed("", "RocksDB.open(DBOptions,String,List,List) ${o} \"%F/db0\""),
          listedWithLocks("WRITE_COMMITTED"),
          listedWithLocks("WRITE_PREPARED"),
          listedWithLocks("WRITE_UNPREPARED"),
          listed("", "OptimisticTransactionDB.open(DBOptions,String,List,List) ${o} \"%F/db3\"")
              + """
              x: OptimisticTransactionDB.beginTransaction(WriteOptions) ${d} ${wo}
              Transaction.getIterator(ReadOptions) ${x} ${ro}
              Transaction.mergeUntracked(byte[],byte[]) ${x} x6b31 x7632
              """,
          OPTIONS + "d: TtlDB.open(Options,String) ${o} \"%F/db4\"\n" + ROWS,
          OPTIONS
              + """
              m: StringAppendOperator()
              Options.setMergeOperator(MergeOperator) ${o} ${m}
              st: Statistics()
              Options.setStatistics(Statistics) ${o} ${st}
              c: LRUCache(long) #100000
              wb: WriteBufferManager(long,Cache) #1000000 ${c}
              Options.setWriteBufferManager(WriteBufferManager) ${o} ${wb}
              d: RocksDB.open(Options,String) ${o} "%F/db3"
              """
              + ROWS
              + """
              RocksDB.merge(byte[],byte[]) ${d} x6b31 x7631
              b: WriteBatchWithIndex(boolean) true
              AbstractWriteBatch.put(ColumnFamilyHandle,byte[],byte[]) ${b} ${h} x6b31 x7631
              AbstractWriteBatch.merge(byte[],byte[]) ${b} x6b31 x7631
              WriteBatchWithIndex.newIterator(ColumnFamilyHandle) ${b} ${h}
              j: RocksDB.newIterator() ${d}
              WriteBatchWithIndex.newIteratorWithBase(RocksIterator) ${b} ${j}
              """,
          """
          b: WriteBatch()
          AbstractWriteBatch.put(byte[],byte[]) ${b} x6b31 x7631
          AbstractWriteBatch.delete(byte[]) ${b} x6b32
          WriteBatch.data() ${b}
          s: Slice(byte[]) x6b31
          DirectSlice(ByteBuffer) <DIRECT:0:3:8:616263>
          """,
          OPTIONS
              + """
              e: EnvOptions()
              w: SstFileWriter(EnvOptions,Options) ${e} ${o}
              SstFileWriter.open(String) ${w} "%F/some0.sst"
              SstFileWriter.put(byte[],byte[]) ${w} x6b31 x7631
              SstFileWriter.put(byte[],byte[]) ${w} x6b32 x7632
              SstFileWriter.finish() ${w}
              r: SstFileReader(Options) ${o}
              SstFileReader.open(String) ${r} "%F/some0.sst"
              SstFileReader.newIterator(ReadOptions) ${r} ${ro}
              """,
          """
          e: Env.getDefault()
          b: BackupEngineOptions(String) "%F/backups"
          BackupEngine.open(Env,BackupEngineOptions) ${e} ${b}
          """);

  private Recipes() {}

  /** Runs a random recipe on a thread. */
  static void run(CallRun run, int thread, String folder, Random random) {
    Map<String, Integer> names = new HashMap<>();
    for (String line : ALL.get(random.nextInt(ALL.size())).lines().toList()) {
      int number = run.nextNumber();
      Matcher name = Pattern.compile("([a-z]+): (.*)").matcher(line);
      String step = line;
      if (name.matches()) {
        names.put(name.group(1), number);
        step = name.group(2);
      }
      run.run(
          CallStep.parse(
              thread + " " + number + " "
                  + NAME.matcher(step).replaceAll(each -> String.valueOf(names.get(each.group(1))))
                      .replace("%F", folder)));
    }
  }
}
