/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.codec.redis.RedisEncoder;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.rocksdbffm.netty.ByteBufKeySpace;
import org.rocksdbffm.server.commands.Commands;
import org.rocksdbffm.server.commands.ScanCursors;
import org.rocksdbffm.server.protocol.Log;
import org.rocksdbffm.server.protocol.RequestDecoder;
import org.rocksdbffm.server.protocol.RequestMemory;
import org.rocksdbffm.server.protocol.ServerLimits;
import org.rocksdbffm.server.store.FfmValueStore;
import org.rocksdbffm.server.store.JniValueStore;
import org.rocksdbffm.server.store.ValueStore;

/** Serves a database to clients of Redis. Owns the database while it runs. */
public final class Server implements AutoCloseable {
  private static final int MOST_WAITING = 10_000;

  /** A value that fits into a TLS record is copied into it for encryption, so that pinning saves nothing. */
  private static final int COPY_LIMIT_UNDER_TLS = 16 << 10;

  private static final int SHUTDOWN_SECONDS = 30;
  private static final ThreadFactory LOOP_THREADS = new DefaultThreadFactory("loop");
  private static final int QUIET_MILLIS = 50; // the wait for remaining tasks of closed channels

  private final ServerOptions options;
  private final ValueStore store;
  private final SslContext tls;
  private final EventLoopGroup loops;
  private final ThreadPoolExecutor background;
  private final Admission admission;
  private final RequestMemory requests;
  private final ScanCursors cursors;
  private final Commands commands;
  private final ByteBufAllocator allocator;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile Channel listener;

  /** Opens the database, and listens for connections. */
  public Server(ServerOptions options) throws Exception {
    this(options, ByteBufAllocator.DEFAULT);
  }

  /** Like the other constructor, with an allocator for all network buffers; a test passes one that fails. */
  Server(ServerOptions options, ByteBufAllocator allocator) throws Exception {
    this.options = options;
    this.allocator = allocator;
    tls = options.certificate() == null ? null : tls(options);
    store =
        switch (options.store()) {
          case PINNED -> store(tls == null ? ByteBufKeySpace.DEFAULT_COPY_LIMIT : COPY_LIMIT_UNDER_TLS);
          case POOLED -> store(Integer.MAX_VALUE);
          case JNI -> new JniValueStore(options.folder());
        };
    ServerLimits limits = options.limits();
    requests = new RequestMemory(limits.requestBytes());
    cursors = new ScanCursors(limits.cursorBytes());
    commands = new Commands(store, cursors, limits.keyBytes(), this::info);
    loops =
        new MultiThreadIoEventLoopGroup(
            options.threads(), this::loopThread,
                EnduringIo.of(options.transport().factory(), this::closeConnectionsOfLoop));
    int readers = Math.max(2, Runtime.getRuntime().availableProcessors());
    background =
        new ThreadPoolExecutor(
            readers, readers, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(MOST_WAITING), Server::backgroundThread);
    admission = new Admission(limits.connections());
    try {
      listener = listen();
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  private ValueStore store(int copyLimit) {
    return new FfmValueStore(options.folder(), allocator, copyLimit, options.limits().pinnedBytes());
  }

  private static Thread backgroundThread(Runnable work) {
    return Thread.ofPlatform().name("background").daemon().unstarted(work);
  }

  /** Returns a Netty thread whose end is noticed even if memory for notifying Netty's listeners is lacking. */
  private Thread loopThread(Runnable loop) {
    return LOOP_THREADS.newThread(
        () -> {
          try {
            loop.run();
          } finally {
            loopEnded();
          }
        });
  }

  /** Called on the event loop that has missed an event; also accepts the pending connections. */
  private void closeConnectionsOfLoop() {
    for (Channel channel : admission.connections()) {
      if (channel.eventLoop().inEventLoop()) {
        channel.close();
      }
    }
    Channel channel = listener;
    if (channel != null && channel.eventLoop().inEventLoop()) {
      channel.read();
    }
  }

  /** OpenSSL encrypts from native memory; the JDK's TLS, used if OpenSSL is missing, copies values to the heap. */
  private static SslContext tls(ServerOptions options) throws Exception {
    return SslContextBuilder.forServer(options.certificate().toFile(), options.key().toFile())
        .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK)
        .build();
  }

  private Channel listen() throws InterruptedException {
    return new ServerBootstrap()
        .group(loops)
        .channel(options.transport().server)
        .handler(admission)
        .childOption(ChannelOption.ALLOCATOR, allocator)
        .childHandler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                accept(channel);
              }
            })
        .bind(options.host(), options.port())
        .sync()
        .channel();
  }

  private void accept(Channel channel) {
    if (!admission.admits(channel)) {
      return;
    }
    if (options.transport() == Transport.IO_URING) {
      ReadBuffers.guard(channel);
    }
    if (tls != null) {
      channel.pipeline().addLast(tls.newHandler(channel.alloc()));
    }
    channel
        .pipeline()
        .addLast(new IdleStateHandler(0, 0, options.limits().idle().toMillis(), TimeUnit.MILLISECONDS))
        .addLast(new RedisEncoder())
        .addLast(new RequestDecoder(options.limits(), requests))
        .addLast(new Connection(commands, background, options));
  }

  private String info() {
    return """
        # Server\r
        server_name:rocksdb-ffm\r
        transport:%s\r
        values:%s\r
        # Clients\r
        connected_clients:%d\r
        maxclients:%d\r
        # Memory\r
        pinned_values:%d\r
        pinned_bytes:%d\r
        request_bytes:%d\r
        cursor_bytes:%d\r
        allocated_bytes:%d\r
        # CPU\r
        cpu_nanos:%d\r
        compilation_millis:%d\r
        # Limits\r
        %s\
        # Keyspace\r
        db0:keys=%d\r
        """
        .formatted(
            options.transport(),
            options.store(),
            admission.connections().size(),
            admission.most(),
            store.pins(),
            store.pinnedBytes(),
            requests.bytes(),
            cursors.bytes(),
            ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getTotalThreadAllocatedBytes(),
            ProcessorTime.nanos(),
            ManagementFactory.getCompilationMXBean().getTotalCompilationTime(),
            limits(),
            store.estimatedCount());
  }

  private String limits() {
    var text = new StringBuilder();
    options.limits().all()
        .forEach((name, limit) -> text.append("max_").append(name).append(':').append(limit).append("\r\n"));
    return text.toString();
  }

  /** Ends the server, because the clients of the ended event loop would hang forever; a supervisor can restart it. */
  private void loopEnded() {
    if (!loops.isShuttingDown()) {
      Log.warn("an event loop has ended", null);
      ended.countDown();
    }
  }

  /** Returns the address on which the server listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  /** Returns the number of pinned values. */
  public long pins() {
    return store.pins();
  }

  /** Returns the database, for a test that closes it while the server runs. */
  ValueStore store() {
    return store;
  }

  /** Stops accepting, answers received commands, closes all connections and then the database; idempotent. */
  @Override
  public synchronized void close() {
    if (loops.isShuttingDown()) {
      return;
    }
    try {
      shutDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      store.close();
    }
  }

  private void shutDown() throws InterruptedException {
    if (listener != null) {
      listener.close().await(SHUTDOWN_SECONDS, TimeUnit.SECONDS); // never completes if the event loop has ended
    }
    for (Channel channel : admission.connections()) {
      channel.eventLoop().execute(() -> drain(channel));
    }
    admission.connections().newCloseFuture().await(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
    loops.shutdownGracefully(QUIET_MILLIS, SHUTDOWN_SECONDS * 1000L, TimeUnit.MILLISECONDS).await();
    background.shutdown();
    background.awaitTermination(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
  }

  private static void drain(Channel channel) {
    ChannelHandlerContext context = channel.pipeline().context(Connection.class);
    if (context == null) {
      channel.close();
    } else {
      ((Connection) context.handler()).drain();
    }
  }

  /** Runs until the process is terminated. */
  public static void main(String[] arguments) throws Exception {
    ServerOptions options;
    try {
      options = ServerOptions.parse(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "\n\n" + ServerOptions.USAGE);
      System.exit(2);
      return;
    }
    Log.prepare();
    Server server = new Server(options);
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shutdown"));
    System.out.println("listening on " + server.address());
    server.ended.await();
    System.exit(1);
  }
}
