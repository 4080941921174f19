/** Starting several things in order, and ending them in the reverse order. */

/** What was started, and how it ends. */
export type Started<Result> = {
  readonly result: Result
  /** Ends all of it, the last started first. A second call waits for the first. */
  stop(): Promise<void>
}

/**
 * Runs `start`, which adds to `ending` how each thing ends as soon as that thing is there.
 *
 * Each thing is ended, also where the end of another fails.
 *
 * @throws what `start` threw, once everything that had been started is ended
 */
export async function startInOrder<Result>(
  start: (ending: AsyncDisposableStack) => Promise<Result>,
): Promise<Started<Result>> {
  const ending = new AsyncDisposableStack()
  try {
    const result = await start(ending)
    let stopping: Promise<void> | null = null
    return {
      result,
      stop() {
        stopping ??= ending.disposeAsync()
        return stopping
      },
    }
  } catch (error) {
    // Why it could not start is what has to be known, whatever goes wrong while it is undone.
    await ending.disposeAsync().catch(() => {})
    throw error
  }
}
