/** The product as in production, on a durable PostgreSQL, with players who are signed in and have money. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@sum28/server/src/adapters/postgres/embedded-postgres.ts'
import { clusterFiles } from '@sum28/server/src/adapters/postgres/postgres-cluster.ts'
import { type Database, openDatabase } from '@sum28/server/src/db/database.ts'
import { migrate } from '@sum28/server/src/db/migrate.ts'
import { hashPassword } from '@sum28/server/src/modules/accounts/password.ts'
import { type OrderRow, placeOrders } from '@sum28/server/src/modules/bets/place-bet.ts'
import { addPlayers } from './database.ts'
import type { Load } from './http-load.ts'
import { post, type Stack, startStack } from './stack.ts'

const GAMES = [1, 2, 3, 4] as const

/** The rooms of a game, with the least stake of each in u. */
const ROOMS = [100, 200, 500, 1_000]

const PASSWORD = 'a long enough passphrase'

/** The owner waits for a connection for as long as a busy machine needs. */
const LIMITS = { connectMs: 60_000 }

/** Orders in one transaction, where many are placed without HTTP. */
const BATCH = 500

type Parameters = Readonly<Record<string, string>>

type ProductOptions = {
  environment?: Parameters
  settings?: Parameters
  prepare?: (owner: Database) => Promise<void>
}

export type BenchPlayer = { id: number; token: string }

export type Product = {
  stack: Stack
  port: number
  /** Connects as the owner. */
  owner: Database
  ownerUrl: string
  players: readonly BenchPlayer[]
  /** The server and the database, for the generator to watch. */
  watched: Load['watched']
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL and the server, each in a process of its own, and waits until a round of each game runs. Rounds
 * last an hour, and the limit of requests is off: all players have the same address here.
 *
 * @param environment settings of the server that differ from these
 * @param settings PostgreSQL parameters besides
 * @param prepare fills the database before the server starts
 */
export async function startProduct(
  players: number,
  { environment = {}, settings = {}, prepare }: ProductOptions = {},
): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'sum28-bench-'))
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    settings: { max_connections: '100', ...settings },
  })
  if (prepare) await prepareDatabase(postgres.ownerUrl, prepare)
  const stack = await startStack({
    DATABASE_URL: postgres.ownerUrl,
    ROUND_SECONDS: '3600',
    SEAL_SECONDS: '1',
    OPENING_HOURS: '00:00-24:00',
    PAYOUT_MAX: '1000000000',
    ...environment,
  })
  const owner = openDatabase(postgres.ownerUrl, { connectionsMax: 4, limits: LIMITS })
  await runningRounds({ stack }, 0)
  return {
    stack,
    port: Number(new URL(stack.url).port),
    owner,
    ownerUrl: postgres.ownerUrl,
    players: await signedInPlayers(owner, players),
    watched: {
      server: { pid: stack.pid },
      database: { pid: postmasterOf(folder), all: true },
    },
    async stop() {
      await owner.close()
      await stack.stop()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

async function prepareDatabase(
  ownerUrl: string,
  prepare: (owner: Database) => Promise<void>,
): Promise<void> {
  await migrate(ownerUrl)
  const owner = openDatabase(ownerUrl, { connectionsMax: 4, limits: LIMITS })
  try {
    await prepare(owner)
  } finally {
    await owner.close()
  }
}

/** Adds players with sessions, and with more money than they can stake here. */
async function signedInPlayers(owner: Database, count: number): Promise<BenchPlayer[]> {
  const ids = await addPlayers(owner, count, { micro: 1_000_000_000_000_000n })
  const players = ids.map((id) => ({ id, token: randomBytes(32).toString('base64url') }))
  await owner.query(
    `insert into accounts.session (token_hash, player_id, net_at_start)
     select decode(hash, 'hex'), id, 0 from unnest($1::text[], $2::integer[]) as known (hash, id)`,
    [players.map(({ token }) => createHash('sha256').update(token).digest('hex')), ids],
  )
  await owner.query('vacuum analyze')
  return players
}

function postmasterOf(folder: string): number {
  const line = readFileSync(join(clusterFiles(folder).cluster, 'postmaster.pid'), 'utf8')
  return Number(line.split('\n', 1)[0])
}

/** The running round of each game; waits for the next where less than so many seconds are left. */
export async function runningRounds(
  { stack }: Pick<Product, 'stack'>,
  secondsLeft: number,
): Promise<Map<number, string>> {
  for (;;) {
    const lobby = await post(stack, '/api/Lottery/index', {})
    const games = lobby.gameList as {
      id: number
      status: number
      issue: { issue: string; openTime1: number }
    }[]
    const running = games.every(({ issue }) => issue.issue && issue.openTime1 > secondsLeft)
    if (running) return new Map(games.map(({ id, issue }) => [id, issue.issue]))
    await sleep(500)
  }
}

/** A load of orders that come as fast as they are answered, each with its key. */
export function orderLoad(
  { port, watched }: Product,
  load: Pick<Load, 'clients' | 'requests' | 'warmUpMs' | 'forMs'>,
): Load {
  return {
    port,
    path: '/api/Lottery/playOrder',
    keyed: true,
    ratePerSecond: null,
    watched,
    ...load,
  }
}

/** Orders of all players for a load of so many milliseconds: their rounds stay open for twice as long. */
export async function ordersFor(
  product: Product,
  ms: number,
  rooms: 1 | 16 = 16,
): Promise<Load['requests']> {
  return ordersOf(product.players, await runningRounds(product, (2 * ms) / 1_000), rooms)
}

/** Orders of all players, over so many rooms: 16 are four of each game, and 1 is the first of them. */
export function ordersOf(
  players: readonly BenchPlayer[],
  issues: ReadonlyMap<number, string>,
  rooms: 1 | 16,
): Load['requests'] {
  return players.map(({ token }, index) => {
    const position = rooms === 1 ? 0 : index % 16
    const game = GAMES[position % GAMES.length] ?? 1
    const room = Math.floor(position / GAMES.length)
    const order = {
      issue: issues.get(game),
      plan_id: game * 10 + room + 1,
      game_id: game,
      play_type: index % 3 === 0 ? '[1,4]' : '[2]',
      money: ROOMS[room],
      lang: 'en',
    }
    return { token, body: JSON.stringify(order) }
  })
}

/** Places the next bet with each call, all in the first room of the first game, by one player after the other. */
export async function betsBy(
  product: Pick<Product, 'stack'>,
  players: readonly BenchPlayer[],
): Promise<() => Promise<unknown>> {
  const orders = ordersOf(players, await runningRounds(product, 600), 1)
  let placed = 0
  return () => {
    const { token, body } = orders[placed++ % orders.length] as (typeof orders)[number]
    return post(product.stack, '/api/Lottery/playOrder', JSON.parse(body), { Token: token })
  }
}

/** Gives every player a password; a sign-in of each. */
export async function signInsOf(owner: Database): Promise<Load['requests']> {
  await owner.query('update accounts.player set password_hash = $1', [await hashPassword(PASSWORD)])
  const names = await owner.query<{ name: string }>('select username as name from accounts.player')
  return names.map(({ name }) => ({
    token: '',
    body: JSON.stringify({ account: name, password: PASSWORD }),
  }))
}

/** Heartbeats of all players, over the 16 rooms, of clients that have seen the feed up to an entry. */
export function heartbeatsOf(players: readonly BenchPlayer[], after: number): Load['requests'] {
  return players.map(({ token }, index) => {
    const game = GAMES[index % GAMES.length] ?? 1
    const room = Math.floor((index % 16) / GAMES.length)
    const beat = { plan_id: game * 10 + room + 1, game_id: game, after, lang: 'en' }
    return { token, body: JSON.stringify(beat) }
  })
}

/**
 * Places bets of all players, over all rooms, without HTTP.
 *
 * @returns the id of the last
 */
export async function placeMany(
  { owner, players }: Pick<Product, 'owner' | 'players'>,
  { issues, count }: { issues: ReadonlyMap<number, string>; count: number },
): Promise<number> {
  let last = 0
  for (let placed = 0; placed < count; placed += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - placed) }, (_, ord): OrderRow => {
      const index = (placed + ord) % players.length
      const game = GAMES[index % GAMES.length] ?? 1
      const room = Math.floor((index % 16) / GAMES.length)
      return {
        ord,
        player_id: players[index]?.id ?? 0,
        key: null,
        game_id: game,
        issue: issues.get(game) ?? '',
        room_id: game * 10 + room + 1,
        rule_ids: [2],
        stake: String((ROOMS[room] ?? 0) * 1_000_000),
        follow_id: null,
        nonce: randomBytes(16).toString('hex'),
      }
    })
    for (const { betId, reason } of await placeOrders(owner, batch)) {
      if (betId === null) throw new Error(`a bet was refused: ${reason}`)
      last = Math.max(last, Number(betId))
    }
  }
  return last
}
