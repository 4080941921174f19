/**
 * Closing the book of a round with a million bets, none of which is in it yet, by the running product, beside the
 * SHA-256 of the same bytes: each bet's leaf and each node of the tree, hashed in memory by Node. Told besides is the
 * longest delay of the server's event loop meanwhile. BENCH_BETS is the number of bets.
 * Fails where the two come to different roots.
 */
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
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
const HASH_BYTES = 32
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
  const hashed = await hashAll(round)
  if (hashed.root !== root) throw new Error(`the roots differ: ${root} and ${hashed.root}`)

  const figures = [
    { name: 'SHA-256 of the same bytes', value: hashed.seconds, unit: 's' },
    { name: 'the book closed after', value: seconds, unit: 's', atMost: SEAL_SECONDS },
    { name: 'ratio', value: seconds / hashed.seconds, unit: '×' },
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

/** Hashes a round's bets as its book does; tells how long the hashing alone took. */
async function hashAll({ gameId, issue }: MadeRound): Promise<{ root: string; seconds: number }> {
  let level: Buffer = Buffer.alloc(BETS * HASH_BYTES)
  let ms = 0
  let last = '0'
  for (let done = 0; done < BETS; ) {
    const leaves = await owner.query<{ id: string; text: string }>(
      `select id::text, '2|' || order_no || '|' || room_id || '|[' || array_to_string(rule_ids, ',') || ']|'
         || array_to_string(odds_milli, ',') || '|' || rules_version || '|' || stake || '|' || encode(nonce, 'hex') as text
       from bets.bet where game_id = $1 and issue = $2 and bet.id > $3 order by bet.id limit ${PAGE}`,
      [gameId, issue, last],
    )
    const began = performance.now()
    for (const { text } of leaves) {
      sha256(`\0${text}`).copy(level, done * HASH_BYTES)
      done += 1
    }
    ms += performance.now() - began
    last = leaves.at(-1)?.id ?? last
  }
  const began = performance.now()
  while (level.length > HASH_BYTES) level = levelAbove(level)
  return { root: level.toString('hex'), seconds: (ms + performance.now() - began) / 1_000 }
}

/** The nodes above those of a level; the last one of an odd level moves up as it is. */
function levelAbove(level: Buffer): Buffer {
  const above = Buffer.alloc(Math.ceil(level.length / HASH_BYTES / 2) * HASH_BYTES)
  const pair = Buffer.alloc(1 + 2 * HASH_BYTES, 1)
  for (let position = 0; position < above.length; position += HASH_BYTES) {
    const left = 2 * position
    if (left + HASH_BYTES === level.length) level.copy(above, position, left)
    else {
      level.copy(pair, 1, left, left + 2 * HASH_BYTES)
      sha256(pair).copy(above, position)
    }
  }
  return above
}

function sha256(bytes: string | Buffer): Buffer {
  return hash('sha256', bytes, 'buffer')
}
