/**
 * Measures whether one address can keep others from playing. The real server runs with its limits
 * on and short rounds. Players of all four games bet at a steady pace, each from a network of his
 * own, while one address attacks. Reported for each kind of attack, beside the same without an
 * attack: the results of the players' orders, the rounds and how late they were drawn, and the server's memory.
 */
import { execFile, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readMetrics } from './metrics.ts'
import { addMember, eventually, type Member, post, type Stack, startStack } from './stack.ts'

const ATTACKER = fileURLToPath(new URL('./hostile-attacker.ts', import.meta.url))
const run = promisify(execFile)

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

const ROUND_SECONDS = 10
const SEAL_SECONDS = 3
/** Length of each part, in seconds: some whole rounds. */
const PART_SECONDS = Number(process.env.BENCH_SECONDS ?? 40)
/** The number of players, and the pause between one player's orders, in milliseconds. */
const PLAYERS = 8
const PAUSE_MS = 400
const GAMES = [1, 2, 3, 4]

type Part = {
  name: string
  /** Times of answered orders, in milliseconds. */
  waits: number[]
  taken: number
  failed: number
  drawn: number
  voided: number
  /** The longest time from a round's end to its stored draw, in seconds. */
  drawDelay: number
  memoryMb: number
  answers: Record<string, number>
}

const stack = await startStack({
  ROUND_SECONDS: String(ROUND_SECONDS),
  SEAL_SECONDS: String(SEAL_SECONDS),
  RATE_LIMITS: 'on',
  // Players connect as through a proxy, the attacker directly.
  TRUSTED_PROXIES: '127.0.0.1',
  ROBOTS: 'on',
})
try {
  const players: Member[] = []
  for (let n = 0; n < PLAYERS; n += 1) players.push(await addMember(stack, `honest_${n}`, from(n)))
  const attackers: Member[] = []
  for (let n = 0; n < 4; n += 1)
    attackers.push(await addMember(stack, `harmful_${n}`, from(100 + n)))
  const tokens = attackers.map(({ token }) => token)

  const parts = [await measure('no attack', players, null)]
  for (const [index, kind] of ATTACKS.entries()) {
    const attack = { kind, address: `127.0.0.${10 + index}`, tokens }
    parts.push(await measure(kind, players, attack))
  }
  parts.push(await measure('no attack, again', players, null))
  printParts(parts)
} finally {
  await stack.stop()
}

/** Headers of a player from his own network. */
function from(n: number): Record<string, string> {
  return { 'X-Forwarded-For': `10.1.${n}.1` }
}

async function measure(
  name: string,
  players: readonly Member[],
  attack: { kind: string; address: string; tokens: readonly string[] } | null,
): Promise<Part> {
  const part: Part = {
    name,
    waits: [],
    taken: 0,
    failed: 0,
    drawn: 0,
    voided: 0,
    drawDelay: 0,
    memoryMb: 0,
    answers: {},
  }
  const attacker = attack && (await startAttack(stack, attack))
  const began = Date.now()
  const until = performance.now() + PART_SECONDS * 1_000
  const issues = new Map<number, string>()
  // The last round is drawn and reported when it has ended.
  const drawn = watchDraws(part, until + (ROUND_SECONDS + 2) * 1_000)
  await Promise.all([
    ...players.map((player, n) => play(part, player, n, { until, issues })),
    follow(issues, until),
    watchMemory(part, until),
  ])
  if (attacker) part.answers = await attacker.stop()
  await drawn
  for (const game of GAMES) await countRounds(part, game, began)
  const drawnIn = `${part.drawn} rounds drawn within ${part.drawDelay.toFixed(2)} s`
  console.log(`  ${name}: ${part.taken} orders, ${drawnIn}, ${JSON.stringify(part.answers)}`)
  return part
}

/** Places orders at a steady pace, whatever their results. */
async function play(
  part: Part,
  player: Member,
  n: number,
  { until, issues }: { until: number; issues: Map<number, string> },
): Promise<void> {
  const game = GAMES[n % GAMES.length] ?? 1
  const headers = { ...from(n), Token: player.token }
  await sleep((PAUSE_MS / PLAYERS) * n)
  while (performance.now() < until) {
    const next = performance.now() + PAUSE_MS
    const order = { game_id: game, plan_id: game * 10 + 1, issue: issues.get(game) ?? '1' }
    const sent = performance.now()
    try {
      const response = await fetch(`${stack.url}/api/Lottery/playOrder`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ ...order, play_type: '[1]', money: 100 }),
        signal: AbortSignal.timeout(7_000),
      })
      const { code, data } = (await response.json()) as { code: number; data: { reason?: string } }
      part.waits.push(performance.now() - sent)
      // Between seal and draw no bet is possible.
      const closed = ['round_sealed', 'round_wrong', 'round_closed'].includes(data?.reason ?? '')
      if (code === 1) part.taken += 1
      else if (!closed) part.failed += 1
    } catch {
      part.waits.push(7_000)
      part.failed += 1
    }
    await sleep(Math.max(0, next - performance.now()))
  }
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

async function watchMemory(part: Part, until: number): Promise<void> {
  while (performance.now() < until) {
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(stack.pid)])
    part.memoryMb = Math.max(part.memoryMb, Number(stdout) / 1024)
    await sleep(500)
  }
}

/**
 * Reads how long after its round's end the last draw was stored. The rounds of all games end at the same instant, so
 * the last of their draws is the latest.
 */
async function watchDraws(part: Part, until: number): Promise<void> {
  const read = () => readMetrics(stack).catch(() => new Map<string, number>())
  const countOf = (metrics: Map<string, number>) =>
    metrics.get('sum28_engine_rounds{result="drawn"}') ?? 0
  const before = countOf(await read())
  while (performance.now() < until) {
    const metrics = await read()
    // Until then the delay is that of a round of the part before.
    if (countOf(metrics) > before) {
      part.drawDelay = Math.max(part.drawDelay, metrics.get('sum28_draw_delay_seconds') ?? 0)
    }
    await sleep(250)
  }
}

/** Counts a game's rounds that were drawn or voided since the part began. */
async function countRounds(part: Part, game: number, began: number): Promise<void> {
  const body = { game_id: game, limit: 20 }
  const reply = await fetch(`${stack.url}/api/Lottery/issueList`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...from(201) },
    body: JSON.stringify(body),
  })
  const { data } = (await reply.json()) as { data: { status: string; drawn_at: number }[] }
  for (const { status, drawn_at } of data) {
    if (drawn_at * 1_000 < began) continue
    if (status === 'voided') part.voided += 1
    else part.drawn += 1
  }
}

async function startAttack(
  { url }: Stack,
  { kind, address, tokens }: { kind: string; address: string; tokens: readonly string[] },
) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ATTACKER, kind, new URL(url).port, address].concat(
      await chainHash(url),
      ...tokens,
    ),
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  // A real attacker has his own machine; here he shares one with the server.
  setPriority(child.pid ?? 0, constants.priority.PRIORITY_BELOW_NORMAL)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
  })
  return {
    async stop(): Promise<Record<string, number>> {
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await ended
      return output ? (JSON.parse(output) as Record<string, number>) : {}
    },
  }
}

/** The chain hash of the local beacon; a begun round names it. */
async function chainHash(url: string): Promise<string> {
  // The round that is shown may not have been opened yet.
  return eventually(async () => {
    const { gameList } = (await post(stack, '/api/Lottery/index', { game_id: 1 }, from(202))) as {
      gameList: { issue: { issue: string } }[]
    }
    const query = new URLSearchParams({ game_id: '1', issue: gameList[0]?.issue.issue ?? '' })
    const round = await fetch(`${url}/api/fairness/round?${query}`, { headers: from(202) })
    return /"chain_hash":"([0-9a-f]{64})"/.exec(await round.text())?.[1]
  })
}

function printParts(parts: readonly Part[]): void {
  const [first] = parts
  const ratio = (value: number, of: number | undefined) => (of ? (value / of).toFixed(2) : '–')
  console.log(
    `\n| attack | orders taken a second | ratio | p50 ms | ratio | p99 ms | ratio | failed | rounds drawn | longest delay of a draw, s | voided | server MB |`,
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|---|---|')
  for (const part of parts) {
    const rate = part.taken / PART_SECONDS
    const [p50, p99] = [quantile(part, 0.5), quantile(part, 0.99)]
    const cells = [
      part.name,
      rate.toFixed(1),
      ratio(part.taken, first?.taken),
      p50.toFixed(0),
      ratio(p50, first && quantile(first, 0.5)),
      p99.toFixed(0),
      ratio(p99, first && quantile(first, 0.99)),
      part.failed,
      part.drawn,
      part.drawDelay.toFixed(2),
      part.voided,
      part.memoryMb.toFixed(0),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

function quantile({ waits }: Part, share: number): number {
  const sorted = [...waits].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
