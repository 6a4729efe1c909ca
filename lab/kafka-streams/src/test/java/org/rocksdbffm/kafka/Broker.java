/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kafka;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;

/** A Kafka broker in this JVM, which listens only on the loopback interface. */
final class Broker implements AutoCloseable {
  private final KafkaClusterTestKit kit;
  private final Admin admin;

  Broker(Path folder) throws Exception {
    TestKitNodes nodes =
        new TestKitNodes.Builder()
            .setCombined(true)
            .setNumBrokerNodes(1)
            .setNumControllerNodes(1)
            .setBaseDirectory(folder)
            .build();
    kit =
        new KafkaClusterTestKit.Builder(nodes)
            .setConfigProp("offsets.topic.replication.factor", "1")
            .setConfigProp("offsets.topic.num.partitions", "1")
            .setConfigProp("transaction.state.log.replication.factor", "1")
            .setConfigProp("transaction.state.log.min.isr", "1")
            .setConfigProp("transaction.state.log.num.partitions", "1")
            .setConfigProp("group.initial.rebalance.delay.ms", "0")
            .build();
    kit.format();
    kit.startup();
    kit.waitForReadyBrokers();
    admin = kit.admin();
  }

  String address() {
    return kit.bootstrapServers();
  }

  void createTopics(int partitions, String... names) throws Exception {
    List<NewTopic> topics = Arrays.stream(names).map(name -> new NewTopic(name, partitions, (short) 1)).toList();
    admin.createTopics(topics).all().get();
  }

  /** Creates a producer, which the caller <em>owns</em>. */
  Producer<String, String> producer() {
    Map<String, Object> settings = Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, address());
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }

  /** Returns the number of records of committed transactions in a topic. */
  int records(String topic) {
    Map<String, Object> settings =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, address(),
            ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream().map(info -> new TopicPartition(topic, info.partition())).toList();
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      consumer.assign(partitions);
      int count = 0;
      while (partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
        count += consumer.poll(Duration.ofMillis(100)).count();
      }
      return count;
    }
  }

  @Override
  public void close() {
    admin.close();
    try {
      kit.close();
    } catch (Exception e) {
      throw new IllegalStateException("the broker does not stop", e);
    }
  }
}
