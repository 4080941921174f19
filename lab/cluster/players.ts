/** Players who bet and read balance and history through both API processes, and write down each reply. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { amountFromWire, MICRO } from '@sum28/domain/money.ts'
import { type Database, only } from '@sum28/server/src/db/database.ts'
import { hashSecret, newSecret } from '@sum28/server/src/modules/accounts/session.ts'
import type { Call, Outcome } from './history.ts'
import { until } from './parts.ts'

export type Player = { id: number; token: string }

/** The starting balance of players, in u. */
const BEGIN_WITH_U = 1_000_000n

/** The room and stake of all: the minimum of the first room. */
const ROOM = { plan_id: 11, game_id: 1 }
const STAKE = { play_type: '[1]', money: 100 }

/** How long a player waits for a reply, as every client does. */
const TRY_MS = 7_000
/** The pause before a call is repeated that was not answered. */
const AGAIN_MS = 500
/** The pause between two orders of a player, at least; at most twice as much. */
const PAUSE_MS = 500

/** How long an order without an answer is still repeated after the end: only an end for what hangs. */
const GIVE_UP_MS = 600_000

/** Reasons that say nothing about the order: it is sent again. */
const ASK_AGAIN = new Set(['unavailable', 'too_many_requests', 'fault'])

/** Adds players with money and a session each. Where the connection breaks, another takes the place of the one begun. */
export async function addPlayers(owner: Database, count: number): Promise<Player[]> {
  const players: Player[] = []
  while (players.length < count) {
    players.push(await until('a player is there', () => addPlayer(owner)))
  }
  return players
}

async function addPlayer(owner: Database): Promise<Player> {
  const name = `cluster${randomBytes(4).toString('hex')}`
  const email = `${name}@example.org`
  const token = newSecret()
  const { id } = only(
    await owner.query<{ id: number }>(
      `insert into accounts.player (username, email, email_key, group_id)
       values ($1, $2, $3, 1) returning id`,
      [name, email, email],
    ),
  )
  await owner.query(
    `select wallet.move('deposit', array[row($1, current_date, $2, $3)::wallet.movement])`,
    [id, BEGIN_WITH_U * MICRO, `cluster:${id}`],
  )
  await owner.query(
    'insert into accounts.session (token_hash, player_id, net_at_start) values ($1, $2, 0)',
    [hashSecret(token), id],
  )
  return { id, token }
}

/** Lets the players play until they are stopped. */
export function startPlaying(players: readonly Player[], apis: readonly string[]) {
  const calls: Call[] = []
  let stopping = false
  let giveUpAt = Number.POSITIVE_INFINITY
  let issue = ''

  async function send(
    { player, index }: { player: Player; index: number },
    turn: number,
    { path, body, key }: { path: string; body: object; key?: string },
  ): Promise<{ outcome: Outcome; from: number; until: number; api: string }> {
    const api = apis[turn % apis.length] ?? ''
    const from = Date.now()
    const outcome = await answerOf(api + path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Token: player.token,
        'X-Forwarded-For': `10.1.${index >> 8}.${index & 255}`,
        ...(key ? { 'Idempotency-Key': key } : {}),
      },
      body: JSON.stringify({ ...body, lang: 'en', host: 'localhost' }),
      signal: AbortSignal.timeout(TRY_MS),
    })
    return { outcome, from, until: Date.now(), api }
  }

  async function play(player: Player, index: number): Promise<void> {
    const who = { player, index }
    const ofPlayer = { player: player.id }
    for (let turn = index; !stopping; turn += 1) {
      await sleep(PAUSE_MS * (1 + Math.random()))
      if (issue === '') continue
      const key = randomBytes(12).toString('hex')
      const order = { path: '/api/Lottery/playOrder', body: { ...ROOM, ...STAKE, issue }, key }
      for (let answered = false; !answered && Date.now() < giveUpAt; turn += 1) {
        const { outcome, ...reply } = await send(who, turn, order)
        calls.push({ ...ofPlayer, kind: 'order', key, outcome, ...reply })
        answered = outcome.kind === 'accepted' || outcome.kind === 'refused'
        if (!answered) await sleep(AGAIN_MS)
      }
      if (turn % 3 === 0) {
        calls.push({ ...ofPlayer, kind: 'order', key, ...(await send(who, turn, order)) })
      }
      const read = await send(who, turn, { path: '/api/user/userInfo', body: {} })
      calls.push({ ...ofPlayer, kind: 'balance', key: null, ...read })
      if (turn % 4 !== 0) continue
      const history = await send(who, turn, { path: '/api/user/orderTotals', body: aroundToday() })
      calls.push({ ...ofPlayer, kind: 'history', key: null, ...history })
    }
  }

  /** Reads the running round; players bet on the last known one. */
  async function watch(): Promise<void> {
    const [player] = players
    for (let turn = 0; !stopping && player; turn += 1) {
      const api = apis[turn % apis.length] ?? ''
      const seen = await issueBy(api, player.token).catch(() => null)
      if (seen) issue = seen
      await sleep(AGAIN_MS)
    }
  }

  const all = Promise.all([watch(), ...players.map(play)])
  return {
    /** Every call so far. */
    calls: calls as readonly Call[],
    /** Resolves after each player's running order has its answer, or is given up. */
    async stop(): Promise<void> {
      stopping = true
      giveUpAt = Date.now() + GIVE_UP_MS
      await all
    },
  }
}

/** Days which include the game's today, whatever zone it is of. */
function aroundToday(): { begin_date: string; end_date: string } {
  const dayIn = (days: number) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  return { begin_date: dayIn(-2), end_date: dayIn(2) }
}

type Envelope = {
  code: number
  data: { reason?: string; id?: number; money?: string; count?: number; after_quantity?: string }
}

async function answerOf(url: string, init: RequestInit): Promise<Outcome> {
  let reply: Envelope
  try {
    const response = await fetch(url, init)
    reply = (await response.json()) as Envelope
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } }
    return { kind: 'none', why: name === 'TimeoutError' ? 'time-out' : (cause?.code ?? name) }
  }
  const { code, data } = reply
  if (code === 1) {
    if (data.count !== undefined) return { kind: 'counted', bets: data.count }
    if (data.money !== undefined) return { kind: 'read', micro: amountFromWire(data.money) }
    const cashAfter = amountFromWire(data.after_quantity ?? '')
    return { kind: 'accepted', betId: data.id ?? 0, cashAfter }
  }
  const reason = data?.reason ?? `code ${code}`
  return ASK_AGAIN.has(reason) ? { kind: 'none', why: reason } : { kind: 'refused', reason }
}

/** The round that takes bets; empty while none does. */
async function issueBy(api: string, token: string): Promise<string> {
  const response = await fetch(`${api}/api/Lottery/heart`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Token: token, 'X-Forwarded-For': '10.2.0.1' },
    body: JSON.stringify({ ...ROOM, after: 0, lang: 'en', host: 'localhost' }),
    signal: AbortSignal.timeout(TRY_MS),
  })
  const { data } = (await response.json()) as {
    data: { issue: { issue: string; whether_close: boolean } }
  }
  return data.issue.whether_close ? '' : data.issue.issue
}
