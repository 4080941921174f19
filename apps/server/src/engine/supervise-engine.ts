/**
 * The engine as a process of its own, so that no load on the server delays a round: `main.ts` with `ROLE=engine`,
 * started by the process with `ROLE=all`. It is restarted when it ends or hangs, and ends with its parent. It says once
 * that it runs, and then answers the parent's questions.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { on, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Gauge, Registry } from 'prom-client'
import type { Environment, Variable } from '#src/config.ts'
import type { Log } from '#src/process/log.ts'

export const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
export const SUPERVISED = '--supervised'

/** Those that an engine reads; it is given no other. */
const SETTINGS: ReadonlySet<string> = new Set<Variable>([
  ...(['PROFILE', 'ALLOW_IN_PRODUCTION', 'DATA_DIR', 'LOG_LEVEL', 'RATE_LIMITS'] as const),
  ...(['GAME_TIMEZONE', 'OPENING_HOURS', 'ROUND_SECONDS', 'SEAL_SECONDS'] as const),
  ...(['BEACON', 'BEACON_DEADLINE_SECONDS'] as const),
])

/** What Node, its libraries and the system read: certificates, proxies, caches, folders. */
const OF_SYSTEM =
  /^(NODE_|HTTPS?_PROXY$|NO_PROXY$|SSL_CERT_|PGSSL|UV_|TZ$|PATH$|HOME$|TE?MP(DIR)?$|SystemRoot$)/i

/** How long the engine may take to end. */
const END_MS = 4_000

/** The pause before the engine is started again: the first one, and the longest. */
const RESTART = { firstMs: 100, maxMs: 5_000 }

/** An engine that ran for this time had started well. */
const STARTED_WELL_MS = 30_000

const ANSWER_WITHIN_MS = 1_000

/** How often the engine is asked whether it lives, and how many questions in a row it may leave without an answer. */
const QUESTION_EVERY_MS = 5_000
const UNANSWERED_MAX = 6

/** Whether it lives, and what its metrics are. An answer is the question and its text. */
type Question = 'lives' | 'metrics'

const NOT_STARTED = 'the engine could not be started, and this is tried again'

export type EngineProcess = {
  /** Resolves when the engine drives the rounds, or has failed to start. */
  readonly started: Promise<void>
  /** The process's id, while it runs. */
  readonly pid: number | undefined
  /** What it shows of itself, in Prometheus' format; without its own figures while it does not answer. */
  metrics(): Promise<string>
  /** Ends the engine after its running steps. */
  stop(): Promise<void>
}

/**
 * The environment of the engine that a process with ROLE=all starts.
 *
 * @param environment of that process
 * @param own the engine's own secrets: the address of its login, its keys
 */
export function engineEnvironment(
  environment: Environment,
  own: { databaseUrl: string; seedKeys: readonly string[]; secretKey: string | null },
): Environment {
  const entries = Object.entries(environment).filter(
    ([name]) => SETTINGS.has(name) || OF_SYSTEM.test(name),
  )
  return {
    ...Object.fromEntries(entries),
    DATABASE_URL: own.databaseUrl,
    SEED_KEY: own.seedKeys.join(),
    ...(own.secretKey === null ? {} : { SECRET_KEY: own.secretKey }),
  }
}

/**
 * @param environment all that the engine is given; its database and data folder are ready
 * @param questionEveryMs another in tests
 * @param program another one in tests
 */
export function superviseEngine({
  environment,
  log,
  questionEveryMs = QUESTION_EVERY_MS,
  program = MAIN,
}: {
  environment: Environment
  log: Log
  questionEveryMs?: number
  program?: string
}): EngineProcess {
  const registry = new Registry()
  const restarts = new Gauge({
    name: 'sum28_engine_restarts',
    help: 'Times that the engine had died and was started again.',
    registers: [registry],
  })
  const started = Promise.withResolvers<void>()
  let child: ChildProcess | null = null
  let runs = false
  let unanswered = 0
  let restartMs = RESTART.firstMs
  let restarting: NodeJS.Timeout | undefined
  let stopping: Promise<void> | null = null

  function launch(): void {
    const launchedAt = performance.now()
    let fresh: ChildProcess
    try {
      fresh = fork(program, [SUPERVISED], {
        env: { ...environment, ROLE: 'engine', HOST: '127.0.0.1', PORT: '0' },
        // Not ours: a debugger's port, or a module that ends a process with its parent. No signal opens a debugger.
        execArgv: ['--disable-warning=ExperimentalWarning', '--disable-sigusr1'],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
    } catch (error) {
      launchAgain({ error }, NOT_STARTED)
      return
    }
    // Without a process there is nothing to wait for, and no exit will come.
    child = fresh.pid === undefined ? null : fresh
    runs = false
    unanswered = 0
    fresh.once('message', () => {
      runs = true
      started.resolve()
    })
    fresh.on('error', (error) => {
      if (fresh.pid === undefined) launchAgain({ error }, NOT_STARTED)
    })
    fresh.on('exit', (code, signal) => {
      child = null
      if (performance.now() - launchedAt > STARTED_WELL_MS) restartMs = RESTART.firstMs
      launchAgain({ code, signal }, 'the engine has died and is started again')
    })
  }

  function launchAgain(cause: object, text: string): void {
    started.resolve()
    if (stopping) return
    log.error({ ...cause, againInMs: restartMs }, text)
    restarts.inc()
    restarting = setTimeout(launch, restartMs)
    restartMs = Math.min(RESTART.maxMs, restartMs * 2)
  }

  /** Null without an answer. */
  async function answerTo(question: Question): Promise<string | null> {
    if (!child?.connected) return null
    const answers = on(child, 'message', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    child.send(question, () => {})
    try {
      for await (const [[to, text]] of answers) if (to === question) return text
    } catch {}
    return null
  }

  /** Kills an engine that hangs: its end starts another. */
  async function question(): Promise<void> {
    const questioned = child
    if (!questioned || !runs) return
    const answer = await answerTo('lives')
    // Another question may have killed it meanwhile.
    if (questioned !== child || !runs) return
    unanswered = answer === null ? unanswered + 1 : 0
    if (unanswered < UNANSWERED_MAX) return
    log.error({ pid: questioned.pid }, 'the engine hangs and is killed')
    runs = false
    questioned.kill('SIGKILL')
  }

  async function end(): Promise<void> {
    clearTimeout(restarting)
    clearInterval(questioning)
    const ending = child
    if (!ending) return
    const gone = once(ending, 'exit')
    const killing = setTimeout(() => ending.kill('SIGKILL'), END_MS)
    if (ending.connected) ending.disconnect()
    await gone
    clearTimeout(killing)
  }

  launch()
  const questioning = setInterval(() => void question(), questionEveryMs)
  return {
    started: started.promise,
    get pid() {
      return child?.pid
    },
    async metrics() {
      return `${await registry.metrics()}\n${(await answerTo('metrics')) ?? ''}`
    },
    stop() {
      stopping ??= end()
      return stopping
    },
  }
}

/** Whether this process is an engine that another process supervises. */
export function isSupervised(): boolean {
  return process.argv.includes(SUPERVISED)
}

/** Tells the supervisor that this engine runs, and answers its questions. */
export async function answerSupervisor({
  metrics,
}: {
  metrics: () => Promise<string>
}): Promise<void> {
  // The supervisor may die at any moment, and this process then ends.
  const answer = async (question: Question) =>
    process.send?.([question, question === 'metrics' ? await metrics() : ''], () => {})
  process.on('message', answer)
  await answer('lives')
}
