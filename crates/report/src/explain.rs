//! What `raddle explain` says of each kind of violation.

use raddle_oracle::Kind;

/// The kinds that can be explained, by the name in the output.
pub const EXPLAINED: [Kind; 5] = Kind::ALL;

/// A page about a kind of violation.
pub fn explain(kind: Kind) -> &'static str {
    match kind {
        Kind::Exception => EXCEPTION,
        Kind::Deadlock => DEADLOCK,
        Kind::LostWakeup => LOST_WAKEUP,
        Kind::Livelock => LIVELOCK,
        Kind::Result => RESULT,
    }
}

const EXCEPTION: &str = "\
exception: a call throws what it throws in no sequential order

What it means
  Raddle first makes the calls of a test one after the other, in every order that keeps each thread's own order, and
  notes what each call throws. Then it lets the threads run at the same time. If a call now throws an exception of a
  class that it throws in none of those orders, the reason can only be that another call came in between. Nobody who
  calls the method can be prepared for it.

  Typical are a NullPointerException or an ArrayIndexOutOfBoundsException from deep inside the class: a field was
  checked, then changed by the other thread, then used. The stack trace shows where the broken state was noticed, and
  the interleaving above it shows which write came in between.

Example
  class Names {
      private List<String> list = new ArrayList<>();
      synchronized void add(String name) { list.add(name); }
      synchronized void clear() { list.clear(); }
      String last() {                                               // not synchronized
          return list.isEmpty() ? null : list.get(list.size() - 1);
      }
  }
  One thread calls last() on a list of one name and is held up before get(0). The other one calls clear(). Now get(0)
  throws IndexOutOfBoundsException, and last() with it. In both orders of the two calls it returns: the name before
  clear(), null after it.

When it may be by design
  - The documentation announces it. A ConcurrentModificationException of an iterator that is documented as fail-fast is
    a promise kept, if iterating while others write is the caller's fault.
  - The class is not meant to be shared: ArrayList, StringBuilder, SimpleDateFormat. Then the finding is true and of no
    use; hunt the class that shares it instead.
  - InterruptedException, RejectedExecutionException, CancellationException and the like, when one call tells another
    one to stop. Look whether the test does so.

How sure it is
  The comparison is by the class of the exception and by call; messages do not count, since they often name threads or
  addresses. Every order is run twice. A call that does not throw the same both times is not judged at all.
";

const DEADLOCK: &str = "\
deadlock: threads wait for each other's locks, for ever

What it means
  Each of the threads holds a lock that the next one wants, and the last one wants the lock of the first. None of them
  can ever go on, and neither can anybody who wants one of these locks later. In every sequential order of the same
  calls all of them come to their end.

  This is exact. Raddle decides itself which thread runs, and reports a deadlock only when no thread can.

Example
  synchronized boolean equals(Object other) {          // java.util.Hashtable, in essence
      ...
      return size() == ((Hashtable) other).size();     // size() is synchronized, on the other table
  }
  One thread calls a.equals(b), the other b.equals(a). Both have locked their own table when they ask for the other's.
  The finding names both locks, where each was taken, and where each thread waits.

When it may be by design
  Hardly ever: no caller wants it. But there may be no remedy inside the class, because the locks belong to objects
  that the caller hands in. Then
  - the documentation should say in which order callers must lock, or that such calls must not be made at once;
  - what matters is how likely the calls are: x.append(y) against y.append(x) is rare, a.transfer(b) against
    b.transfer(a) is what a bank does all day.

What helps
  Take the locks in an order that does not depend on the caller, as by a number that every object has. Or copy what is
  needed of the other object before its own lock is taken. Or use tryLock with a way back.
";

const LOST_WAKEUP: &str = "\
lost-wakeup: a thread waits to be woken, and nobody is left who could

What it means
  A thread is in Object.wait, in LockSupport.park (on which the locks, queues and latches of java.util.concurrent are
  built) or in Thread.join. All others have ended or wait as well, and no cycle of locks is to blame, which would be a
  deadlock. In every sequential order of the same calls, all of them come to their end.

  There is one more way to be sure. When no thread can go on, Raddle wakes those in Object.wait for no reason, which
  every JVM may do. A thread that then looks again, finds what it was waiting for and comes to the end of its call
  should have been told before. That is reported whatever the sequential orders do.

  The name says what is most often the reason: the other thread called notify before this one called wait, so that the
  signal went unheard. What Raddle has seen is that it never comes.

Example
  void await() throws InterruptedException {
      if (!done) {                                  // checked without the lock
          synchronized (this) { wait(); }
      }
  }
  void finish() { done = true; synchronized (this) { notifyAll(); } }
  One thread finds done false and is held up there. The other one sets it and notifies: nobody waits yet. Then the first
  thread waits, for a signal that has been sent already.

Other reasons of that kind
  - notify instead of notifyAll woke a thread that could not use the signal, or one of several that should all go on;
  - a permit of a Semaphore or a count of a CountDownLatch was given away on a path that does not give it back;
  - a thread that holds a read lock waits for the write lock of the same ReadWriteLock, and so for itself.

When it may be by design
  A queue's take() waits for a put() that the test does not make; that is what it is for. Raddle compares with the
  sequential orders for this reason: a test in which some order leaves exactly the same calls waiting is not reported.
  But if a test makes one put() and two threads race for it in a way that no order of whole calls can show, it is. Ask
  whether a program could be left waiting like that although everybody has done what is asked of them.
";

const LIVELOCK: &str = "\
livelock: threads run on and on without coming to an end

What it means
  The run had taken the most scheduling points that Raddle allows, which raddle run has --max-steps for, and calls were
  still under way. In every sequential order the same calls end, after less than half as many points. Something that one
  thread did keeps another from ending.

  This is a suspicion. No limit can tell a run that never ends from one that takes very long. raddle hunt reports it
  only if every thread that could run did run in the second half, so that a loop which waits for another thread could
  have got what it waits for. See whether the steps at the end of the interleaving repeat themselves.

Example
  // HashMap before Java 8: two threads resize at once and tie the entries of a bucket into a ring.
  while (entry != null && !entry.key.equals(key)) entry = entry.next;       // never null again
  Nobody holds a lock and nobody waits; one thread runs round in circles and needs a whole processor for it.

  Another kind: two threads that each take back what they did when they see the other one try, and try again, for ever
  in step. Real threads rarely keep in step for long, so there it counts how long it lasts.

When it may be by design
  - A spin lock or a compare-and-set loop that gives up only when the other thread is done. If the other thread is not
    let run, the loop is right and the schedule is to blame; raddle run does not rule that out.
  - Calls that are simply long: sorting, parsing, computing. Raise the limit with raddle run --max-steps, and see
    whether they end.
";

const RESULT: &str = "\
result: calls return what they return together in no sequential order

What it means
  Raddle makes the calls of a test one after the other, in every order that keeps each thread's own order, and notes
  what all of them return; the calls after the threads make the state of the object a part of that. If the calls at the
  same time come to results that no order explains, the class is not linearizable: a caller can tell that the calls were
  not made one at a time.

  Either a single result is impossible (two increments, and the count is 1), or each of them occurs in some order, but
  not all of them in one (both of two threads were told that they were first).

Example
  private int count;
  public void increment() { count++; }              // read, add, write: three steps
  public int get() { return count; }
  Both threads read 0 and both write 1. get() says 1, and in both orders of the two calls it says 2. A volatile
  count would not help; synchronized or an AtomicInteger does.

When it may be by design
  Not every class promises this, and this is the kind to be read with most care:
  - Weakly consistent by contract. Iterators, size(), isEmpty(), toString(), putAll, addAll and the bulk operations of
    ConcurrentHashMap, ConcurrentLinkedQueue and their like may see some of what happens meanwhile and miss the rest.
    LongAdder.sum() adds up while others add. Where documentation that Raddle knows says so, such results are counted
    and listed, and reported only with --strict; docs/contracts.md tells how to add what yours says.
  - Two objects in one call. a.addAll(b) locks a, and reads b while others change it. Hardly any class promises more;
    tests in which one thread calls what another one hands in are therefore not judged by their results.
  - Snapshots that may be old: a getter of a plain field in a statistic, a cache that may compute a value twice.
  - Thread-safe in parts. A Vector or a synchronized wrapper makes single calls atomic; a method of your own class that
    makes two of them is not, but perhaps need not be.
  - Not meant to be shared at all.
  The question is whether the documentation, or a reasonable caller, relies on the answer. Use --kinds to leave this
  kind out: raddle hunt --kinds exception,deadlock,lost-wakeup,livelock.

How sure it is
  Numbers, strings, arrays and the JDK's own collections are compared by content, objects of the test by their names,
  anything else by the text that its class has of its own, or else field by field. Every order is run twice, and
  what differs between the two (times, random numbers, hash codes) is left out of the comparison.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_begins_with_its_kind_and_says_when_it_is_right() {
        for kind in EXPLAINED {
            let page = explain(kind);
            assert!(page.starts_with(&format!("{kind}: ")), "{page}");
            assert!(
                page.contains("\nWhat it means\n") && page.contains("\nExample\n"),
                "{kind}"
            );
            assert!(page.contains("\nWhen it may be by design\n"), "{kind}");
            let longest = page.lines().map(|line| line.chars().count()).max();
            assert!(longest <= Some(120), "{kind}: {longest:?}");
        }
    }
}
