/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.fuzz;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyCodec;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.internal.options.table.OptionText;
import org.rocksdbffm.server.protocol.ClientRequest;
import org.rocksdbffm.server.protocol.RefusedRequest;
import org.rocksdbffm.server.protocol.RequestDecoder;
import org.rocksdbffm.server.protocol.RequestMemory;
import org.rocksdbffm.server.protocol.ServerLimits;

/** The parsers in Java. An input is rejected as documented, or parsed and written to the same bytes. */
enum Target {
  /** Options texts: the library must parse every option that the engine accepts. */
  OPTIONS {
    @Override
    List<byte[]> seeds() {
      return bytes(
          "write_buffer_size=8M;compression=kZSTD;max_open_files=-1",
          "block_based_table_factory={block_size=16K;filter_policy=bloomfilter:10:false};num_levels=7",
          "memtable_factory={id=skip_list;lookahead=3};merge_operator={id=StringAppendOperator;delimiter=,}",
          "compression_opts={level=3;max_dict_bytes=16384};wal_dir=/tmp/x;ttl=0x10");
    }

    @Override
    void run(byte[] input) {
      String text = new String(input, StandardCharsets.UTF_8);
      int equals = text.indexOf('=');
      boolean isOfEngine = OptionText.isWellFormed(text) && equals > 0
          && isOfEngine(text.substring(0, equals), text.substring(equals + 1));
      Map<String, String> parsed = rejects("options: ", () -> OptionText.parse(text));
      require(parsed != null || !isOfEngine, "the engine takes " + text);
      if (parsed != null && parsed.values().stream().allMatch(value -> OptionText.enclosed(value) != null)) {
        Map<String, String> again = OptionText.parse(OptionText.format(parsed));
        again.replaceAll((name, value) -> OptionText.enclosed(parsed.get(name)).equals(value) ? parsed.get(name)
            : value);
        require(again.equals(parsed), parsed + " is then " + again);
      }
      rejects("option", () -> DatabaseOptions.parse(text));
      rejects("option", () -> FamilyOptions.parse(text));
    }

    private boolean isOfEngine(String name, String value) {
      Properties properties = new Properties();
      properties.setProperty(name, value);
      try (DBOptions database = DBOptions.getDBOptionsFromProps(properties);
          ColumnFamilyOptions family = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties)) {
        return database != null || family != null;
      } catch (IllegalArgumentException e) {
        return false;
      }
    }
  },

  BATCHES {
    @Override
    List<byte[]> seeds() {
      WriteBatch batch = new WriteBatch();
      batch.put(new byte[] {1}, new byte[300]);
      batch.merge(new byte[] {2}, new byte[] {3});
      batch.singleDelete(new byte[0]);
      batch.deleteRange(new byte[] {1}, new byte[] {2});
      return List.of(batch.toBytes(), new WriteBatch().toBytes());
    }

    @Override
    void run(byte[] input) {
      WriteBatch batch = rejects("bytes: ", () -> WriteBatch.from(MemorySegment.ofArray(input)));
      if (batch != null) {
        byte[] bytes = batch.toBytes();
        WriteBatch again = WriteBatch.from(MemorySegment.ofArray(bytes));
        require(again.count() == batch.count() && Arrays.equals(again.toBytes(), bytes), "a batch is another one then");
      }
    }
  },

  /** Keys: the first byte is the number of a codec. */
  KEYS {
    private record Two(String text, Instant instant) {}

    private static final List<KeyCodec<?>> CODECS =
        List.of(
            KeyCodec.bool(), KeyCodec.int16(), KeyCodec.int32().descending(), KeyCodec.uint32(), KeyCodec.uint64(),
            KeyCodec.float32(), KeyCodec.float64().descending(), KeyCodec.string(), KeyCodec.string()
                .descending(), KeyCodec.uuid(),
            KeyCodec.duration(), KeyCodec.date(), KeyCodec.dateTime().descending(),
            KeyCodec.tuple(KeyCodec.string().descending().of(Two::text), KeyCodec.instant().of(Two::instant),
                Two::new));

    @Override
    List<byte[]> seeds() {
      return bytes("\u0000\u0001", "\u0005\u00ff\u00c0\u0000\u0000", "\u0007text",
          "\u0006\u0000\u0007\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff");
    }

    @Override
    void run(byte[] input) {
      if (input.length > 0) {
        check(CODECS.get((input[0] & 0xff) % CODECS.size()), Arrays.copyOfRange(input, 1, input.length));
      }
    }

    private <T> void check(KeyCodec<T> codec, byte[] key) {
      T value = rejects("bytes", () -> codec.decode(key));
      require(value == null
          || Arrays.equals(key, codec.encode(value)), Arrays.toString(key) + " is " + value + ", of another key");
    }
  },

  /** The server's protocol, in pieces of several sizes; all memory must be released. */
  REQUESTS {
    private static final ServerLimits LIMITS =
        ServerLimits.DEFAULT.with("--max-argument", 1_000).with("--max-key", 100).with("--max-arguments", 20);

    @Override
    List<byte[]> seeds() {
      return bytes(
          "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$5\r\nvalue\r\n*2\r\n$3\r\nGET\r\n$1\r\na\r\n",
          "get a\r\n\r\nmget a b\nSCAN 0 MATCH a[^b-c]*\\? COUNT 7\r\n",
          "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1001\r\n" + "v".repeat(1001) + "\r\n*1\r\n$4\r\nPING\r\n");
    }

    @Override
    void run(byte[] input) {
      List<String> whole = commands(input, input.length);
      require(commands(input, 1).equals(whole)
          && commands(input, 7).equals(whole), "other commands in pieces than " + whole);
    }

    private List<String> commands(byte[] input, int piece) {
      RequestMemory memory = new RequestMemory(1 << 20);
      EmbeddedChannel channel = new EmbeddedChannel(new RequestDecoder(LIMITS, memory));
      List<String> commands = new ArrayList<>();
      try {
        for (int at = 0; at < input.length; at += piece) {
          channel.writeInbound(Unpooled.copiedBuffer(input, at, Math.min(piece, input.length - at)));
        }
      } catch (RefusedRequest e) {
        commands.add(e.getMessage());
      }
      for (ClientRequest command = channel.readInbound(); command != null; command = channel.readInbound()) {
        commands.add(command.refusal() + command.arguments().stream().map(ByteBufUtil::hexDump).toList());
        command.release();
      }
      channel.finishAndReleaseAll();
      require(memory.bytes() == 0, memory.bytes() + " bytes are still counted");
      return commands;
    }
  },

  MANIFEST,
  LOG,
  OPTIONS_FILE;

  private static final Map<Target, StoredFile> FILES = new HashMap<>();

  private interface Parser<T> {
    T parse();
  }

  /** Returns the initial inputs. */
  List<byte[]> seeds() throws Exception {
    return List.of(file().original());
  }

  /** Parses an input; throws an exception if the result is wrong. */
  void run(byte[] input) throws Exception {
    file().read(input);
  }

  private StoredFile file() {
    return FILES.computeIfAbsent(this, StoredFile::new);
  }

  private static List<byte[]> bytes(String... texts) {
    return Stream.of(texts).map(text -> text.getBytes(StandardCharsets.ISO_8859_1)).toList();
  }

  /** Returns the parser's result; null if it rejects the input with a message that contains the name. */
  private static <T> T rejects(String name, Parser<T> parser) {
    try {
      return parser.parse();
    } catch (IllegalArgumentException e) {
      require(String.valueOf(e.getMessage()).contains(name), "a rejection names no " + name + ": " + e);
      return null;
    }
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
