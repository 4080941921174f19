/**
 * How a process of ours ends: by a signal, with the process that started it, when it says so itself, and
 * by an error that nobody has caught. The only place that listens to the process's own events.
 */

export type ProcessEnd = {
  /** Whether the end has begun. */
  readonly begun: boolean
  /**
   * Ends what is in the stack, then the process. A second call waits for the first.
   * @param code the process's exit code: 0 where all is well
   */
  end(code: number): Promise<void>
}

/** The signals by which a terminal, a shell and a service manager ask for the end. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Decides how this process ends. To be called once, before anything else is started.
 *
 * @param ending what is ended before the process is
 * @param by `signals`: a signal ends it. `parent`: the process that forked it ends it, by a message or by
 *   its own end; signals, which a terminal and a service manager send to the whole group, do not
 * @param withinMs the longest that the end may take, in milliseconds; without it, as long as it takes
 * @param survives whether an error that nobody waited for is no reason to end; it has to log it
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

  /** Nothing can be relied on any more, an orderly end neither: what is left is done at the next start. */
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
