/** Starts several parts in order, and ends them in the reverse order. */

/** The parts that were started, and how each ends. */
export type Started<Result> = {
  readonly result: Result
  /** Ends all of them, the last started first. A second call waits for the first. */
  stop(): Promise<void>
}

/**
 * Runs `start`, which adds to `ending` how each part ends, as soon as that part has started.
 *
 * Each part is ended, even if the end of another fails.
 *
 * @throws the error of `start`, after everything that had been started was ended
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
    // The cause of the failed start is reported, whatever fails while parts are ended.
    await ending.disposeAsync().catch(() => {})
    throw error
  }
}
