/**
 * Closing the book of a round with a million bets, none of which is in it yet, by the running product, and the longest
 * delay of the server's event loop meanwhile. BENCH_BETS is the number of bets. Fails where the book has another root than
 * its bets.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { bookOfHashes } from '@sum28/fairness/book-tree.ts'
import { hashLeaf } from '@sum28/fairness/merkle-tree.ts'
import { addPlayers } from './database.ts'
import { runningRounds, startProduct } from './product.ts'
import { isShort, report } from './report.ts'
import { type MadeRound, makeRound } from './round-rows.ts'
import { readMetric } from './stack.ts'

const BETS = Number(process.env.BENCH_BETS ?? (isShort ? 40_000 : 1_000_000))
/** How long a round is sealed before it is drawn, unless the operator says otherwise, in seconds. */
const SEAL_SECONDS = 30
const START_MS = 1_500
const LOOK_MS = 200
const PAGE = 50_000
/** The monitor's own timer, which is no delay. */
const MONITOR_MS = 10

const product = await startProduct(1)
const { owner, stack } = product
try {
  const holders = await addPlayers(owner, Math.ceil(BETS / 10), { micro: 0n })
  // An engine that has opened its first rounds has made its chains of seeds, which takes its loop a second once.
  await runningRounds(product, 1)
  await sleep(START_MS)
  const round = await makeRound(owner, {
    gameId: 1,
    bets: BETS,
    holders,
    state: 'open',
    sealsInMs: 0,
  })
  const closing = await watchLoop(() => closedBook(round))
  const { root, seconds } = closing.result
  const right = await rootOf(round)
  if (right !== root) throw new Error(`the roots differ: ${root} and ${right}`)

  const figures = [
    { name: 'the book closed after', value: seconds, unit: 's', atMost: SEAL_SECONDS },
    {
      name: 'longest delay of the server’s loop',
      value: closing.longestMs,
      unit: 'ms',
      atMost: 50,
    },
  ]
  report('close-book', figures, { bets: BETS })
} finally {
  await product.stop()
}

/** The root of a round's book once it is closed, and how long after the round appeared that was. */
async function closedBook({ gameId, issue, madeAt }: MadeRound) {
  for (;;) {
    const [round] = await owner.query<{ root: string; at: number }>(
      `select encode(book_root, 'hex') as root, extract(epoch from sealed_at)::float8 * 1000 as at
       from rounds.round where game_id = $1 and issue = $2 and book_root is not null and book_size = $3`,
      [gameId, issue, BETS],
    )
    if (round) return { root: round.root, seconds: (round.at - madeAt) / 1_000 }
    await sleep(LOOK_MS)
  }
}

/** Does some work, and tells the longest delay of the server's loop meanwhile, in milliseconds. */
async function watchLoop<Result>(work: () => Promise<Result>) {
  let longestMs = 0
  const lagMs = async () => 1_000 * (await readMetric(stack, 'nodejs_eventloop_lag_max_seconds'))
  async function look(): Promise<void> {
    longestMs = Math.max(longestMs, (await lagMs()) - MONITOR_MS)
  }
  // What was before does not count: a reading begins anew.
  await lagMs()
  const ended = new AbortController()
  const looking = (async () => {
    for (; !ended.signal.aborted; await sleep(LOOK_MS)) await look()
  })()
  const result = await work()
  ended.abort()
  await looking
  await look()
  return { result, longestMs }
}

/** The root of a round's bets, by the verifier's code. */
async function rootOf({ gameId, issue }: MadeRound): Promise<string> {
  const hashes: Uint8Array[] = []
  for (let last = '0'; hashes.length < BETS; ) {
    const leaves = await owner.query<{ id: string; text: string }>(
      `select id::text, '2|' || order_no || '|' || room_id || '|[' || array_to_string(rule_ids, ',') || ']|'
         || array_to_string(odds_milli, ',') || '|' || rules_version || '|' || stake || '|' || encode(nonce, 'hex') as text
       from bets.bet where game_id = $1 and issue = $2 and bet.id > $3 order by bet.id limit ${PAGE}`,
      [gameId, issue, last],
    )
    for (const { text } of leaves) hashes.push(hashLeaf(Buffer.from(text)))
    last = leaves.at(-1)?.id ?? last
  }
  return bookOfHashes(hashes).root
}
