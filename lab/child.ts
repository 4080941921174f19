/** A program in a process of its own, which answers one message at a time. */
import { fork, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type Child = ReturnType<typeof startChild>

/** @param output where its output goes; here unless told */
export function startChild(file: URL, args: readonly string[] = [], output: StdioOptions = []) {
  const child = fork(fileURLToPath(file), args, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // JSON turns NaN, the delay when no answer came, into null.
    serialization: 'advanced',
    ...(output.length > 0 ? { stdio: output } : {}),
  })
  const ended = once(child, 'exit')
  async function answer<Answer>(): Promise<Answer> {
    const answered = once(child, 'message') as Promise<[Answer]>
    const failed = ended.then((): never => {
      throw new Error(`the process of ${file} ended`)
    })
    return (await Promise.race([answered, failed]))[0]
  }
  return {
    pid: child.pid ?? 0,
    /** What it says next. */
    answer,
    ask<Answer>(message: object | string): Promise<Answer> {
      const answered = answer<Answer>()
      child.send(message)
      return answered
    },
    /** Lets it end by itself. */
    async stop(): Promise<void> {
      child.disconnect()
      await ended
    },
    kill: () => child.kill('SIGKILL'),
  }
}
