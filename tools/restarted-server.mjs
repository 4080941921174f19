// A process that is restarted whenever a source of it changes. Node's own --watch is not used: under it
// the forked engine reports its imports as messages to the server, beside the engine's own messages.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './prepare.mjs'
import { watchSources } from './watch-sources.ts'

/** An editor writes a file in several steps, and several files at once. */
const SETTLE_MS = 100

/**
 * Starts a TypeScript file with this Node, and again after each change. One that fails waits for the
 * next change.
 *
 * @param {{ file: string, sources: string[], env: NodeJS.ProcessEnv }} server paths are under the root
 * @returns {() => Promise<void>} ends it, in good order, and the watching with it
 */
export function startRestartedServer({ file, sources, env }) {
  const endWithParent = pathToFileURL(join(root, 'tools', 'end-with-parent.mjs')).href
  const flags = ['--disable-warning=ExperimentalWarning', '--disable-sigusr1']
  const args = [...flags, `--import=${endWithParent}`]
  let child = start()
  let timer
  /** One restart after another: a server ends before the next one begins. */
  let turn = Promise.resolve()
  let stopped = false

  const stopWatching = watchSources({
    root,
    folders: sources,
    changed(path) {
      clearTimeout(timer)
      timer = setTimeout(restart, SETTLE_MS, path)
    },
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
    stopWatching()
    await turn
    await ended()
  }
}
