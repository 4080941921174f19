/**
 * Measures whether one address, or all addresses of one /48, can keep others from playing. The real server runs with
 * its limits on and short rounds. Players of all four games bet at a steady pace, each from a network of his own, while
 * others attack, directly or through the balancer of `deploy/`. Reported for each kind of attack, beside the same
 * without an attack: the results of the players' orders, the rounds and how late they were drawn, and the server's
 * memory. BENCH_SECONDS is the length of each part.
 */
import { request } from 'node:http'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from '../child.ts'
import { type Balancer, haveAddresses, startBalancer } from './balancer.ts'
import { watchMemory } from './cpu-times.ts'
import { type BenchPlayer, startProduct } from './product.ts'
import { isShort, printTable, type Row, report } from './report.ts'
import { post } from './stack.ts'

const ATTACKS = [
  'large bodies',
  'deep arrays',
  'unknown paths',
  'slow bodies',
  'thousands of streams',
  'pictures',
  'tables',
  'past values of the beacon',
]

/** From all addresses of one /48. */
const WIDE_ATTACKS = ['costly calls', 'slow bodies', 'thousands of streams', 'silent connections']

/** How players reach the server: its port, and the balancer's or null. */
type Way = { port: number; balanced: boolean }

const ROUND_SECONDS = 10
/** Some whole rounds. */
const PART_SECONDS = Number(process.env.BENCH_SECONDS ?? (isShort ? 10 : 40))
const PLAYERS = 8
const ATTACKERS = 4
/** The pause between one player's orders, in milliseconds. */
const PAUSE_MS = 400
const ORDER_MAX_MS = 7_000
const MB = 1_000_000

const product = await startProduct(PLAYERS + ATTACKERS, {
  environment: {
    ROUND_SECONDS: String(ROUND_SECONDS),
    SEAL_SECONDS: '3',
    RATE_LIMITS: 'on',
    // Players connect as through a proxy, the attacker directly.
    TRUSTED_PROXIES: '127.0.0.1',
    ROBOTS: 'on',
  },
})
const { stack, owner } = product
let balancer: Balancer | null = null
let takeAddresses: (() => void) | null = null
try {
  balancer = await startBalancer(product.port)
  takeAddresses = balancer && haveAddresses()
  const players = product.players.slice(0, PLAYERS)
  const tokens = product.players.slice(PLAYERS).map(({ token }) => token)
  const some = (kinds: readonly string[]) => (isShort ? kinds.slice(0, 1) : kinds)
  const direct = { port: product.port, balanced: false }
  const table = await compare(direct, [
    ...some(ATTACKS).map((kind, index) => ({ kind, addresses: `127.0.0.${10 + index}` })),
    ...some(WIDE_ATTACKS).map((kind) => ({ kind, addresses: 'named' })),
  ])
  if (!balancer)
    console.log('  HAProxy is not installed: nothing was measured through the balancer.')
  else {
    if (!takeAddresses)
      console.log('  This machine gets no /48: one address attacks through the balancer.')
    const addresses = takeAddresses ? 'own' : '127.0.0.10'
    const wide = some(WIDE_ATTACKS).map((kind) => ({ kind, addresses }))
    table.push(...(await compare({ port: balancer.port, balanced: true }, wide)))
  }
  printTable('Players while others attack', table)
  report('hostile', [], { seconds: PART_SECONDS, rows: table })

  /** Players by themselves, and then during each attack. */
  async function compare(
    way: Way,
    attacks: readonly { kind: string; addresses: string }[],
  ): Promise<Row[]> {
    const through = way.balanced ? ', balancer' : ''
    const rows = [await measure(`no attack${through}`, players, way, async () => ({}))]
    for (const { kind, addresses } of attacks) {
      const attacker = await startAttack(kind, { addresses, port: way.port, tokens })
      const wide = /^\d/.test(addresses) ? '' : ', one /48'
      rows.push(await measure(kind + wide + through, players, way, attacker.stop))
    }
    return rows
  }
} finally {
  takeAddresses?.()
  await balancer?.stop()
  await product.stop()
}

/** Headers of a player from his own network. */
function from(n: number): Record<string, string> {
  return { 'X-Forwarded-For': `10.1.${n}.1` }
}

/** Players bet for the length of a part. @param stop ends the attack, and counts the answers to it */
async function measure(
  name: string,
  players: readonly BenchPlayer[],
  way: Way,
  stop: () => Promise<Record<string, number>>,
): Promise<Row> {
  const began = new Date()
  const until = performance.now() + PART_SECONDS * 1_000
  const waits: number[] = []
  const count = { taken: 0, failed: 0, why: {} as Record<string, number> }
  const issues = new Map<number, string>()
  const memory = watchMemory(stack.pid)
  await Promise.all([
    ...players.map((player, n) => play(player, n, { way, until, issues, waits, count })),
    follow(issues, until),
  ])
  const answers = await stop()
  const most = memory.stop()
  // The last round is drawn when it has ended.
  await sleep((ROUND_SECONDS + 2) * 1_000)
  const [rounds] = await owner.query<{ drawn: number; voided: number; delay: number | null }>(
    `select count(drawn_at)::integer as drawn, count(voided_at)::integer as voided,
       extract(epoch from max(drawn_at - draws_at))::float8 as delay
     from rounds.round left join rounds.draw using (game_id, issue) where draws_at between $1 and app.now()`,
    [began],
  )
  const texts = [count.why, answers].map((each) => JSON.stringify(each))
  console.log(
    `  ${name}: ${count.taken} orders; failed: ${texts[0]}; answers to the attack: ${texts[1]}`,
  )
  waits.sort((a, b) => a - b)
  return {
    name,
    'orders a second': count.taken / PART_SECONDS,
    'p99 ms': waits[Math.floor(0.99 * (waits.length - 1))] ?? Number.NaN,
    failed: count.failed,
    'rounds drawn': rounds?.drawn ?? 0,
    voided: rounds?.voided ?? 0,
    'longest delay of a draw, s': rounds?.delay ?? Number.NaN,
    'server MB': most / MB,
  }
}

/** Places orders at a steady pace, whatever their results. */
async function play(
  { token }: BenchPlayer,
  n: number,
  part: {
    way: Way
    until: number
    issues: ReadonlyMap<number, string>
    waits: number[]
    count: { taken: number; failed: number; why: Record<string, number> }
  },
): Promise<void> {
  const game = 1 + (n % 4)
  await sleep((PAUSE_MS / PLAYERS) * n)
  while (performance.now() < part.until) {
    const issue = part.issues.get(game)
    if (issue === undefined) {
      await sleep(50)
      continue
    }
    const sent = performance.now()
    const order = { game_id: game, plan_id: game * 10 + 1, issue }
    const body = JSON.stringify({ ...order, play_type: '[1]', money: 100 })
    const result = await sendOrder(part.way, { token, n, body })
    part.waits.push(performance.now() - sent)
    // Between seal and draw no bet is possible.
    const closed = /^round_(sealed|wrong|closed)$/.test(result?.data?.reason ?? '')
    if (result?.code === 1) part.count.taken += 1
    else if (!closed) {
      part.count.failed += 1
      const why = result?.data?.reason ?? 'no answer'
      part.count.why[why] = (part.count.why[why] ?? 0) + 1
    }
    await sleep(Math.max(0, sent + PAUSE_MS - performance.now()))
  }
}

type OrderReply = { code: number; data: { reason?: string } }

/** Sends an order of the n-th player from a network of his own; null if there is no answer. */
function sendOrder(
  { port, balanced }: Way,
  { token, n, body }: { token: string; n: number; body: string },
): Promise<OrderReply | null> {
  return new Promise((done) => {
    const headers = { 'Content-Type': 'application/json', Token: token }
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/api/Lottery/playOrder',
        ...(balanced
          ? { localAddress: `127.1.${n}.1`, headers }
          : { headers: { ...headers, ...from(n) } }),
      },
      async (reply) => {
        const chunks = await reply.toArray().catch(() => [])
        try {
          done(JSON.parse(Buffer.concat(chunks).toString()))
        } catch {
          // Of the balancer.
          done({ code: 0, data: { reason: `HTTP ${reply.statusCode}` } })
        }
      },
    )
    sent.setTimeout(ORDER_MAX_MS, () => sent.destroy())
    sent.on('error', () => done(null))
    sent.end(body)
  })
}

/** Keeps track of the running rounds' numbers. */
async function follow(issues: Map<number, string>, until: number): Promise<void> {
  while (performance.now() < until) {
    const lobby = await post(stack, '/api/Lottery/index', {}, from(200)).catch(() => null)
    const games = (lobby?.gameList ?? []) as { id: number; issue: { issue: string } }[]
    for (const { id, issue } of games) issues.set(id, issue.issue)
    await sleep(250)
  }
}

async function startAttack(
  kind: string,
  { addresses, port, tokens }: { addresses: string; port: number; tokens: readonly string[] },
) {
  const [beacon] = await owner.query<{ hash: string }>(
    'select beacon_chain_hash as hash from rounds.round order by opens_at desc limit 1',
  )
  const args = [kind, String(port), addresses, beacon?.hash ?? '', ...tokens]
  const child = startChild(new URL('hostile-attacker.ts', import.meta.url), args)
  // A real attacker has his own machine; here he shares one with the server.
  setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  return {
    async stop(): Promise<Record<string, number>> {
      const answers = await child.ask<Record<string, number>>('what was answered?')
      await child.stop()
      return answers
    },
  }
}
