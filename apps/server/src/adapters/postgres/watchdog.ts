import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Tells the watchdog that the server has ended, so that it does nothing. */
export type Watchdog = { dismiss(): void }

// Waits for input. If the input ends without any, our process has died, for whatever reason: then the watchdog asks
// the server to end, and after five seconds forces it. It compares the process id with postmaster.pid each time,
// because process ids are reused.
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
 * Starts a tiny process that outlives us and ends the database server when our process is gone, even after SIGKILL.
 * It holds only a pipe from us.
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
    env: { PATH: process.env.PATH },
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
