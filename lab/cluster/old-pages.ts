/**
 * A page that may be read of a replica, written anew all the time and read by strangers; each reading has to have
 * all that was written before the bound.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@sum28/server/src/db/database.ts'
import { TRY_MS } from './players.ts'

/** How old a reading may be, in milliseconds: what `REPLICA_LAG_MAX_SECONDS` says. */
export const OLD_MAX_MS = 5_000

const WRITE_EVERY_MS = 300
const READ_EVERY_MS = 400

/** Instants in milliseconds since 1970. */
export type PageWrite = { number: number; doneAt: number }
export type PageRead = { number: number; from: number }

export type OldPages = {
  readonly writes: readonly PageWrite[]
  readonly reads: readonly PageRead[]
  /** How many readings of pages the API processes have made, by their own count, and from where. */
  readonly counted: Readonly<Record<'replica' | 'primary', number>>
  stop(): Promise<void>
}

/** Writes and reads until told to stop. What has no answer is left out: it says nothing. */
export function startOldPages(owner: Database, apis: readonly string[]): OldPages {
  const writes: PageWrite[] = []
  const reads: PageRead[] = []
  const counted = { replica: 0, primary: 0 }
  const counts = new Map<string, number>()
  let stopping = false

  async function often(everyMs: number, act: (turn: number) => Promise<void>): Promise<void> {
    for (let turn = 1; !stopping; turn += 1) {
      await act(turn).catch(() => {})
      await sleep(everyMs)
    }
  }

  async function write(number: number): Promise<void> {
    await owner.query('update content.about set html = $1', [`<p>${number}</p>`])
    writes.push({ number, doneAt: Date.now() })
  }

  async function read(turn: number): Promise<void> {
    const from = Date.now()
    const number = await numberBy(apis[turn % apis.length] ?? '')
    // Before the first writing there was another text.
    if (number !== null) reads.push({ number, from })
  }

  /** A process that was started again counts anew. */
  async function count(): Promise<void> {
    for (const api of apis) {
      for (const from of ['replica', 'primary'] as const) {
        const now = await countBy(api, from).catch(() => null)
        if (now === null) continue
        const name = `${api} ${from}`
        const before = counts.get(name) ?? 0
        counted[from] += now >= before ? now - before : now
        counts.set(name, now)
      }
    }
  }

  const all = Promise.all([
    often(WRITE_EVERY_MS, write),
    often(READ_EVERY_MS, read),
    often(1_000, count),
  ])
  return {
    writes,
    reads,
    counted,
    async stop() {
      stopping = true
      await all
      await count()
    },
  }
}

/** How old each reading was, in milliseconds: for how long what it did not have had been written. */
export function agesOf({ writes, reads }: Pick<OldPages, 'writes' | 'reads'>): number[] {
  return reads.map(({ number, from }) => {
    const missed = writes.find((write) => write.number > number)
    return missed ? Math.max(0, from - missed.doneAt) : 0
  })
}

async function numberBy(api: string): Promise<number | null> {
  const response = await fetch(`${api}/api/index/aboutus?lang=en`, {
    signal: AbortSignal.timeout(TRY_MS),
  })
  const { data } = (await response.json()) as { data: { about: { content: string } } }
  const number = /^<p>(\d+)<\/p>$/.exec(data.about.content)?.[1]
  return number === undefined ? null : Number(number)
}

async function countBy(api: string, from: string): Promise<number> {
  const response = await fetch(`${api}/metrics`, { signal: AbortSignal.timeout(TRY_MS) })
  const text = await response.text()
  const lines = text.matchAll(
    new RegExp(`^sum28_old_reads_total\\{kind="content",from="${from}"\\} (\\d+)`, 'gm'),
  )
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0)
}
