/** Data that tests need in a database before they begin: players with money, rounds, bets. */
import { createHash, randomBytes } from 'node:crypto'
import { MICRO } from '@sum28/domain/money.ts'
import type { Queryable, Transaction } from '#src/db/database.ts'
import { type OrderRow, placeOrders } from '#src/modules/bets/place-bet.ts'
import { sealRound, settleRound } from '#src/modules/bets/round-bets.ts'
import { type DrawInputs, storeDraw, voidRound } from '#src/modules/rounds/round-store.ts'
import type { TestDatabase } from './test-database.ts'

/** Adds a player with some u, as if he had deposited them. */
export async function addPlayer(
  { owner }: TestDatabase,
  { u = 1_000, robot = false, name }: { u?: number; robot?: boolean; name?: string } = {},
): Promise<number> {
  const username = name ?? `p${randomBytes(5).toString('hex')}`
  const id = await owner.value<number>(
    `insert into accounts.player (username, email, email_key, group_id, kind)
       values ($1, $2, lower($2), 1, $3) returning id`,
    [username, robot ? null : `${username}@example.org`, robot ? 'robot' : 'person'],
  )
  if (u > 0) await giveMoney(owner, { playerId: id, u, robot })
  return id
}

/** Adds so many players, each with some u. */
export async function addPlayers(
  database: TestDatabase,
  count: number,
  balance: { u?: number } = {},
): Promise<number[]> {
  const players: number[] = []
  while (players.length < count) players.push(await addPlayer(database, balance))
  return players
}

/** Gives a player so many u, to the cent, as if he had deposited them. */
export async function giveMoney(
  owner: Queryable,
  { playerId, u, robot = false }: { playerId: number; u: number; robot?: boolean },
): Promise<void> {
  const amount = (BigInt(Math.round(u * 100)) * MICRO) / 100n
  await owner.query(
    `select wallet.move($4, array[row($1, app.now()::date, $2, 'test:' || $3)::wallet.movement])`,
    [playerId, amount, randomBytes(6).toString('hex'), robot ? 'robot_funding' : 'deposit'],
  )
}

type Movement = { playerId: number; micro: bigint; reference: string; day?: string }

/** Posts a movement of a player's money. */
export async function moveMoney(
  by: Pick<Queryable, 'query'>,
  kind: string,
  { playerId, micro, reference, day = '2026-11-20' }: Movement,
): Promise<void> {
  await by.query('select wallet.move($1, array[row($2, $3, $4, $5)::wallet.movement])', [
    ...[kind, playerId, day, micro, reference],
  ])
}

/** Takes a deposit, from an address of the chain or not: it is credited, or held if its player may get none. */
export async function takeDeposit(
  by: Pick<Queryable, 'query'>,
  {
    playerId,
    micro,
    reference,
    day = '2026-11-20',
    from = null,
  }: Movement & { from?: string | null },
): Promise<void> {
  await by.query(
    'select protection.credit_deposits(array[row($1, $2, $3, $4)::wallet.movement], array[$5])',
    [playerId, day, micro, reference, from],
  )
}

/** Gives a player an address of any text, as if it were derived from the account key. */
export async function giveAddress(
  owner: Queryable,
  playerId: number,
  address: string,
): Promise<void> {
  await owner.query(
    `with given as (insert into deposits.address (player_id, address) values ($1, $2) returning *)
     insert into deposits.spare_address (account, derivation_index, address)
     select 'test', derivation_index, address from given`,
    [playerId, address],
  )
}

/** A transfer to an address, as the functions of deposits take it. `log_index`: 0 if it is not said. */
type ChainTransfer = { tx: string; log?: number; from?: string; to: string; amount: bigint }

/** Takes a block of the chain with these transfers; returns what was credited or held. */
export function takeBlock(
  by: Pick<Queryable, 'query'>,
  {
    chain = 'c',
    block,
    transfers,
    again = false,
  }: { chain?: string; block: number; transfers: readonly ChainTransfer[]; again?: boolean },
) {
  const rows = transfers.map(({ tx, log = 0, from = 'T0', to, amount }) => ({
    tx_id: tx,
    log_index: log,
    from_address: from,
    to_address: to,
    amount: String(amount),
  }))
  return by.query<{ playerId: number; amount: bigint; txId: string; held: boolean }>(
    `select player_id as "playerId", amount, tx_id as "txId", held
     from deposits.take_block($1, $2, app.now(), $3, app.now()::date, $4)`,
    [chain, block, JSON.stringify(rows), again],
  )
}

export type TestRound = {
  gameId: number
  issue: string
  opensAt: number
  sealsAt: number
  drawsAt: number
}

let roundNumber = 0

/** Opens a round that began ten seconds ago and seals in `secondsLeft`; by default with its own number. */
export async function openTestRound(
  database: TestDatabase,
  {
    gameId = 1,
    secondsLeft = 60,
    issue,
    gameDay = '2026-11-20',
    sealSeconds = 10,
    waitSeconds = 600,
  }: {
    gameId?: number
    secondsLeft?: number
    issue?: string | undefined
    gameDay?: string
    sealSeconds?: number
    /** How long it waits for its value after its end. */
    waitSeconds?: number
  } = {},
): Promise<TestRound> {
  const { owner } = database
  const now = await owner.value<number>('select app.now() as now')
  const [chain] = await owner.column<number>('select id from fairness.chain where game_id = $1', [
    gameId,
  ])
  const chainId =
    chain ??
    (await owner.value<number>(
      `insert into fairness.chain (game_id, length, commitment, encrypted_secret, key_id)
         values ($1, 1000, $2, $2, 'test') returning id`,
      [gameId, randomBytes(32)],
    ))
  roundNumber += 1
  const round = {
    gameId,
    issue: issue ?? `20261120${String(roundNumber).padStart(3, '0')}`,
    opensAt: now - 10_000,
    sealsAt: now + secondsLeft * 1000,
    drawsAt: now + (secondsLeft + sealSeconds) * 1000,
  }
  // Of any day, which no house opens.
  await owner.query(
    `with taken as (update fairness.chain set used = used + 1 where id = $8 returning used)
     insert into rounds.round (game_id, issue, game_day, number, opens_at, seals_at, draws_at, chain_id, chain_index,
       beacon_kind, beacon_chain_hash, beacon_public_key, beacon_scheme, beacon_genesis, beacon_period, beacon_round,
       voids_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, used, 'local', 'test', 'test', 'test', $9, 3, 2, $10 from taken`,
    [
      gameId,
      round.issue,
      gameDay,
      roundNumber,
      new Date(round.opensAt),
      new Date(round.sealsAt),
      new Date(round.drawsAt),
      chainId,
      // Its second value, three seconds after its first, is the first after the round's end.
      Math.ceil(round.drawsAt / 1000) - 3,
      new Date(round.drawsAt + waitSeconds * 1000),
    ],
  )
  return round
}

/** An order for the basic room of a round's game: by default 100 u on long. */
export function orderFor(
  playerId: number,
  round: TestRound,
  {
    ruleIds = [1],
    u = 100,
    room = 1,
    key = null,
  }: { ruleIds?: number[]; u?: number; room?: 1 | 2 | 3 | 4; key?: string | null } = {},
): Omit<OrderRow, 'ord'> {
  return {
    player_id: playerId,
    key,
    game_id: round.gameId,
    issue: round.issue,
    room_id: round.gameId * 10 + room,
    rule_ids: ruleIds,
    stake: String(BigInt(Math.round(u * 100)) * 10_000n),
    follow_id: null,
    nonce: randomBytes(16).toString('hex'),
  }
}

/** Places orders as one batch and returns their reasons, null for an accepted bet. */
export async function placeAll(
  { db }: TestDatabase,
  orders: Omit<OrderRow, 'ord'>[],
): Promise<(string | null)[]> {
  const placed = await placeOrders(
    db,
    orders.map((order, ord) => ({ ...order, ord })),
  )
  return placed.map(({ reason }) => reason)
}

/** Places orders as one batch, all of which are accepted. */
export async function placeAccepted(
  database: TestDatabase,
  orders: Omit<OrderRow, 'ord'>[],
): Promise<void> {
  const reasons = await placeAll(database, orders)
  if (reasons.some((reason) => reason !== null)) throw new Error(`refused: ${reasons}`)
}

/** Places a bet of each player as one batch: by default 100 u on long. */
export async function betOfEach(
  database: TestDatabase,
  round: TestRound,
  players: readonly number[],
  choice: Parameters<typeof orderFor>[2] = {},
): Promise<void> {
  await placeAccepted(
    database,
    players.map((player) => orderFor(player, round, choice)),
  )
}

/**
 * Places an order in vain while a transaction holds its player's balance, and again after it.
 *
 * @param holding what the transaction does
 * @returns the reason of the second answer
 */
export async function placeAfter(
  database: TestDatabase,
  order: Omit<OrderRow, 'ord'>,
  holding: (tx: Transaction) => Promise<unknown>,
): Promise<string | null | undefined> {
  await database.owner.transaction(async (tx) => {
    await holding(tx)
    const [reason] = await placeAll(database, [order])
    if (reason !== 'busy') throw new Error(`its balance was not held: ${reason}`)
  })
  return (await placeAll(database, [order]))[0]
}

/** A beacon's value of the right form with a seed and digits, another one each time. */
export function someDraw(digits: DrawInputs['digits'] = [1, 2, 3]): DrawInputs {
  const signature = randomBytes(48)
  const randomness = createHash('sha256').update(signature).digest()
  return { seed: randomBytes(32), signature, randomness, digits }
}

/** Seals a round and closes its book, with the clock set to the seal. */
export async function sealTestRound(database: TestDatabase, round: TestRound): Promise<void> {
  await database.freezeClock(round.sealsAt)
  if (!(await sealRound(database.db, round))) throw new Error('the round could not be sealed')
}

/** Voids a round that was not sealed, with the clock set to its end. */
export async function voidTestRound(database: TestDatabase, round: TestRound): Promise<void> {
  await database.freezeClock(round.drawsAt)
  const done = await voidRound(database.db, round, 'sealed_late')
  if (!done) throw new Error('the round could not be voided')
}

/** Seals a round, closes its book and draws the given digits, with the clock set to seal and end. */
export async function drawTestRound(
  database: TestDatabase,
  round: TestRound,
  digits: readonly [number, number, number],
): Promise<void> {
  await sealTestRound(database, round)
  await database.freezeClock(round.drawsAt + 1)
  await storeDraw(database.db, round, someDraw(digits))
}

/** Draws a round, nines if no digits are given, and settles all of its bets; returns how many they were. */
export async function settleTestRound(
  database: TestDatabase,
  round: TestRound,
  digits: readonly [number, number, number] = [9, 9, 9],
): Promise<number> {
  await drawTestRound(database, round, digits)
  return settleRound(database.db, round, '2026-11-20')
}

/** A player's free balance in micro-units. */
export async function cashOf({ db }: TestDatabase, playerId: number): Promise<bigint> {
  return db.value<bigint>('select cash from ledger.balance where holder_id = $1', [playerId])
}

/** A deposit of 100 u that staff have paid back on the chain, by a transaction that is not read there yet or is another. */
export async function addRefund(
  { owner }: Pick<TestDatabase, 'owner'>,
  { playerId, chain }: { playerId: number; chain: 'awaited' | 'seen' | 'wrong' },
): Promise<void> {
  const id = await owner.value<number>(
    `insert into protection.held_deposit (player_id, amount, reference, from_address, because, held_at)
     values ($1, 100000000, 'usdt:refund:' || $1::integer, 'T', 'excluded', app.now()) returning id`,
    [playerId],
  )
  await owner.query(
    `update protection.held_deposit set state = 'refunded', decided_by = 1, decided_at = app.now(),
       refund_reference = 'refund ' || id, refund_chain = 'awaited' where id = $1`,
    [id],
  )
  if (chain === 'awaited') return
  await owner.query('update protection.held_deposit set refund_chain = $2 where id = $1', [
    id,
    chain,
  ])
}
