/**
 * Repeats a step until it is stopped; each returns the milliseconds until the next one.
 *
 * @param options `wait` waits so long, or until the signal. `failed` hears of each error, but of none that stopping
 *   may have caused; after `afterFailureMs` the step is tried again.
 */
export function repeatUntilEnded(
  step: (signal: AbortSignal) => Promise<number>,
  options: {
    wait: (ms: number, signal: AbortSignal) => Promise<void>
    failed: (error: unknown) => void
    afterFailureMs: number
  },
): { /** Ends after the running step. */ stop(): Promise<void> } {
  const ending = new AbortController()
  const { signal } = ending

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const pause = await step(signal).catch((error: unknown) => {
        if (!signal.aborted) options.failed(error)
        return options.afterFailureMs
      })
      await options.wait(pause, signal)
    }
  }
  const running = run()
  return {
    async stop() {
      ending.abort()
      await running
    },
  }
}
