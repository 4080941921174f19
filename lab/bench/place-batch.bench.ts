/**
 * How long the database takes for a batch of orders, by the size of the batch, without a disk: an order in a batch
 * beside an order alone. With BENCH_OTHER_SQL, a folder like apps/server/sql of another version, that version's
 * batches run in between, on the same server in the same run.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startEmbeddedPostgres } from '@sum28/server/src/adapters/postgres/embedded-postgres.ts'
import { type Database, openDatabase } from '@sum28/server/src/db/database.ts'
import { migrate, OWN_SQL, type SqlFolders } from '@sum28/server/src/db/migrate.ts'
import { type OrderRow, placeOrders } from '@sum28/server/src/modules/bets/bet-store.ts'
import { addPlayers } from './database.ts'
import { isShort, median, printTable, saveFigures } from './report.ts'

const SIZES = [1, 10, 50, 200, 500]
const PLAYERS = 1_000
const BATCHES = isShort ? 12 : 60
const WARM_UP = isShort ? 2 : 10

type Side = { db: Database; players: number[]; round: { gameId: number; issue: string } }

const other = process.env.BENCH_OTHER_SQL
const folder = mkdtempSync(join(tmpdir(), 'sum28-bench-'))
const server = await startEmbeddedPostgres({ dataDir: folder, settings: { fsync: 'off' } })
try {
  const sides = [await side('ours', OWN_SQL)]
  if (other) sides.push(await side('other', foldersOf(other)))
  const rows = []
  let alone = Number.NaN
  for (const size of SIZES) {
    const times = sides.map((): number[] => [])
    for (let turn = 0; turn < BATCHES; turn++) {
      for (const [index, each] of sides.entries()) {
        const ms = await timeOfBatch(each, { size, turn })
        if (turn >= WARM_UP) times[index]?.push(ms)
      }
    }
    const [ours = 0, others] = times.map(median)
    if (size === 1) alone = ours
    rows.push({
      name: `a batch of ${size}`,
      ms: ours,
      'ms an order': ours / size,
      '× faster than alone': (alone * size) / ours,
      ...(others && { 'the other version, ms': others, '× the other': others / ours }),
    })
  }
  printTable('Orders in a batch', rows)
  saveFigures('place-batch', { rows })
  await Promise.all(sides.map(({ db }) => db.close()))
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

function foldersOf(sql: string): SqlFolders {
  const at = (name: string) => pathToFileURL(`${resolve(sql, name)}/`)
  return { migrations: at('migrations'), functions: at('functions') }
}

async function side(name: string, sql: SqlFolders): Promise<Side> {
  const admin = openDatabase(server.ownerUrl, { connectionsMax: 1 })
  await admin.query(`create database ${name}`)
  await admin.close()
  const url = new URL(server.ownerUrl)
  url.pathname = `/${name}`
  await migrate(url.href, sql)
  const db = openDatabase(url.href, { connectionsMax: 1 })
  await db.query('update games.house set clocks_agreed_at = null')
  return { db, players: await addPlayers(db, PLAYERS), round: await openBenchRound(db) }
}

async function timeOfBatch(
  { db, players, round }: Side,
  { size, turn }: { size: number; turn: number },
): Promise<number> {
  const batch = Array.from({ length: size }, (_, ord): OrderRow => {
    return {
      ord,
      player_id: players[(turn * size + ord) % players.length] as number,
      key: randomBytes(16).toString('hex'),
      input_hash: '00',
      game_id: round.gameId,
      issue: round.issue,
      room_id: 11,
      rule_ids: [1],
      stake: '100000000',
      follow_id: null,
      nonce: randomBytes(16).toString('hex'),
    }
  })
  const start = performance.now()
  const placed = await placeOrders(db, batch)
  const ms = performance.now() - start
  if (placed.some(({ reason }) => reason !== null)) throw new Error('an order was refused')
  return ms
}

/** Opens a round of the first game that takes bets for an hour. */
async function openBenchRound(owner: Database): Promise<{ gameId: number; issue: string }> {
  const issue = `20261120${String(100 + (Math.floor(performance.now()) % 900)).padStart(3, '0')}`
  const bytes = randomBytes(32)
  await owner.query(
    `insert into fairness.chain (game_id, length, commitment, encrypted_secret, key_id)
     values (1, 1000, $1, $1, 'bench')`,
    [bytes],
  )
  await owner.query(
    `select rounds.open(1::smallint, $1, '2026-11-20', 1, app.now() - interval '1 minute',
       app.now() + interval '1 hour', app.now() + interval '2 hours', max(id), 'local', 'b', 'b', 'b',
       ceil(extract(epoch from app.now()))::bigint + 7200, 3, 1)
     from fairness.chain`,
    [issue],
  )
  return { gameId: 1, issue }
}
