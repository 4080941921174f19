/**
 * The engine's process. Load on the server's event loop, memory or threads does not affect it. The server starts it
 * (`engine-host.ts`) and sends it its settings; it ends on the server's request, and when the server is gone.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isDatabaseAway } from '#src/db/database.ts'
import { processEnd } from '#src/process-end.ts'
import type { EngineLog } from './engine-log.ts'
import { BEAT_MS, type FromEngine, type ToEngine } from './engine-messages.ts'
import { plainFacts } from './plain-facts.ts'
import { type RunningEngine, runEngine } from './run-engine.ts'

/** How long it may take to end; what is left then is due at the next start. */
const END_MS = 8_000

const log: EngineLog = {
  debug: (facts, text) => say({ kind: 'log', level: 'debug', facts: plainFacts(facts), text }),
  info: (facts, text) => say({ kind: 'log', level: 'info', facts: plainFacts(facts), text }),
  warn: (facts, text) => say({ kind: 'log', level: 'warn', facts: plainFacts(facts), text }),
  error: (facts, text) => say({ kind: 'log', level: 'error', facts: plainFacts(facts), text }),
}

let running: Promise<RunningEngine> | null = null
const ending = new AsyncDisposableStack()
ending.defer(async () => {
  await running?.then((engine) => engine.stop()).catch(() => {})
})
const life = processEnd({
  ending,
  by: 'parent',
  withinMs: END_MS,
  survives: (error) => {
    if (!isDatabaseAway(error)) return false
    log.warn({ error }, 'a query that nobody waited for failed')
    return true
  },
})

function say(message: FromEngine): void {
  // The server may die at any moment; 'disconnect' reports that.
  if (process.connected) process.send?.(message, () => {})
}

process.on('message', (message: ToEngine) => {
  if (message.kind === 'stop') void life.end(0)
  else if (!running) start(message)
})

function start({ settings }: Extract<ToEngine, { kind: 'start' }>): void {
  running = runEngine(settings, log, (gameId) => say({ kind: 'step', gameId }))
  running.then(
    (engine) => {
      // Measured from now on: making chains of seeds, once, may take a second.
      const delay = monitorEventLoopDelay({ resolution: 10 })
      delay.enable()
      let beatDueAt = performance.now()
      const beat = () => {
        // After a reset the monitor does not count its first interval: the report's own timer covers it.
        const beatLateMs = Math.max(0, performance.now() - beatDueAt)
        beatDueAt = performance.now() + BEAT_MS
        const [mean, p99, max] = [delay.mean, delay.percentile(99), delay.max].map(
          // The monitor's own timer fires every 10 ms, which is no delay.
          (nanoseconds) => Math.max(0, nanoseconds / 1e6 - 10) || 0,
        ) as [number, number, number]
        delay.reset()
        const loopDelayMs = { mean, p99, max: Math.max(max, beatLateMs) }
        say({ kind: 'beat', ...engine.state(), loopDelayMs })
      }
      beat()
      setInterval(beat, BEAT_MS)
    },
    (error: unknown) => {
      log.error({ error }, 'the engine could not start')
      void life.end(1)
    },
  )
}
