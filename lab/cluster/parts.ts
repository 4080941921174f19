/** Parts of the cluster as processes: started, killed, frozen, and always ended with the test. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chownSync, closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Part = ReturnType<typeof makePart>

type PartSetup = {
  name: string
  command: string
  args: readonly string[]
  /** Its output, of all of its starts one after the other. */
  logFile: string
  environment?: Record<string, string>
  /** Runs as this user where the test runs as root. */
  user?: string
  /** A process that it has started but that is not its child any more; null while there is none. */
  other?: () => number | null
}

/** Prepares a part; its processes end with this one, even if this one is killed. */
export function makePart(setup: PartSetup) {
  const { name, command, args, logFile, environment = {}, user } = setup
  const { other = () => null } = setup
  let child: ChildProcess | null = null

  function processes(): number[] {
    const roots = [child?.pid, other()].filter((pid): pid is number => typeof pid === 'number')
    return roots.flatMap((pid) => [pid, ...descendantsOf(pid)])
  }

  function signal(kind: NodeJS.Signals): number[] {
    const all = processes()
    for (const pid of all) send(pid, kind)
    return all
  }

  return {
    name,
    start(): void {
      const log = openSync(logFile, 'a')
      const asUser =
        user && process.getuid?.() === 0
          ? [`--reuid=${user}`, `--regid=${user}`, '--init-groups']
          : []
      const tied = [...asUser, '--pdeathsig', 'KILL', command, ...args]
      const started = spawn('setpriv', tied, {
        env: { ...process.env, ...environment },
        stdio: ['ignore', log, log],
      })
      closeSync(log)
      child = started
      started.once('exit', () => {
        if (child === started) child = null
      })
    },
    /** Kills it and all processes that it has started at once, as if its machine lost power. */
    async kill(): Promise<void> {
      const killed = signal('SIGKILL')
      while (killed.some(isAlive)) await sleep(20)
    },
    /** Asks it to end, and waits for its end. */
    async end(): Promise<void> {
      const all = processes()
      child?.kill('SIGTERM')
      while (all.some(isAlive)) await sleep(20)
    },
    /** Freezes it and all processes that it has started. */
    freeze(): void {
      signal('SIGSTOP')
    },
    wake(): void {
      signal('SIGCONT')
    },
  }
}

function send(pid: number, kind: NodeJS.Signals): void {
  try {
    process.kill(pid, kind)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Whether a process runs and is no zombie. */
function isAlive(pid: number): boolean {
  const file = `/proc/${pid}/stat`
  try {
    return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, 'latin1'))
  } catch {
    return false
  }
}

/** All processes that a process has started, and their own children. */
function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${entry}/stat`, 'latin1'))?.[1])
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
    } catch {
      // It has just ended.
    }
  }
  const all: number[] = []
  for (const next = [pid]; next.length > 0; ) {
    const below = children.get(next.pop() ?? 0) ?? []
    all.push(...below)
    next.push(...below)
  }
  return all
}

/** Makes a user of this machine the owner of a file or folder, if the test runs as root. */
export function giveTo(user: string, path: string): void {
  if (process.getuid?.() !== 0) return
  const [owner = 0, group = 0] = ['-u', '-g'].map((which) =>
    Number(spawnSync('id', [which, user]).stdout.toString()),
  )
  chownSync(path, owner, group)
}

/** Below the ports that the system uses for outgoing connections, which may be taken at any time. */
const PORTS = { from: 15_000, until: 32_000 }
const usedPorts = new Set<number>()

/** Unused ports of this machine, all different, also from those of earlier calls. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = randomInt(PORTS.from, PORTS.until)
    if (usedPorts.has(port) || !(await isFree(port))) continue
    usedPorts.add(port)
    ports.push(port)
  }
  return ports
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

/**
 * Asks again and again until there is a value. Errors count as none. The time is no measure of speed, only an end
 * for what hangs.
 *
 * @param what the awaited event, for the error
 * @throws after `withinMs`, with the last error as its cause
 */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value | undefined | null | false>,
  { withinMs = 600_000, everyMs = 250 } = {},
): Promise<Value> {
  let cause: unknown
  for (const end = performance.now() + withinMs; performance.now() < end; await sleep(everyMs)) {
    try {
      const value = await ask()
      if (value) return value
    } catch (error) {
      cause = error
    }
  }
  throw new Error(`not within ${withinMs / 1000} s: ${what}`, { cause })
}
