import { setTimeout as sleep } from 'node:timers/promises'

/**
 * How long a test waits for an event that must come. It measures no speed; it only ends a wait in vain. A machine may
 * be slow and busy with other work.
 */
const PATIENCE_MS = Number(process.env.TEST_PATIENCE_MS ?? 30_000)

/** Calls repeatedly until there is a value, for {@link PATIENCE_MS} at most. */
export async function eventually<Found>(
  look: () => Found | undefined | Promise<Found | undefined>,
): Promise<Found> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const value = await look()
    if (value !== undefined) return value
    if (performance.now() > end) throw new Error(`nothing came within ${PATIENCE_MS} ms`)
    await new Promise((again) => setTimeout(again, 30))
  }
}

/** Waits by the machine's clock, or until the signal: for parts that are given such a function. */
export async function machineWait(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}
