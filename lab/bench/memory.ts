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

/** Looks at a process's memory until it is stopped; gives the most that it had, in bytes. */
export function watchMemory(pid: number): { now(): number; stop(): number } {
  let most = memoryOf(pid)
  const looking = setInterval(() => {
    most = Math.max(most, memoryOf(pid))
  }, 250)
  return {
    now: () => memoryOf(pid),
    stop() {
      clearInterval(looking)
      return Math.max(most, memoryOf(pid))
    },
  }
}
