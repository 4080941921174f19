/**
 * Reads that many ask for at once and few make. Three rules of how old an answer may be, one function each:
 * never older than the question (`readTogether`, `readInTurn`), or up to a few moments old (`readFresh`).
 */

/** Reads of one reader that are under way at the same time: one that is slow does not hold up the next. */
const READS_AT_ONCE = 2

/**
 * Makes a reader that gathers keys and loads them together: those who ask within the same turn share one
 * read of all their keys, and so do all who ask while two reads are under way. Under load the reads get
 * larger, not more. An answer is never older than its question.
 *
 * @param load reads many keys at once; a key without an answer is left out of the map
 * @returns the value of a key; undefined where it has none
 */
export function readTogether<Key extends string | number, Value>(
  load: (keys: Key[]) => Promise<Map<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let gathering: { keys: Set<Key>; answer: Promise<Map<Key, Value>> } | null = null
  let underWay = 0
  let goOn: (() => void) | null = null

  async function loadWhenFree(keys: ReadonlySet<Key>): Promise<Map<Key, Value>> {
    await new Promise<void>((endOfTurn) => setImmediate(endOfTurn))
    // Only what is being gathered waits: there is one at a time.
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
 * Makes a reader of one value of which one read is under way at a time: those who ask meanwhile share the
 * next. An answer is never older than its question, and the load does not grow with those who ask.
 */
export function readInTurn<Value>(load: () => Promise<Value>): () => Promise<Value> {
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

/** A value that may be a little old when it is shown. */
export type FreshRead<Value> = {
  /** The value; read anew where it is too old, by one reader for all who ask. */
  value(): Promise<Value>
  /** Something changed: whoever asks next gets what is read after this. */
  forget(): void
}

/**
 * Makes a reader that reads at most once in `freshMs`, whoever asks; a failed read is made again at the
 * next question.
 *
 * @param freshMs how old the value may be, in milliseconds
 * @param now a clock in milliseconds; one that is put back makes the value old
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
