/** Runs work for one key one after the other; work for other keys does not wait. */
export type SerialByKey<Key> = <Result>(key: Key, work: () => Promise<Result>) => Promise<Result>

export function serializeByKey<Key>(): SerialByKey<Key> {
  const last = new Map<Key, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key)
    const mine = (async () => {
      await before?.catch(() => {})
      return work()
    })()
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}
