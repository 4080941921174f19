// A process that is restarted whenever a source of it changes. Node's own --watch is not used: under it
// the forked engine reports its imports as messages to the server, beside the engine's own messages.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './prepare.mjs'

const SOURCE = /\.(ts|sql|json)$/
const TEST = /\.test\.ts$|\/testing\//

/** An editor writes a file in several steps, and several files at once. */
const SETTLE_MS = 100

/**
 * Starts a TypeScript file with this Node, and again after each change. One that fails waits for the
 * next change.
 *
 * @param {{ file: string, sources: string[], env: NodeJS.ProcessEnv }} server paths are under the root
 * @param {import('vite').FSWatcher} watcher that of Vite's server; who made it ends it
 * @returns {() => Promise<void>} ends the process, in good order
 */
export function startRestartedServer({ file, sources, env }, watcher) {
  const endWithParent = pathToFileURL(join(root, 'tools', 'end-with-parent.mjs')).href
  const flags = ['--disable-warning=ExperimentalWarning', '--disable-sigusr1']
  const args = [...flags, `--import=${endWithParent}`]
  let child = start()
  let timer
  /** One restart after another: a server ends before the next one begins. */
  let turn = Promise.resolve()
  let stopped = false

  const folders = sources.map((folder) => join(root, folder, '/'))
  watcher.add(folders)
  watcher.on('all', (_, path) => {
    const isOwn = folders.some((folder) => path.startsWith(folder))
    if (stopped || !isOwn || !SOURCE.test(path) || TEST.test(path)) return
    clearTimeout(timer)
    timer = setTimeout(restart, SETTLE_MS, relative(root, path))
  })

  function start() {
    // The channel ends it when this process has died; because of its own process group Ctrl-C does not reach it.
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc']
    return spawn(process.execPath, [...args, join(root, file)], {
      cwd: root,
      env,
      stdio,
      detached: true,
    })
  }

  function restart(path) {
    turn = turn.then(async () => {
      if (stopped) return
      console.log(`\n${path} has changed: the server starts anew.\n`)
      await ended()
      if (!stopped) child = start()
    })
  }

  async function ended() {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
  }

  return async () => {
    stopped = true
    clearTimeout(timer)
    await turn
    await ended()
  }
}
