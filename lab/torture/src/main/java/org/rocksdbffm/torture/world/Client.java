/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A thread of a case: runs its steps, and owns objects that only one thread may use. */
public final class Client {
  private static final int OWN = 4;
  private static final int PATIENCE = 8;

  /** An object that only this client uses, with its place and its expected rows. */
  public record Own<T>(Held<T> held, Place place, int of, java.util.NavigableMap<byte[], byte[]> rows) {}

  public final int number;
  private final World world;
  private final Function<String, Operation> operations;
  private final List<Own<?>> own = new ArrayList<>();

  /** This client's transactions, one for each bank. */
  private final Map<Bank, OwnTransaction> transactions = new HashMap<>();

  private volatile long stepStarted = System.nanoTime();

  /** Views, and pinned values with segments, that are confined to this thread: no other thread can close them. */
  private final List<Held<?>> views = new ArrayList<>();

  public Client(World world, int number, Function<String, Operation> operations) {
    this.world = world;
    this.number = number;
    this.operations = operations;
  }

  /** Runs the steps, and then closes the objects that are confined to this thread. */
  public void run(List<Step> steps) {
    try {
      for (Step step : steps) {
        stepStarted = System.nanoTime();
        if (world.hasFailed()) {
          break;
        }
        if (world.isClosedSomewhere() && step.seed() % PATIENCE == 0) {
          releaseObjects();
        }
        run(step);
      }
    } catch (Throwable e) {
      world.fail(e);
    } finally {
      views.forEach(view -> view.close(world.tally));
      own.forEach(each -> each.held.close(world.tally));
      transactions.values().forEach(each -> each.held.close(world.tally));
    }
  }

  /** How long the client has been in its current step. */
  public Duration sinceStepStarted() {
    return Duration.ofNanos(System.nanoTime() - stepStarted);
  }

  private void run(Step step) {
    Operation operation = operations.apply(step.operation());
    try (Attempt attempt = new Attempt(world, this, step.seed())) {
      try {
        operation.body().run(attempt);
        if (attempt.usedWhatWasClosed()) {
          throw new WrongAnswer(step + " answered although what it used was closed before");
        }
        world.tally.answered(operation);
      } catch (WrongAnswer e) {
        throw new WrongAnswer("client " + number + ", " + step + ": " + e.getMessage(), e);
      } catch (RuntimeException e) {
        if (!attempt.isInOrder(e)) {
          throw new WrongAnswer("client " + number + ", " + step + " threw what it should not: " + e, e);
        }
        world.tally.threw(e);
      }
    }
  }

  public void own(Own<?> made) {
    own.add(made);
    if (own.size() > OWN) {
      own.removeFirst().held.close(world.tally);
    }
  }

  public Map<Bank, OwnTransaction> transactions() {
    return transactions;
  }

  /** Returns an object of a type that this client owns, or null. */
  public <T> Own<T> own(Class<T> type, Attempt attempt) {
    List<Own<?>> such = own.stream().filter(each -> type.isInstance(each.held.object)).toList();
    if (such.isEmpty()) {
      return null;
    }
    @SuppressWarnings("unchecked")
    Own<T> found = (Own<T>) attempt.oneOf(such);
    return found;
  }

  public void viewed(Held<?> view) {
    views.add(view);
    if (views.size() > OWN) {
      views.removeFirst().close(world.tally);
    }
  }

  public Held<?> anyView(Attempt attempt) {
    return views.isEmpty() ? null : attempt.oneOf(views);
  }

  /** Closes all views, and objects of closed databases, so that the databases can be reopened. */
  public void releaseObjects() {
    views.forEach(view -> view.close(world.tally));
    views.clear();
    world.rows.all().stream().filter(Held::isClosed).forEach(rows -> rows.close(world.tally));
    own.removeIf(
        each -> {
          boolean closed = each.place.database.isClosed();
          if (closed) {
            each.held.close(world.tally);
          }
          return closed;
        });
  }
}
