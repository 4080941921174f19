/** Processor time of processes, from /proc; elsewhere none is known. */
import { readFileSync } from 'node:fs'

/** Milliseconds in a unit of /proc/<pid>/stat. */
const UNIT_MS = 10

/**
 * Milliseconds of processor time since each process began, by name.
 *
 * @param watched with `all`, its children with it, also those that have ended
 */
export function cpuTimes(
  watched: Record<string, { pid: number; all?: boolean }>,
): Record<string, number> {
  const times: Record<string, number> = {}
  for (const [name, { pid, all = false }] of Object.entries(watched)) {
    try {
      times[name] = all ? timeOfAll(pid) : (timesIn(pid)[0] as number)
    } catch {
      times[name] = Number.NaN
    }
  }
  return times
}

function timeOfAll(pid: number): number {
  const [own = 0, ended = 0] = timesIn(pid)
  return childrenOf(pid).reduce((sum, child) => sum + (timesIn(child)[0] ?? 0), own + ended)
}

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.split(' ').filter(Boolean).map(Number)
}

/** Of a process itself, and of its children that have ended. */
function timesIn(pid: number): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name, in brackets, may contain blanks.
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number)
  return [(user + system) * UNIT_MS, (endedUser + endedSystem) * UNIT_MS]
}

/** Bytes that a process has in memory now. */
export function memoryOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}

/** Bytes that a server and the processes that it has started have in memory now. */
export function memoryOfAll(pid: number): number {
  return [pid, ...childrenOf(pid)].map(memoryOf).reduce((sum, bytes) => sum + bytes)
}
