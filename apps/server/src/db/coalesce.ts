/**
 * Coalesced reads: callers who ask for a key within the same few milliseconds share one statement
 * that reads all of their keys, and callers who ask for the same key share its answer.
 */

/**
 * Makes a reader that gathers keys and loads them together.
 *
 * @param load reads many keys at once; a key without an answer is left out of the map
 * @param gatherMs how long the first caller waits for others; 0 is the end of the current turn
 */
export function coalesceReads<Key extends string | number, Value>(
  load: (keys: Key[]) => Promise<Map<Key, Value>>,
  { gatherMs = 0 }: { gatherMs?: number } = {},
): (key: Key) => Promise<Value | undefined> {
  let gathering: { keys: Set<Key>; answer: Promise<Map<Key, Value>> } | null = null

  function begin() {
    const keys = new Set<Key>()
    const answer = new Promise<void>((go) => {
      if (gatherMs > 0) setTimeout(go, gatherMs)
      else setImmediate(go)
    }).then(() => {
      gathering = null
      return load([...keys])
    })
    return { keys, answer }
  }

  return async function read(key) {
    gathering ??= begin()
    gathering.keys.add(key)
    return (await gathering.answer).get(key)
  }
}
