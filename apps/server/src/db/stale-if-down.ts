import { isDatabaseAway } from './database.ts'

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
