/**
 * What a bet and a player take of the disk and of the log: bytes of all tables with their indexes, and of the
 * log that replicas receive, for bets that were placed in batches and settled.
 */
import { randomBytes } from 'node:crypto'
import type { Database } from '@sum28/server/src/db/database.ts'
import { settleRound } from '@sum28/server/src/modules/bets/resolve-round.ts'
import { addPlayers, openBenchRound, startBenchDatabase } from './database.ts'
import { isShort, report } from './report.ts'

const PLAYERS = isShort ? 500 : 5_000
const TURNS = isShort ? 2 : 20
const BATCH = 250
const TODAY = '2026-11-20'

type Size = { tables: number; log: number }

async function sizeOf(owner: Database): Promise<Size> {
  const [row] = await owner.query<Size>(
    `select (select sum(pg_total_relation_size(pg_class.oid)) from pg_class
         join pg_namespace on pg_namespace.oid = relnamespace
         where relkind in ('r', 'm') and nspname not in ('pg_catalog', 'information_schema'))::float8 as tables,
       (pg_current_wal_lsn() - '0/0')::float8 as log`,
  )
  if (!row) throw new Error('the database did not say how large it is')
  return row
}

const { db, owner, stop } = await startBenchDatabase(4)
try {
  const empty = await sizeOf(owner)
  const players = await addPlayers(owner, PLAYERS)
  const before = await sizeOf(owner)
  const round = await openBenchRound(owner)
  for (let turn = 0; turn < TURNS; turn++) {
    for (let first = 0; first < PLAYERS; first += BATCH) {
      const batch = players.slice(first, first + BATCH).map((player, ord) => ({
        ...{ ord, player_id: player, key: randomBytes(16).toString('hex'), input_hash: '00' },
        ...{ game_id: 1, issue: round.issue, room_id: 11, rule_ids: [1, 3], stake: '100000000' },
        ...{ follow_id: null, nonce: randomBytes(16).toString('hex') },
      }))
      await owner.query('select count(*) from bets.place($1::jsonb)', [JSON.stringify(batch)])
    }
  }
  const placed = await sizeOf(owner)
  // The owner ends the round early, as in the bench of settlement.
  await owner.query('alter table rounds.round disable trigger round_guarded')
  await owner.query('alter table rounds.draw disable trigger draw_guarded')
  await owner.query(`update rounds.round set state = 'drawn', seals_at = app.now() - interval '3 s',
    draws_at = app.now() - interval '1 s', sealed_at = app.now(),
    beacon_genesis = ceil(extract(epoch from app.now() - interval '1 s')) - (beacon_round - 1) * beacon_period`)
  await owner.query(
    `insert into rounds.draw (game_id, issue, seed, beacon_signature, randomness, digit_1, digit_2, digit_3)
     values (1, $1, $2, $2, $2, 9, 9, 9)`,
    [round.issue, randomBytes(32)],
  )
  const settled = await settleRound(db, round, TODAY)
  if (settled !== PLAYERS * TURNS) throw new Error(`${settled} were settled`)
  const after = await sizeOf(owner)
  const each = (bytes: number) => bytes / settled
  report(`${settled.toLocaleString('en')} bets of ${PLAYERS.toLocaleString('en')} players`, [
    { name: 'a player, in tables', value: (before.tables - empty.tables) / PLAYERS, unit: 'bytes' },
    { name: 'a bet, in tables, placed', value: each(placed.tables - before.tables), unit: 'bytes' },
    { name: 'a bet, in tables, settled', value: each(after.tables - before.tables), unit: 'bytes' },
    { name: 'a bet, in the log, placed', value: each(placed.log - before.log), unit: 'bytes' },
    { name: 'a bet, in the log, settled', value: each(after.log - before.log), unit: 'bytes' },
  ])
} finally {
  await stop()
}
