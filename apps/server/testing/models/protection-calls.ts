/** The calls of player protection's property test, and the processes that make them. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { TestDatabase } from '../database/test-database.ts'
import type { Kind, Period } from './protection-model.ts'

/** One call for one player, or the settlement of a round. Amounts are micro-units. */
export type Call =
  | {
      act: 'order'
      playerId: number
      gameId: number
      issue: string
      stake: bigint
      followId: number | null
      key: string
    }
  | { act: 'deposit'; playerId: number; amount: bigint; reference: string }
  | { act: 'limit'; playerId: number; kind: Kind; period: Period; amount: bigint | null }
  | { act: 'confirm'; playerId: number; kind: Kind; period: Period }
  | { act: 'acknowledge'; playerId: number }
  | { act: 'interval'; playerId: number; minutes: number }
  | { act: 'time_out'; playerId: number }
  | { act: 'resolve'; gameId: number; issue: string; refund: boolean }

/** The answer to a call: a word, and for an order the bet's id or the reason of the refusal. */
export type Answer = { word: string; betId?: bigint; facts?: Record<string, string | number> }

const PROCESS = fileURLToPath(new URL('./protection-process.ts', import.meta.url))

export type Processes = {
  /** Makes calls in all processes at once, a list in each; returns the answers, in their order. */
  callAtOnce(calls: readonly Call[][]): Promise<Answer[][]>
}

/** Starts processes on one database, each with its own connections and batches of orders. */
export async function startProcesses(database: TestDatabase, count: number): Promise<Processes> {
  const children = Array.from({ length: count }, () => startProcess(database))
  await Promise.all(
    children.map((child) =>
      Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(([code]) => {
          throw new Error(`a process ended with ${code} before it was ready`)
        }),
      ]),
    ),
  )
  return {
    callAtOnce: (calls) =>
      Promise.all(
        children.map((child, at) => {
          const callsOfProcess = calls[at] ?? []
          return callsOfProcess.length === 0 ? [] : callIn(child, callsOfProcess)
        }),
      ),
  }
}

function startProcess({ applicationUrl, ownerUrl }: TestDatabase): ChildProcess {
  const child = fork(PROCESS, [applicationUrl, ownerUrl], {
    serialization: 'advanced',
    execArgv: [],
  })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  })
  return child
}

function callIn(child: ChildProcess, calls: Call[]): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a process ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (answers: Answer[]) => {
      child.off('exit', ended)
      resolve(answers)
    })
    child.send(calls)
  })
}
