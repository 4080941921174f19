/** Memory of processes, from /proc; elsewhere none is known. */
import { readFileSync } from 'node:fs'

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
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return [pid, ...children.split(' ').filter(Boolean).map(Number)]
    .map(memoryOf)
    .reduce((sum, bytes) => sum + bytes)
}

/** Looks at a process's memory until it is stopped; gives the most that it had, in bytes. */
export function watchMemory(pid: number): { stop(): number } {
  let most = memoryOf(pid)
  const looking = setInterval(() => {
    most = Math.max(most, memoryOf(pid))
  }, 250)
  return {
    stop() {
      clearInterval(looking)
      return Math.max(most, memoryOf(pid))
    },
  }
}
