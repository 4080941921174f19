/**
 * How a process of ours ends: by a signal, together with the process that started it, on its own request, or by an
 * uncaught error. Only this file handles the process's own events.
 */

export type ProcessEnd = {
  /** Whether the end has begun. */
  readonly begun: boolean
  /**
   * Ends everything in the stack, then the process. A second call waits for the first.
   * @param code the process's exit code: 0 for success
   */
  end(code: number): Promise<void>
}

/** The signals by which a terminal, a shell and a service manager request the end. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Decides how this process ends. Call it once, before anything else is started.
 *
 * @param ending what to end before the process
 * @param by `signals`: a signal ends it. `parent`: the process that forked it ends it, by a message or by its own
 *   end; signals, which a terminal and a service manager send to the whole group, do not
 * @param withinMs the longest time that the end may take, in milliseconds; without it there is no limit
 * @param survives whether the process continues after an unhandled rejection; it has to log the error
 */
export function processEnd(options: {
  ending: AsyncDisposableStack
  by: 'signals' | 'parent'
  withinMs?: number
  survives?: (error: unknown) => boolean
}): ProcessEnd {
  const { ending, by, withinMs, survives = () => false } = options
  let stopping: Promise<void> | null = null

  async function stop(code: number): Promise<void> {
    if (withinMs !== undefined) setTimeout(() => process.exit(1), withinMs).unref()
    const failed = await ending.disposeAsync().then(
      () => false,
      (error: unknown) => {
        console.error(error)
        return true
      },
    )
    process.exit(failed && code === 0 ? 1 : code)
  }

  function end(code: number): Promise<void> {
    stopping ??= stop(code)
    return stopping
  }

  /** The process's state is unreliable, so there is no orderly end: the next start does what is left. */
  function endAtOnce(error: unknown): void {
    console.error(error)
    process.exit(1)
  }

  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (by === 'signals') void end(0)
    })
  }
  if (by === 'parent') process.on('disconnect', () => void end(0))
  process.on('uncaughtException', endAtOnce)
  process.on('unhandledRejection', (error) => {
    if (!survives(error)) endAtOnce(error)
  })

  return {
    get begun() {
      return stopping !== null
    },
    end,
  }
}
