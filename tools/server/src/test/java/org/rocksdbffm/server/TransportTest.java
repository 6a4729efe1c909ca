/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.netty.ByteBufReader;
import org.rocksdbffm.netty.PinnedByteBuf;

/**
 * Tests that pinned values arrive over every transport, unencrypted and with both TLS implementations, and are
 * released.
 */
class TransportTest {
  /** The encryption of a connection. */
  enum Security {
    PLAIN,
    JDK,
    OPENSSL
  }

  private static final int COUNT = 20;
  private static final int SIZE = 300_000;

  @TempDir static Path folder;
  private static RocksDb db;
  private static byte[] expected;
  private static KeyStore keys;

  @BeforeAll
  static void fill() throws Exception {
    db = RocksDb.open(folder.resolve("db"));
    var all = new ByteArrayOutputStream();
    for (int i = 0; i < COUNT; i++) {
      byte[] value = new byte[i % 2 == 0 ? SIZE : 1 + i];
      new Random(i).nextBytes(value);
      db.put(key(i), value);
      all.write(value);
    }
    db.flush();
    all.write(all.toByteArray()); // each value is sent separately, and then all as a composite buffer
    expected = all.toByteArray();
    keys = selfSigned();
  }

  @AfterAll
  static void close() {
    db.close();
  }

  private static byte[] key(int i) {
    return ("key" + i).getBytes();
  }

  private static KeyStore selfSigned() throws Exception {
    Path store = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=localhost", "-storetype", "PKCS12",
                "-ext", "san=ip:127.0.0.1", "-keystore", store.toString(), "-storepass", "changeit")
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes());
    assertEquals(0, keytool.waitFor(), said);
    return KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
  }

  static Stream<Arguments> ways() {
    return Arrays.stream(Transport.values())
        .flatMap(transport -> Arrays.stream(Security.values()).map(security -> Arguments.of(transport, security)));
  }

  /** Sends all values to each client that connects, and closes the connection. */
  private static final class Sender extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext context) {
      var reader = new ByteBufReader(db, context.alloc(), 10);
      for (int i = 0; i < COUNT; i++) {
        context.write(reader.get(Unpooled.wrappedBuffer(key(i))));
      }
      var request = db.multiGet();
      for (int i = 0; i < COUNT; i++) {
        request.add(key(i));
      }
      try (PinnedValues values = request.get()) {
        context.writeAndFlush(PinnedByteBuf.of(context.alloc(), values)).addListener(ChannelFutureListener.CLOSE);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close(); // a client has disconnected
    }
  }

  private static SslContext serverContext(Security security) throws Exception {
    var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, "changeit".toCharArray());
    return SslContextBuilder.forServer(own)
        .sslProvider(security == Security.JDK ? SslProvider.JDK : SslProvider.OPENSSL)
        .build();
  }

  private static Socket connect(InetSocketAddress address, Security security) throws Exception {
    if (security == Security.PLAIN) {
      return new Socket(address.getAddress(), address.getPort());
    }
    var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(keys);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trusted.getTrustManagers(), new SecureRandom());
    return context.getSocketFactory().createSocket(address.getAddress(), address.getPort());
  }

  @ParameterizedTest
  @MethodSource("ways")
  void valuesArriveAndAreReleased(Transport transport, Security security) throws Exception {
    assumeTrue(transport.isAvailable(), transport + " is not available here");
    if (security == Security.OPENSSL) {
      OpenSsl.ensureAvailability();
    }
    SslContext tls = security == Security.PLAIN ? null : serverContext(security);
    var group = new MultiThreadIoEventLoopGroup(1, transport.factory());
    try {
      Channel server =
          new ServerBootstrap()
              .group(group)
              .channel(transport.server)
              .childHandler(
                  new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      if (tls != null) {
                        channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                      }
                      channel.pipeline().addLast(new Sender());
                    }
                  })
              .bind("127.0.0.1", 0)
              .sync()
              .channel();
      var address = (InetSocketAddress) server.localAddress();
      try (Socket client = connect(address, security)) {
        assertArrayEquals(expected, client.getInputStream().readAllBytes());
      }
      for (int i = 0; i < 5; i++) {
        try (Socket vanishing = connect(address, security)) {
          vanishing.getInputStream().readNBytes(i * 100_000);
        }
      }
      server.close().sync();
    } finally {
      group.shutdownGracefully(50, 10_000, TimeUnit.MILLISECONDS).await();
    }
    awaitNoPins();
  }

  private static void awaitNoPins() throws InterruptedException {
    for (int i = 0; i < 6000 && db.pins().count() != 0; i++) {
      Thread.sleep(10);
    }
    assertEquals(0, db.pins().count());
  }
}
