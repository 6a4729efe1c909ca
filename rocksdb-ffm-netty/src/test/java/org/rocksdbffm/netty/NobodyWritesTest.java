/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.AsciiString;
import io.netty.util.ByteProcessor;
import io.netty.util.ResourceLeakDetector;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;

/** Tests that no Netty method changes the engine's bytes through a pinned buffer. */
class NobodyWritesTest {
  private static final byte[] KEY = "key".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] VALUE = new byte[2000];
  private static final byte[] EVIL = "EVIL".repeat(500).getBytes(StandardCharsets.US_ASCII);

  private static final ByteBufAllocator ALLOCATOR = new UnpooledByteBufAllocator(true);

  static {
    new Random(1).nextBytes(VALUE);
  }

  @TempDir Path folder;
  private RocksDb db;
  private int refused;

  private final ResourceLeakDetector.Level leaks = ResourceLeakDetector.getLevel();

  @BeforeEach
  void open() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED); // some calls leak buffers
    db = RocksDb.open(folder.resolve("db"));
    db.put(KEY, VALUE);
    db.flush(); // so that the buffer shows the block cache, which all readers share
  }

  @AfterEach
  void close() {
    ResourceLeakDetector.setLevel(leaks);
    db.close();
  }

  private ByteBuf pinned() {
    try (PinnedValue value = db.getPinned(KEY)) {
      return PinnedByteBuf.of(ALLOCATOR, value);
    }
  }

  /** Functions that derive another buffer of the same pinned bytes; each <em>owns</em> its argument. */
  private static final Map<String, UnaryOperator<ByteBuf>> SHAPES = new LinkedHashMap<>();

  static {
    SHAPES.put("itself", pinned -> pinned);
    SHAPES.put("slice", pinned -> pinned.slice(0, 1000));
    SHAPES.put("duplicate", ByteBuf::duplicate);
    SHAPES.put("read-only", ByteBuf::asReadOnly);
    SHAPES.put("slice of a duplicate", pinned -> pinned.duplicate().slice(1, 1500));
    SHAPES.put("swapped", NobodyWritesTest::swapped);
    SHAPES.put("unreleasable", Unpooled::unreleasableBuffer);
    SHAPES.put("composite", pinned -> ALLOCATOR.compositeBuffer().addComponent(true, pinned));
    SHAPES.put(
        "composite of two",
        pinned ->
            ALLOCATOR.compositeBuffer().addComponents(true, pinned.slice(0, 500), pinned.retainedSlice(500, 500)));
    SHAPES.put(
        "fixed composite",
        pinned -> Unpooled.wrappedUnmodifiableBuffer(pinned.slice(0, 9), pinned.retainedSlice(9, 900)));
    SHAPES.put("wrapped", Unpooled::wrappedBuffer);
    SHAPES.put("innermost", NobodyWritesTest::innermost);
  }

  @SuppressWarnings("deprecation")
  private static ByteBuf swapped(ByteBuf pinned) {
    return pinned.order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuf innermost(ByteBuf pinned) {
    ByteBuf inner = pinned.slice(0, 100).duplicate();
    while (inner.unwrap() != null) {
      inner = inner.unwrap();
    }
    return inner;
  }

  @Test
  void noMethodOfABufferWritesToIt() throws Exception {
    int called = 0;
    for (var shape : SHAPES.entrySet()) {
      for (Method method : ByteBuf.class.getMethods()) {
        if (!isOfInterest(method)) {
          continue;
        }
        for (int attempt = 0; attempt < 4; attempt++) {
          ByteBuf pinned = pinned();
          ByteBuf target = placed(shape.getValue().apply(pinned), attempt);
          called += call(shape.getKey(), method, target, arguments(method, attempt, null));
          drop(pinned);
        }
      }
    }
    int total = called;
    assertTrue(total > 5_000, () -> "only " + total + " calls");
    assertTrue(refused > 500, () -> refused + " calls were refused");
  }

  @Test
  void nobodyElseWritesToIt() throws Exception {
    List<UnaryOperator<ByteBuf>> others =
        List.of(
            any -> Unpooled.wrappedBuffer(EVIL.clone()),
            any -> ALLOCATOR.directBuffer().writeBytes(EVIL),
            any -> ALLOCATOR.heapBuffer().writeBytes(EVIL),
            any -> PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(EVIL),
            any -> PooledByteBufAllocator.DEFAULT.heapBuffer().writeBytes(EVIL),
            any -> ByteBufAllocator.DEFAULT.directBuffer().writeBytes(EVIL),
            any -> Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(EVIL.length).put(0, EVIL).asReadOnlyBuffer()),
            any -> Unpooled.copiedBuffer(EVIL).slice(3, 1500),
            any -> swapped(Unpooled.copiedBuffer(EVIL)),
            any ->
                ALLOCATOR.compositeBuffer()
                    .addComponents(
                        true, Unpooled.copiedBuffer(EVIL, 0, 7), ALLOCATOR.directBuffer().writeBytes(EVIL)));
    int called = 0;
    for (var shape : SHAPES.entrySet()) {
      for (Method method : ByteBuf.class.getMethods()) {
        if (!isOfInterest(method) || !Arrays.asList(method.getParameterTypes()).contains(ByteBuf.class)) {
          continue;
        }
        for (UnaryOperator<ByteBuf> other : others) {
          for (int attempt = 0; attempt < 4; attempt++) {
            ByteBuf pinned = pinned();
            ByteBuf target = placed(shape.getValue().apply(pinned), attempt);
            ByteBuf writer = other.apply(null);
            called += call(shape.getKey(), method, writer, arguments(method, attempt, target));
            drop(pinned);
            drop(writer);
          }
        }
      }
      for (Method method : ByteBufUtil.class.getMethods()) {
        if (!Modifier.isStatic(method.getModifiers())
            || !Arrays.asList(method.getParameterTypes()).contains(ByteBuf.class)) {
          continue;
        }
        for (int attempt = 0; attempt < 4; attempt++) {
          ByteBuf pinned = pinned();
          ByteBuf target = placed(shape.getValue().apply(pinned), attempt);
          called += call(shape.getKey(), method, null, arguments(method, attempt, target));
          drop(pinned);
        }
      }
    }
    int total = called;
    assertTrue(total > 2_000, () -> "only " + total + " calls");
    assertTrue(refused > 100, () -> refused + " calls were refused");
  }

  @Test
  void aTargetThatHoldsItInACompositeIsRefused() {
    byte[] small = "small".getBytes(StandardCharsets.US_ASCII);
    db.put(small, "EVIL".getBytes(StandardCharsets.US_ASCII));
    var reader = new ByteBufReader(db, ALLOCATOR);
    for (ByteBuf key : List.of(Unpooled.wrappedBuffer(small), ALLOCATOR.directBuffer().writeBytes(small))) {
      ByteBuf pinned = pinned();
      ByteBuf target = ALLOCATOR.compositeBuffer().addComponent(true, pinned).clear();
      var e = assertThrows(IllegalArgumentException.class, () -> reader.getInto(key, target, ByteBuf::release));
      assertEquals("target: the segment is read-only; copy the value into one that can be written", e.getMessage());
      assertEquals(0, target.writerIndex());
      assertArrayEquals(VALUE, db.get(KEY));
      target.release();
      key.release();
    }
    assertEquals(0, db.pins().count());
  }

  private static boolean isOfInterest(Method method) {
    return !Modifier.isStatic(method.getModifiers())
        && method.getDeclaringClass() != Object.class
        && !method.getName().equals("release");
  }

  /**
   * Sets the buffer's indexes: everything readable, nothing readable, something in between, or only a header of 8 bytes
   * readable.
   */
  private static ByteBuf placed(ByteBuf buffer, int attempt) {
    int capacity = buffer.capacity();
    return switch (attempt) {
      case 0 -> buffer.setIndex(0, capacity);
      case 1 -> buffer.setIndex(0, 0);
      case 2 -> buffer.setIndex(1, capacity / 2);
      default -> buffer.setIndex(0, Math.min(8, capacity));
    };
  }

  private static void drop(ByteBuf buffer) {
    for (int i = 0; i < 10 && buffer.refCnt() > 0; i++) { // some buffers cannot be released
      buffer.release();
    }
  }

  /** Calls a method, which may fail, and asserts that the engine's value is unchanged; returns 1. */
  private int call(String shape, Method method, Object on, Object[] arguments) throws Exception {
    try {
      Object result = method.invoke(on, arguments);
      if (result instanceof ByteBuffer buffer) {
        assertRefused(buffer);
      } else if (result instanceof ByteBuffer[] buffers) {
        for (ByteBuffer buffer : buffers) {
          assertRefused(buffer);
        }
      } else if (result instanceof ByteBuf made && made != on) {
        drop(made);
      }
    } catch (InvocationTargetException e) {
      for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
        refused += cause instanceof ReadOnlyBufferException ? 1 : 0;
      }
    }
    assertArrayEquals(VALUE, db.get(KEY), () -> shape + ": " + method);
    return 1;
  }

  /** Writes to a buffer if it is writable, which only a buffer of copied bytes may be. */
  private static void assertRefused(ByteBuffer buffer) {
    if (buffer.isDirect() && !buffer.isReadOnly() && buffer.hasRemaining()) {
      buffer.put(buffer.position(), (byte) ~buffer.get(buffer.position())); // detected by the next comparison
    }
  }

  private Object[] arguments(Method method, int attempt, ByteBuf target) throws Exception {
    Class<?>[] types = method.getParameterTypes();
    Object[] arguments = new Object[types.length];
    int ints = 0;
    for (int i = 0; i < types.length; i++) {
      if (types[i] == int.class) {
        // Usually the first int is an index, and the last one a length.
        arguments[i] = ints++ == 0 && types.length > 1 ? attempt : 4;
      } else {
        arguments[i] = argument(types[i], target);
      }
    }
    return arguments;
  }

  private Object argument(Class<?> type, ByteBuf target) throws Exception {
    if (type == ByteBuf.class || type == Comparable.class || type == Object.class) {
      return target != null ? target : ALLOCATOR.directBuffer().writeBytes(EVIL);
    } else if (type == byte[].class) {
      return EVIL.clone();
    } else if (type == ByteBuffer.class) {
      return ByteBuffer.wrap(EVIL.clone());
    } else if (type == long.class) {
      return 0x4556494C4556494CL;
    } else if (type == short.class) {
      return (short) 0x4556;
    } else if (type == byte.class) {
      return (byte) 'E';
    } else if (type == char.class) {
      return 'E';
    } else if (type == boolean.class) {
      return true;
    } else if (type == float.class) {
      return 1.5f;
    } else if (type == double.class) {
      return 1.5;
    } else if (type == Charset.class) {
      return StandardCharsets.UTF_8;
    } else if (type == CharSequence.class || type == String.class) {
      return "EVIL";
    } else if (type == AsciiString.class) {
      return AsciiString.of("EVIL");
    } else if (type == ByteOrder.class) {
      return ByteOrder.LITTLE_ENDIAN;
    } else if (type == ByteProcessor.class) {
      return ByteProcessor.FIND_NUL;
    } else if (type == ByteBufAllocator.class) {
      return ALLOCATOR;
    } else if (type == InputStream.class) {
      return new ByteArrayInputStream(EVIL);
    } else if (type == OutputStream.class) {
      return new ByteArrayOutputStream();
    } else if (type == GatheringByteChannel.class) {
      return file(StandardOpenOption.WRITE);
    } else if (type == FileChannel.class) {
      return file(StandardOpenOption.READ, StandardOpenOption.WRITE);
    } else if (type == ScatteringByteChannel.class) {
      return file(StandardOpenOption.READ);
    } else if (type == CharSequence[].class) {
      return new CharSequence[] {"EVIL"};
    } else if (type == java.nio.CharBuffer.class) {
      return java.nio.CharBuffer.wrap("EVIL");
    } else if (type == StringBuilder.class) {
      return new StringBuilder();
    } else if (!type.isPrimitive()) {
      return null; // methods reject or ignore it
    }
    throw new AssertionError("a parameter of another kind: " + type);
  }

  private final List<FileChannel> files = new ArrayList<>();

  private FileChannel file(StandardOpenOption... options) throws Exception {
    Path file = folder.resolve("evil");
    if (!Files.exists(file)) {
      Files.write(file, EVIL);
    }
    FileChannel channel = FileChannel.open(file, options);
    files.add(channel);
    return channel;
  }

  @AfterEach
  void closeFiles() throws Exception {
    for (FileChannel file : files) {
      file.close();
    }
  }
}
