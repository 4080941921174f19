/**
 * The server's side of the engine, which is a separate process (`engine-process.ts`): starts it, restarts it when it
 * has died or hangs, forwards its events, and ends it with the server.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { EngineLog } from './engine-log.ts'
import {
  BEAT_MS,
  type EngineSettings,
  type EngineState,
  type FromEngine,
  type ToEngine,
} from './engine-messages.ts'

export type EngineHost = {
  /** The engine's state; its age grows while no report arrives. */
  state(): Omit<EngineState, 'pools' | 'residentBytes'> & {
    /** Null until the engine has reported it. */
    readonly pools: EngineState['pools'] | null
    readonly residentBytes: number | null
    readonly restarts: number
  }
  /**
   * Lets the engine drive the rounds. Resolves after the engine's first report of its state, or when it has failed to
   * start.
   */
  begin(settings: EngineSettings): Promise<void>
  /** The engine's process, while it runs. */
  readonly pid: number | undefined
  /** Ends the engine after its running steps. */
  stop(): Promise<void>
}

const PROCESS = fileURLToPath(new URL('./engine-process.ts', import.meta.url))

/** A loop whose timers fire later than this, in milliseconds, would soon miss a seal. */
export const LOOP_DELAY_MAX_MS = 5_000

/** The interval of checks, and how many of them without a report let the engine be killed. */
const CHECK_MS = 1_000
const SILENT_CHECKS_MAX = 30

/** How long the engine may take to end. */
const END_MS = 10_000

/** The pause before the engine is started again: the first one, and the longest. */
const RESTART = { firstMs: 100, maxMs: 5_000 }

/** An engine that ran for this time had started well. */
const STARTED_WELL_MS = 30_000

const NOT_STARTED = 'the engine could not be started, and this is tried again'

/** Starts the engine's process, which loads its code and waits for the begin message. */
export function startEngineProcess({
  log,
  onStep,
  silentChecksMax = SILENT_CHECKS_MAX,
}: {
  log: EngineLog
  onStep: (gameId: number) => void
  silentChecksMax?: number | undefined
}): EngineHost {
  const begunAt = performance.now()
  let settings: EngineSettings | null = null
  let child: ChildProcess | null = null
  let last: { state: EngineState; receivedAt: number } | null = null
  let lateMax: { ms: number; at: number } = { ms: 0, at: 0 }
  const started = Promise.withResolvers<void>()
  let restarts = 0
  let restartMs = RESTART.firstMs
  let restarting: NodeJS.Timeout | undefined
  let stopping: Promise<void> | null = null
  // Counted in checks and not in time: if this process itself was stopped, the engine's messages of that time are
  // read before the next check.
  let silentChecks = 0

  function launch(): void {
    const launchedAt = performance.now()
    silentChecks = 0
    let fresh: ChildProcess
    try {
      fresh = forkEngine()
    } catch (error) {
      launchAgain({ error }, NOT_STARTED)
      return
    }
    // Without a process there is nothing to wait for and nothing to kill, and no exit will come.
    child = fresh.pid === undefined ? null : fresh
    fresh.on('message', onMessage)
    fresh.on('error', (error) => {
      if (fresh.pid === undefined) launchAgain({ error }, NOT_STARTED)
      else log.error({ error }, 'the engine cannot be reached')
    })
    fresh.on('exit', (code, signal) => {
      if (child === fresh) child = null
      if (performance.now() - launchedAt > STARTED_WELL_MS) restartMs = RESTART.firstMs
      launchAgain({ code, signal }, 'the engine has died and is started again')
    })
    if (child && settings) sendMessage(fresh, { kind: 'start', settings })
  }

  /** Starts the engine again after a pause. */
  function launchAgain(cause: Record<string, unknown>, text: string): void {
    started.resolve()
    if (stopping) return
    log.error({ ...cause, againInMs: restartMs }, text)
    restarts += 1
    restarting = setTimeout(launch, restartMs)
    restartMs = Math.min(RESTART.maxMs, restartMs * 2)
  }

  function onMessage(message: FromEngine): void {
    silentChecks = 0
    if (message.kind === 'log') log[message.level](message.facts, message.text)
    else if (message.kind === 'step') onStep(message.gameId)
    else {
      const { kind: _, ...state } = message
      last = { state, receivedAt: performance.now() }
      started.resolve()
      watchDelay(state.loopDelayMs.max)
    }
  }

  /** One alarm for each time that the loop becomes late, not one for each report. */
  function watchDelay(maxMs: number): void {
    if (maxMs < LOOP_DELAY_MAX_MS) return
    const now = performance.now()
    if (now - lateMax.at > 60_000 || maxMs > 2 * lateMax.ms) {
      log.error({ lateMs: Math.round(maxMs) }, 'the engine’s loop was held up')
      lateMax = { ms: maxMs, at: now }
    }
  }

  const looking = setInterval(() => {
    // Before it begins it has nothing to report.
    if (settings) silentChecks += 1
    if (!child || silentChecks < silentChecksMax) return
    log.error({ pid: child.pid }, 'the engine says nothing, and is killed')
    child.kill('SIGKILL')
    silentChecks = 0
  }, CHECK_MS)

  async function end(): Promise<void> {
    clearInterval(looking)
    clearTimeout(restarting)
    const ending = child
    if (!ending) return
    const gone = new Promise<void>((resolve) => ending.once('exit', () => resolve()))
    const killing = setTimeout(() => ending.kill('SIGKILL'), END_MS)
    sendMessage(ending, { kind: 'stop' })
    await gone
    clearTimeout(killing)
  }

  launch()
  return {
    begin(given) {
      settings = given
      if (child) sendMessage(child, { kind: 'start', settings })
      return started.promise
    },
    get pid() {
      return child?.pid
    },
    state() {
      const silentMs = performance.now() - (last?.receivedAt ?? begunAt)
      // A report that is one interval old counts as new.
      const overdueMs = Math.max(0, silentMs - 2 * BEAT_MS)
      const state = last?.state ?? {
        ageMs: Number.POSITIVE_INFINITY,
        loopDelayMs: { mean: 0, p99: 0, max: 0 },
        beaconAheadMs: null,
        clocksApart: false,
        rounds: { drawn: 0, drawnLate: 0, voided: 0 },
        drawDelayMs: null,
        pools: null,
        residentBytes: null,
      }
      return { ...state, ageMs: state.ageMs + overdueMs, restarts }
    },
    stop() {
      stopping ??= end()
      return stopping
    },
  }
}

function forkEngine(): ChildProcess {
  return fork(PROCESS, [], {
    // Not ours: a debugger's port, or a module that ends a process with its parent.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

function sendMessage(child: ChildProcess, message: ToEngine): void {
  // A process that ends at this moment is restarted, or was asked to end.
  child.send(message, () => {})
}
