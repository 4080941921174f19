/** Counts the passwords and codes that are hashed while some work is done in this process. */
import { createHook } from 'node:async_hooks'

export async function countHashes(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'ARGON2REQUEST') count += 1
    },
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return count
}
