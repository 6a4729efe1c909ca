/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.options;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Chooses values of options: supported, just out of bounds, of another type, or with characters of the syntax. */
final class Values {
  private static final List<String> BEYOND =
      List.of(
          "-1", "0", "1", "-2", "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296",
          "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615",
          "18446744073709551616", "1k", "-1k", "100k", "1K", "4M", "1G", "1T", "16777215T", "0x10", "1.5", "1e3", "+5",
          "1 000", "٣");
  private static final List<String> DOUBLES =
      List.of("0", "1", "-1", "0.5", "NaN", "nan", "inf", "-inf", "1e308", "1e-308", "0.1k", "1,5", "-0");
  private static final List<String> OTHERS =
      List.of(
          "", " ", "true", "false", "TRUE", "yes", "nullptr", "null", "{}", "{", "}", "{{}}", "\\", "a=b", ";", "a;b=c",
          "1;comparator=rocksdb.ReverseBytewiseComparator", "{1};write_buffer_size=1", "1}", "\u0000", "1\n", "\ud800",
          "id=x", "{id=x;}", ":", "::", "1:2:3", ",", "#", "%s", "é", "a b");
  private static final List<String> OBJECTS =
      List.of(
          "PlainTable", "CuckooTable", "BlockBasedTable", "AdaptiveTable", "vector", "vector:-1", "vector:1000000",
          "prefix_hash", "prefix_hash:0", "hash_linkedlist", "hash_linkedlist:-1", "cuckoo", "skip_list:-1",
          "skip_list:65537", "skip_list:99999999999", "{id=SkipListFactory;lookahead=-1}", "bloomfilter:10",
              "bloomfilter:-1",
          "bloomfilter:1e300", "bloomfilter:nan:false", "bloomfilter:101", "ribbonfilter:10:-2", "ribbonfilter:10:5",
          "ribbonfilter:0", "stringappend", "stringappendtest", "uint64add", "max", "put", "sortlist", "cassandra",
          "fixed:0", "fixed:-1", "fixed:65537", "fixed:99999999999999999999", "capped:4", "rocksdb.FixedPrefix.8",
          "rocksdb.Noop", "rocksdb.ReverseBytewiseComparator", "leveldb.BytewiseComparator",
              "reverse.leveldb.BytewiseComparator",
          "leveldb.BytewiseComparator.u64ts", "RemoveEmptyValueCompactionFilter", "FileChecksumGenCrc32cFactory",
          "SstPartitionerFixedPrefixFactory", "FlushBlockEveryKeyPolicyFactory", "LRUCache", "HyperClockCache",
          "CompactOnDeletionCollector", "posix", "Default", "EncryptedFileSystem");
  private static final List<String> TIMES =
      List.of("", "10:00-12:00", "23:30-01:00", "25:00-26:00", "1-2", "10:00-10:00", "00:00-23:59");

  /** The case's folder, and paths in it. */
  private static final List<String> PATHS =
      List.of(OptionCase.FOLDER + "/wal", OptionCase.FOLDER, OptionCase.FOLDER + "/a/b/c", "relative", "",
          OptionCase.FOLDER + "/é", "./x/../y");

  private static final String SUFFIXES = "kmgt";

  private final Random random;

  Values(Random random) {
    this.random = random;
  }

  /** Returns a random value, mostly a supported one. */
  String of(KnownOption option) {
    int kind = random.nextInt(20);
    if (kind < 13) {
      return supported(option);
    }
    if (kind < 18) {
      return ofType(option);
    }
    return kind < 19 ? any(OTHERS) : supported(option) + any(OTHERS);
  }

  private String any(List<String> values) {
    return values.get(random.nextInt(values.size()));
  }

  private String supported(KnownOption option) {
    if (!option.parts().isEmpty() && (!option.type().startsWith("object") || random.nextInt(3) == 0)) {
      return parts(option);
    }
    String one = any(option.supported());
    if (one.equals("-") || random.nextInt(12) == 0) {
      return option.defaultValue().equals("-") ? "" : option.defaultValue();
    }
    if (one.equals("*")) {
      return ofType(option);
    }
    if (option.type().equals("words")) {
      return random.nextInt(3) == 0 ? one + ":" + any(option.supported()) : one;
    }
    if (one.contains("<") || one.contains("[")) {
      return filledIn(one);
    }
    return one.contains("..") ? within(one) : one;
  }

  private String parts(KnownOption option) {
    List<String> parts = new ArrayList<>();
    if (option.type().startsWith("object")) {
      parts.add("id=" + any(option.supported()).replaceAll(":.*", ""));
    }
    for (int i = random.nextInt(3); i >= 0; i--) {
      KnownOption part = option.parts().get(random.nextInt(option.parts().size()));
      if (part.parts().isEmpty()) {
        parts.add(part.name() + "=" + of(part));
      }
    }
    String inside = String.join(";", parts);
    return random.nextInt(6) == 0 ? inside : "{" + inside + "}";
  }

  /** Replaces the bounds in a word, such as {@code fixed:<1..64k>}, by a number. */
  private String filledIn(String word) {
    StringBuilder text = new StringBuilder();
    for (String part : word.split("(?=[<\\[])|(?<=[>\\]])")) {
      boolean isBounds = part.startsWith("<") || part.startsWith("[");
      text.append(isBounds ? within(part.substring(1, part.length() - 1)) : part);
    }
    return text.toString();
  }

  /** Returns a number at or near a bound, or between the bounds, there with a uniform number of digits. */
  private String within(String bounds) {
    String[] ends = bounds.split("\\.\\.");
    if (ends[0].contains(".") || ends[1].contains(".") || ends[1].equals("1")) {
      return any(List.of(ends[0].replace("*", "0"), ends[1], "0.5", ends[1] + "1"));
    }
    BigInteger least = number(ends[0]);
    BigInteger most = ends[1].equals("*") ? BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE) : number(ends[1]);
    BigInteger size = most.subtract(least);
    BigInteger chosen =
        switch (random.nextInt(8)) {
          case 0 -> least;
          case 1 -> most;
          case 2 -> least.subtract(BigInteger.ONE);
          case 3 -> most.add(BigInteger.ONE);
          default -> least.add(new BigInteger(1 + random.nextInt(Math.max(1, size.bitLength())), random)).min(most);
        };
    return written(chosen);
  }

  private String written(BigInteger number) {
    if (random.nextInt(8) == 0) {
      return number.shiftRight(10) + "k";
    }
    return random.nextInt(20) == 0 ? " " + number : number.toString();
  }

  private static BigInteger number(String text) {
    int suffix = SUFFIXES.indexOf(text.charAt(text.length() - 1));
    String digits = suffix < 0 ? text : text.substring(0, text.length() - 1);
    return new BigInteger(digits).shiftLeft(10 * (suffix + 1));
  }

  /** Returns a value of the option's type, supported or not. */
  private String ofType(KnownOption option) {
    String type = option.type().replaceAll(":.*", "");
    return switch (type) {
      case "bool" -> any(List.of("true", "false", "true", "false", "1", "0"));
      case "int", "uint", "uint8", "long", "ulong", "ignored" -> random.nextInt(3) == 0 ? any(BEYOND) : within("0..4g");
      case "double" -> any(DOUBLES);
      case "times" -> any(TIMES);
      case "path" -> any(PATHS);
      case "text" -> any(List.of("x", "a b", "é", "x".repeat(300)));
      case "object" -> any(OBJECTS);
      case "struct", "cache" -> option.parts().isEmpty() ? "1M" : parts(option);
      default -> {
        String word = any(KnownOption.words());
        yield random.nextInt(4) == 0 ? word.toLowerCase() : word;
      }
    };
  }
}
