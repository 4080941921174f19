/**
 * Reads that many callers request at once are shared. There are two rules for the age of an
 * answer: never older than the request (`readTogether`, `readOneByOne`, `readByName`), or a few moments old at most (`readFresh`).
 */
import { isDatabaseAway } from './database.ts'

/** How many reads of one reader run at the same time: a slow one does not delay the next. */
const READS_AT_ONCE = 2

/**
 * Makes a reader that collects keys and loads them together: calls within the same turn of the event loop share one
 * read of all their keys, and so do all calls while two reads are running. Under load the reads get larger, not more
 * frequent. An answer is never older than its request.
 *
 * @param load reads many keys at once, each an object or a value; it leaves keys without a value out of the map
 * @returns the value of a key; undefined if it has none
 */
export function readTogether<Key, Value>(
  load: (keys: Key[]) => Promise<Map<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let gathering: { keys: Set<Key>; answer: Promise<Map<Key, Value>> } | null = null
  let underWay = 0
  let goOn: (() => void) | null = null

  async function loadWhenFree(keys: ReadonlySet<Key>): Promise<Map<Key, Value>> {
    await new Promise<void>((endOfTick) => setImmediate(endOfTick))
    // There is one collection of keys at a time.
    while (underWay >= READS_AT_ONCE) {
      await new Promise<void>((free) => {
        goOn = free
      })
    }
    gathering = null
    underWay += 1
    try {
      return await load([...keys])
    } finally {
      underWay -= 1
      goOn?.()
    }
  }

  function begin() {
    const keys = new Set<Key>()
    return { keys, answer: loadWhenFree(keys) }
  }

  return async function read(key) {
    gathering ??= begin()
    gathering.keys.add(key)
    return (await gathering.answer).get(key)
  }
}

/**
 * Makes a reader of one value that runs one read at a time: calls meanwhile share the next read. An answer is never
 * older than its request, and the load does not grow with the number of calls.
 */
export function readOneByOne<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Promise<Value> | null = null

  async function readAfter(before: Promise<unknown>): Promise<Value> {
    await before.catch(() => {})
    next = null
    return load()
  }

  return () => {
    if (!next) {
      next = readAfter(underWay)
      underWay = next
    }
    return next
  }
}

/** Makes a reader of values with names, which reads each as `readOneByOne` does; equal names have equal reads. */
export function readByName() {
  const readers = new Map<string, { read: () => Promise<unknown>; callers: number }>()

  return async function read<Value>(name: string, load: () => Promise<Value>): Promise<Value> {
    const reader = readers.get(name) ?? { read: readOneByOne(load), callers: 0 }
    readers.set(name, reader)
    reader.callers += 1
    try {
      return (await reader.read()) as Value
    } finally {
      reader.callers -= 1
      if (reader.callers === 0) readers.delete(name)
    }
  }
}

/** A value that may be slightly stale when it is shown. */
export type FreshRead<Value> = {
  /** The value; if it is too old, one read for all callers renews it. */
  value(): Promise<Value>
  /** Invalidates the value: the next call gets a value that is read after this moment. */
  forget(): void
}

/**
 * Makes a reader that reads at most once in `freshMs`, however many calls there are; after a failed read the next
 * call reads again.
 *
 * @param freshMs how old the value may be, in milliseconds
 * @param now a clock in milliseconds; setting it back makes the value stale
 */
export function readFresh<Value>(
  load: () => Promise<Value>,
  { freshMs, now = () => performance.now() }: { freshMs: number; now?: () => number },
): FreshRead<Value> {
  let latest: { at: number; value: Promise<Value> } | null = null
  return {
    value() {
      const at = now()
      if (!latest || at - latest.at >= freshMs || at < latest.at) {
        const reading = { at, value: load() }
        latest = reading
        reading.value.catch(() => {
          if (latest === reading) latest = null
        })
      }
      return latest.value
    },
    forget() {
      latest = null
    },
  }
}

/**
 * A read whose value may be stale: while the database is down, the last value that was read, or an initial value if
 * there is none.
 */
export function staleIfDown<Value>(
  read: () => Promise<Value>,
  atFirst: Value,
): () => Promise<Value> {
  let latest = atFirst
  return async () => {
    try {
      latest = await read()
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
    }
    return latest
  }
}
