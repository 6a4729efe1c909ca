/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rocksdbffm.jmh.Turn;

@Timeout(20)
class ConductorTest {
  private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

  private Thread player(Conductor conductor, int number, int turns) {
    return Thread.startVirtualThread(
        () -> {
          try (SocketChannel channel = Turn.join(conductor.socket().toString(), number)) {
            for (int i = 0; i < turns; i++) {
              channel.write(ByteBuffer.allocate(1));
              channel.read(ByteBuffer.allocate(1));
              heard.add(number + " begins");
              Thread.sleep(2);
              heard.add(number + " ends");
              channel.write(ByteBuffer.allocate(1));
            }
          } catch (Exception e) {
            heard.add(e.toString());
          }
        });
  }

  @Test
  void playersMeasureOneAfterAnotherAndWhoHasGoneIsNotWaitedFor() throws Exception {
    Path socket;
    try (Conductor conductor = new Conductor(3)) {
      socket = conductor.socket();
      Thread first = player(conductor, 0, 2);
      conductor.hasEnded(2); // before it ever came
      Thread second = player(conductor, 1, 3);
      first.join();
      conductor.hasEnded(0);
      second.join();
    }
    assertEquals(
        List.of(
            "0 begins", "0 ends", "1 begins", "1 ends", "0 begins", "0 ends", "1 begins", "1 ends", "1 begins",
            "1 ends"),
        heard);
    assertFalse(Files.exists(socket.getParent()));
  }

  @Test
  void nobodyBeginsBeforeAllAreReady() throws Exception {
    try (Conductor conductor = new Conductor(2)) {
      Thread first = player(conductor, 0, 1);
      Thread.sleep(50);
      assertEquals(List.of(), heard);
      player(conductor, 1, 1).join();
      first.join();
    }
    assertEquals(4, heard.size());
  }
}
