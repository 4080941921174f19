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
import type { Load } from './load-generator.ts'
import { post, startStack } from './stack.ts'

const PASSWORD = 'a long enough passphrase'

/** Orders in one transaction, where many are placed without HTTP. */
const BATCH = 500

type Parameters = Readonly<Record<string, string>>

export type BenchPlayer = { id: number; token: string }

export type Product = Awaited<ReturnType<typeof startProduct>>

/**
 * Starts PostgreSQL and the server, each in a process of its own, and waits until a round of each game runs. Rounds
 * last an hour, and the limit of requests is off: all players have the same address here.
 *
 * @param environment settings of the server that differ from these
 * @param settings PostgreSQL parameters besides
 * @param prepare fills the database before the server starts
 */
export async function startProduct(
  count: number,
  {
    environment = {},
    settings = {},
    prepare,
  }: {
    environment?: Parameters
    settings?: Parameters
    prepare?: (owner: Database) => Promise<unknown>
  } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'sum28-bench-'))
  const { ownerUrl, stop: stopPostgres } = await startEmbeddedPostgres({
    dataDir: folder,
    settings: { max_connections: '100', ...settings },
  })
  // The owner waits for a connection for as long as a busy machine needs.
  const owner = openDatabase(ownerUrl, { connectionsMax: 4, limits: { connectMs: 60_000 } })
  if (prepare) {
    await migrate(ownerUrl)
    await prepare(owner)
  }
  const stack = await startStack({
    DATABASE_URL: ownerUrl,
    ROUND_SECONDS: '3600',
    SEAL_SECONDS: '1',
    OPENING_HOURS: '00:00-24:00',
    PAYOUT_MAX: '1000000000',
    ...environment,
  })
  await runningRounds({ stack }, 0)
  const postmaster = join(clusterFiles(folder).cluster, 'postmaster.pid')
  return {
    stack,
    port: Number(new URL(stack.url).port),
    owner,
    ownerUrl,
    players: await signedInPlayers(owner, count),
    /** The server and the database, for the generator to watch. */
    watched: {
      server: { pid: stack.pid },
      database: { pid: Number.parseInt(readFileSync(postmaster, 'utf8'), 10), all: true },
    },
    async stop(): Promise<void> {
      await owner.close()
      await stack.stop()
      await stopPostgres()
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
    },
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
  // Not the tables that are empty: PostgreSQL itself makes no statistics of them.
  await owner.query('vacuum analyze accounts.player, accounts.session, ledger.balance')
  return players
}

/** The running round of each game; waits for the next where less than so many seconds are left. */
export async function runningRounds(
  { stack }: { stack: { url: string } },
  secondsLeft: number,
): Promise<Map<number, string>> {
  for (;;) {
    const lobby = await post(stack, '/api/Lottery/index', {})
    const games = lobby.gameList as { id: number; issue: { issue: string; openTime1: number } }[]
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
  const path = '/api/Lottery/playOrder'
  return { port, path, keyed: true, ratePerSecond: null, watched, ...load }
}

/** Orders of all players for a load of so many milliseconds: their rounds stay open for twice as long. */
export async function ordersFor(
  product: Product,
  ms: number,
  rooms: 1 | 16 = 16,
): Promise<Load['requests']> {
  return ordersOf(product.players, await runningRounds(product, (2 * ms) / 1_000), rooms)
}

/** The room of a player by his place, and its least stake in u: the 16 rooms are four of each game. */
function roomOf(index: number) {
  const gameId = 1 + (index % 4)
  const room = Math.floor((index % 16) / 4)
  return { gameId, roomId: gameId * 10 + 1 + room, u: [100, 200, 500, 1_000][room] ?? 0 }
}

/** Orders of all players, over so many rooms; 1 is the first of them. */
export function ordersOf(
  players: readonly BenchPlayer[],
  issues: ReadonlyMap<number, string>,
  rooms: 1 | 16,
): Load['requests'] {
  return players.map(({ token }, index) => {
    const { gameId, roomId, u } = roomOf(index % rooms)
    const order = {
      issue: issues.get(gameId),
      plan_id: roomId,
      game_id: gameId,
      money: u,
      lang: 'en',
      play_type: index % 3 === 0 ? '[1,4]' : '[2]',
    }
    return { token, body: JSON.stringify(order) }
  })
}

/** Places the next bet with each call, all in the first room of the first game, by one player after the other. */
export async function betsBy(
  { stack }: Pick<Product, 'stack'>,
  players: readonly BenchPlayer[],
): Promise<() => Promise<unknown>> {
  const orders = ordersOf(players, await runningRounds({ stack }, 600), 1)
  let placed = 0
  return () => {
    const { token, body } = orders[placed++ % orders.length] as (typeof orders)[number]
    return post(stack, '/api/Lottery/playOrder', JSON.parse(body), { Token: token })
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
    const { gameId, roomId } = roomOf(index)
    const beat = { plan_id: roomId, game_id: gameId, after, lang: 'en' }
    return { token, body: JSON.stringify(beat) }
  })
}

/** A stream of each player, over the 16 rooms. @param ofNetwork how many have one network */
export function streamsOf(players: readonly BenchPlayer[], ofNetwork: number) {
  return players.map(({ token }, index) => {
    const { gameId, roomId } = roomOf(index)
    const network = Math.floor(index / ofNetwork)
    return {
      path: `/api/Lottery/stream?plan_id=${roomId}&game_id=${gameId}`,
      token,
      gameId,
      network: `10.${Math.floor(network / 250)}.${network % 250}.1`,
    }
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
      const { gameId, roomId, u } = roomOf(index)
      return {
        ord,
        player_id: players[index]?.id ?? 0,
        key: null,
        follow_id: null,
        game_id: gameId,
        issue: issues.get(gameId) ?? '',
        room_id: roomId,
        rule_ids: [2],
        stake: String(u * 1_000_000),
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
