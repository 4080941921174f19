import { isDatabaseAway } from './database.ts'

/**
 * A reading that may be a little old: while the database is away, what was read last, and before
 * anything was read, the value to begin with.
 */
export function lastKnown<Value>(read: () => Promise<Value>, atFirst: Value): () => Promise<Value> {
  let known = atFirst
  return async () => {
    try {
      known = await read()
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
    }
    return known
  }
}
