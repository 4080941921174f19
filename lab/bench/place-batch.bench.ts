/**
 * What the database does for an order, by the size of the batch, and for the settlement of a bet, without a disk: the
 * processor time of the backend, and the log. Beside them stands the floor: the same rows by plain statements, without
 * a rule.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@sum28/server/src/adapters/postgres/embedded-postgres.ts'
import { type Database, only, openDatabase } from '@sum28/server/src/db/database.ts'
import { migrate } from '@sum28/server/src/db/migrate.ts'
import { type OrderRow, placeOrders } from '@sum28/server/src/modules/bets/place-bet.ts'
import { settleSome } from '@sum28/server/src/modules/bets/round-bets.ts'
import { cpuTimes } from './cpu-times.ts'
import { addPlayers } from './database.ts'
import { type Figure, isShort, medianOf, printTable, type Row, report } from './report.ts'

const SIZES = [1, 10, 50, 200, 500]
/** Batches of this size and larger are those of a busy product. */
const HUNDREDS = 200
const PLAYERS = 1_000
const BATCHES = isShort ? 12 : 60
const WARM_UP = isShort ? 2 : 10
const SETTLED_MAX = 5_000

const PLACE_PLAINLY = `
  with orders as materialized (
    select *, nextval('number') as id, nextval('number') as posting, clock_timestamp() as moment
    from jsonb_to_recordset($1::jsonb) as orders (ord integer, player_id integer, key text, game_id smallint,
      issue bigint, room_id integer, rule_ids smallint[], stake bigint, nonce text)
  ),
  moved as (
    update balance set cash = cash - stake from orders where holder_id = player_id returning holder_id, cash
  ),
  counted as (
    update sums set staked = array[staked[1] + stake, staked[2] + stake, staked[3] + stake]
    from orders where sums.player_id = orders.player_id
  ),
  posted as (
    insert into posting select player_id, posting, '2026-11-20', moment, 1, id, stake, cash
    from orders join moved on holder_id = player_id
  )
  insert into bet (player_id, id, booked_on, game_id, issue, room_id, rule_ids, odds_milli, stake, total, could_pay,
    cash_after, accepted_at, nonce, client_key)
  select player_id, id, '2026-11-20', game_id, issue, room_id, rule_ids, '{1920}', stake, stake, stake * 2, cash,
    moment, decode(nonce, 'hex'), key
  from orders join moved on holder_id = player_id`

const SETTLE_PLAINLY = `
  with settled as (
    update bet set status = case when rule_ids && '{1}' then 'won' else 'lost' end,
      payout = case when rule_ids && '{1}' then stake * odds_milli[1] / 1000 else 0 end, settled_at = now()
    returning player_id, id, booked_on, payout
  ),
  won as (
    select *, nextval('number') as posting, sum(payout) over (partition by player_id order by id) as so_far
    from settled where payout > 0
  ),
  paid as (
    update balance set cash = cash + sum from (select player_id, sum(payout) from won group by player_id) won
    where holder_id = player_id returning holder_id, cash - sum as before
  ),
  counted as (
    update sums set paid = array[paid[1] + sum, paid[2] + sum, paid[3] + sum]
    from (select player_id, sum(payout) from won group by player_id) won where sums.player_id = won.player_id
  ),
  posted as (
    insert into posting select player_id, posting, booked_on, now(), 2, id, payout, before + so_far
    from won join paid on holder_id = player_id
  )
  select count(*)::float8 as bets from settled`

type Round = { gameId: number; issue: string }
type Side = {
  version: 'ours' | 'plain'
  db: Database
  players: number[]
  round: Round
  place(batch: readonly OrderRow[]): Promise<unknown>
  settle(): Promise<number>
}
type Cost = { passedMs: number[]; cpuMs: number; log: number }

const folder = mkdtempSync(join(tmpdir(), 'sum28-bench-'))
// Whole pages in the log tell of checkpoints, and not of orders.
const settings = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off' }
const server = await startEmbeddedPostgres({ dataDir: folder, settings })
try {
  const sides = [await productSide(), await plainSide()]
  const placed = []
  for (const size of SIZES) placed.push(...(await batchesOf(size, sides)))
  const settled = []
  for (const side of sides) settled.push(await settlementOf(side))
  printTable('Orders in a batch, and the settlement of their bets', [...placed, ...settled])
  for (const { version, db } of sides) {
    printTable(`Rows written: ${version}`, await tablesOf(db))
    await db.close()
  }
  report('place-batch', figuresOf(placed, settled), { rows: [...placed, ...settled] })
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

function figuresOf(placed: Measured[], settled: Measured[]): Figure[] {
  const inHundreds = (wanted: Side['version'], of: 'µs' | 'log bytes') =>
    medianOf(
      placed.filter(({ version, each }) => version === wanted && each >= HUNDREDS),
      (row) => row[of],
    )
  const order = inHundreds('ours', 'µs')
  const [bet, plainBet] = settled.map((row) => row.µs) as [number, number]
  const besidePlain = (name: string, value: number, atMost: number) => {
    return { name: `${name} beside plain statements`, value, unit: '×', atMost }
  }
  return [
    { name: 'an order in batches of hundreds', value: order, unit: 'µs', atMost: 120 },
    { name: 'its log', value: inHundreds('ours', 'log bytes'), unit: 'bytes', atMost: 1_500 },
    besidePlain('an order', order / inHundreds('plain', 'µs'), 1.8),
    { name: 'a settled bet', value: bet, unit: 'µs', atMost: 24 },
    besidePlain('a settled bet', bet / plainBet, 2),
  ]
}

type Measured = ReturnType<typeof rowOf>

function rowOf(name: string, { version }: Side, { passedMs, cpuMs, log }: Cost, each: number) {
  const turns = passedMs.length
  return {
    name,
    version,
    each,
    'ms that passed': medianOf(passedMs, (ms) => ms),
    µs: (cpuMs * 1_000) / (turns * each),
    'log bytes': log / (turns * each),
  }
}

async function batchesOf(size: number, sides: readonly Side[]): Promise<Measured[]> {
  const costs = sides.map(newCost)
  for (let turn = 0; turn < BATCHES; turn++) {
    for (const [index, side] of sides.entries()) {
      const batch = batchOf(side, { size, turn })
      const cost = turn < WARM_UP ? newCost() : (costs[index] as Cost)
      await measure(side, cost, () => side.place(batch))
    }
  }
  return costs.map((cost, index) => rowOf(`a batch of ${size}`, sides[index] as Side, cost, size))
}

async function settlementOf(side: Side): Promise<Measured> {
  const cost = newCost()
  await side.db.query('vacuum analyze')
  let bets = 0
  await measure(side, cost, async () => {
    bets = await side.settle()
  })
  return rowOf('a settlement', side, cost, bets)
}

function newCost(): Cost {
  return { passedMs: [], cpuMs: 0, log: 0 }
}

async function measure({ db }: Side, cost: Cost, work: () => Promise<unknown>): Promise<void> {
  const pid = await pidOf(db)
  const from = await endOfLog(db)
  const [before, start] = [cpuTimes({ backend: { pid } }), performance.now()]
  await work()
  cost.passedMs.push(performance.now() - start)
  cost.cpuMs += (cpuTimes({ backend: { pid } }).backend ?? 0) - (before.backend ?? 0)
  cost.log += (await endOfLog(db)) - from
}

async function endOfLog(db: Database): Promise<number> {
  const text = `select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`
  return only(await db.query<{ bytes: number }>(text)).bytes
}

/** What a database's tables of many rows were written. */
function tablesOf(db: Database) {
  return db.query<Row>(
    `select schemaname || '.' || relname as name, n_tup_ins::float8 as inserted, n_tup_upd::float8 as updated,
       n_tup_hot_upd::float8 as "of it HOT", n_tup_del::float8 as deleted,
       (select count(*)::float8 from pg_index where indrelid = relid) as indexes
     from pg_stat_user_tables where n_tup_ins + n_tup_upd > ${PLAYERS} order by 1`,
  )
}

async function openSide(name: string) {
  const admin = openDatabase(server.ownerUrl, { connectionsMax: 1 })
  await admin.query(`create database ${name}`)
  await admin.close()
  const url = new URL(server.ownerUrl)
  url.pathname = `/${name}`
  const db = openDatabase(url.href, { connectionsMax: 1, limits: { statementMs: 0 } })
  return { url: url.href, db }
}

async function pidOf(db: Database): Promise<number> {
  return only(await db.query<{ pid: number }>('select pg_backend_pid() as pid')).pid
}

async function productSide(): Promise<Side> {
  const { url, db } = await openSide('ours')
  await migrate(url)
  await db.query('update games.house set clocks_compared_at = null')
  const players = await addPlayers(db, PLAYERS)
  const round = await openBenchRound(db)
  return {
    version: 'ours',
    db,
    players,
    round,
    async place(batch) {
      const placed = await placeOrders(db, batch)
      if (placed.some(({ reason }) => reason !== null)) throw new Error('an order was refused')
    },
    async settle() {
      await drawRound(db, round)
      let bets = 0
      for (;;) {
        const settled = await settleSome(db, round, { max: SETTLED_MAX, onDay: '2026-11-20' })
        bets += settled
        if (settled < SETTLED_MAX) return bets
      }
    },
  }
}

/** Half of the orders are on an outcome that the sum 27 hits. */
function batchOf(
  { players, round }: Side,
  { size, turn }: { size: number; turn: number },
): OrderRow[] {
  return Array.from({ length: size }, (_, ord) => ({
    ord,
    player_id: players[(turn * size + ord) % players.length] as number,
    key: randomBytes(16).toString('hex'),
    game_id: round.gameId,
    issue: round.issue,
    room_id: 11,
    rule_ids: [1 + (ord % 2)],
    stake: '100000000',
    follow_id: null,
    nonce: randomBytes(16).toString('hex'),
  }))
}

/** Opens a round of the first game that takes bets for an hour. */
async function openBenchRound(owner: Database): Promise<Round> {
  const issue = '20261120100'
  await owner.query(
    `insert into fairness.chain (game_id, length, commitment, encrypted_secret, key_id)
     values (1, 1000, $1, $1, 'bench')`,
    [randomBytes(32)],
  )
  await owner.query(
    `insert into rounds.round (game_id, issue, game_day, number, opens_at, seals_at, draws_at, chain_id, chain_index,
       beacon_kind, beacon_chain_hash, beacon_public_key, beacon_scheme, beacon_genesis, beacon_period, beacon_round,
       voids_at)
     select 1, $1, '2026-11-20', 1, now() - interval '1 minute', now() + interval '1 hour', now() + interval '2 hours',
       max(id), 1, 'local', 'b', 'b', 'b', ceil(extract(epoch from now()))::bigint + 7200, 3, 1,
       now() + interval '3 hours'
     from fairness.chain`,
    [issue],
  )
  return { gameId: 1, issue }
}

/** Draws the sum 27 before the round's time, with triggers off. */
async function drawRound(owner: Database, { gameId, issue }: Round): Promise<void> {
  for (const text of [
    'set session_replication_role = replica',
    `update rounds.round set state = 'drawn', sealed_at = seals_at, book_root = sha256(''), book_size = 0
     where game_id = ${gameId} and issue = ${issue}`,
    `insert into rounds.draw (game_id, issue, seed, beacon_signature, randomness, digit_1, digit_2, digit_3)
     values (${gameId}, ${issue}, sha256('seed'), '', sha256(''), 9, 9, 9)`,
    'reset session_replication_role',
  ]) {
    await owner.query(text)
  }
}

/** The rows of the product's bets, without what makes them true: no rule, trigger, partition or reference. */
async function plainSide(): Promise<Side> {
  const { db } = await openSide('plain')
  const players = Array.from({ length: PLAYERS }, (_, n) => n + 1)
  for (const text of [
    `create sequence number`,
    `create table balance (holder_id integer primary key, cash bigint not null check (cash >= 0)) with (fillfactor = 50)`,
    `create table sums (player_id integer primary key, staked bigint[] not null, paid bigint[] not null)
       with (fillfactor = 70)`,
    `create table bet (player_id integer not null, id bigint not null, booked_on date not null, game_id smallint not null,
       issue bigint not null, room_id integer not null, rule_ids smallint[] not null, odds_milli integer[] not null,
       stake bigint not null, total bigint not null, could_pay bigint not null, cash_after bigint not null,
       accepted_at timestamptz not null, nonce bytea not null, client_key text not null,
       status text not null default 'accepted', payout bigint not null default 0, settled_at timestamptz,
       primary key (player_id, id), unique (player_id, client_key)) with (fillfactor = 50)`,
    `create index bet_of_round on bet (game_id, issue, id)`,
    `create index bet_of_round_of_player on bet (game_id, issue, player_id, id)`,
    `create table posting (holder_id integer not null, id bigint not null, booked_on date not null,
       posted_at timestamptz not null, kind smallint not null, cause bigint not null, amount bigint not null,
       cash_after bigint not null, primary key (holder_id, id), unique (holder_id, kind, cause))`,
    `insert into balance select n, 1000000000000000 from generate_series(1, ${PLAYERS}) n`,
    `insert into sums select n, '{0,0,0}', '{0,0,0}' from generate_series(1, ${PLAYERS}) n`,
  ]) {
    await db.query(text)
  }
  return {
    version: 'plain',
    db,
    players,
    round: { gameId: 1, issue: '20261120100' },
    place: (batch) => db.query(PLACE_PLAINLY, [JSON.stringify(batch)], { prepared: true }),
    async settle() {
      const bets = await db.query<{ bets: number }>(SETTLE_PLAINLY)
      return only(bets).bets
    },
  }
}
