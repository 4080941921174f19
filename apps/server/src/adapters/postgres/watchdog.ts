import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Tells the watchdog that the server has ended by itself or by us. */
export type Watchdog = { dismiss(): void }

// Waits for a word on its standard input. The end of input without one means that we died, however
// it came: then the server is asked to end, and after five seconds told to. The number is compared
// with postmaster.pid each time, since a process id may be given again.
const SCRIPT = `
trap '' INT TERM HUP
read -r word
[ "$word" = done ] && exit 0
serves() { first=; read -r first 2>/dev/null < "$2"; [ "$first" = "$1" ]; }
serves "$1" "$2" || sleep 1
serves "$1" "$2" && kill -INT "$1"
left=25
while [ "$left" -gt 0 ] && serves "$1" "$2"; do sleep 0.2; left=$((left - 1)); done
serves "$1" "$2" && kill -QUIT "$1"
exit 0
`

/**
 * Starts a tiny process that outlives us and ends the database server when we are gone, even by
 * SIGKILL. It holds nothing but a pipe from us.
 *
 * @param processId of the server whose files are in `cluster`.
 */
export function startWatchdog({
  processId,
  cluster,
}: {
  processId: number
  cluster: string
}): Watchdog {
  const pidFile = join(cluster, 'postmaster.pid')
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'sh', String(processId), pidFile], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without a watchdog the server still ends with stop(), and the next start ends a leftover one.
  shell.on('error', () => {})
  shell.stdin.on('error', () => {})
  shell.unref()
  return {
    dismiss() {
      shell.stdin.end('done\n')
    },
  }
}
