/**
 * Goal: with a token every stream carries what changes of its own player, wherever it was changed, and nothing of
 * anybody else; any number of players cost one read. Method: a real server whose database other hands change.
 */
import type { OwnState } from '@sum28/contract/stream.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { settleRound } from '#src/modules/bets/round-bets.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { exclude } from '#src/modules/protection/protection-store.ts'
import {
  addPlayer,
  drawTestRound,
  giveAddress,
  giveMoney,
  openTestRound,
  orderFor,
  placeAll,
} from '#testing/database/fixtures.ts'
import { beginWithoutRetry } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { useWorkersApp } from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'
import {
  eventOf,
  openGamesStream,
  openStream,
  type TestStream,
} from '#testing/requests/stream-client.ts'
import { ownEvents } from './own-events.ts'

const ROOM = { plan_id: 11, game_id: 1 }

describe('the own events of a player', () => {
  const test = useWorkersApp()

  it('come in the stream of the games with a token, and to a stranger none', async () => {
    const ann = await addSeatedPlayer(test.database, { u: 40 })
    const [own, strange] = [
      await openGamesStream(test.app.url, ann),
      await openGamesStream(test.app.url),
    ]
    const { money, version } = (await test.call(userInfo, {}, ann)).data
    expect(await eventOf(own, 'own')).toMatchObject({ money, version })
    await giveMoney(test.database.owner, { playerId: ann.id, u: 2 })
    const later = await eventOf(own, 'own', (event) => event.money === '42.00')
    expect(BigInt(later.version)).toBeGreaterThan(BigInt(version))
    await eventOf(strange, 'begin')
    expect(strange.of('own')).toEqual([])
  })

  it('never reach another player, whatever both do at once', async () => {
    const players = await Promise.all(
      [1_000, 2_000, 3_000].map((u) => addSeatedPlayer(test.database, { u })),
    )
    const streams: Pick<TestStream<{ own: OwnState }>, 'of'>[] = await Promise.all(
      players.flatMap((player) => [
        openGamesStream(test.app.url, player),
        openStream(test.app.url, ROOM, player),
      ]),
    )
    for (const stream of streams) await eventually(() => stream.of('own')[0])
    await Promise.all(
      players.map(({ id }) => giveMoney(test.database.owner, { playerId: id, u: 1 })),
    )
    for (const [at, stream] of streams.entries()) {
      const first = 1_000 * (1 + Math.floor(at / 2))
      await eventually(() => stream.of('own').find(({ money }) => money === `${first + 1}.00`))
      const seen = new Set(stream.of('own').map(({ money }) => money))
      expect([...seen]).toEqual([`${first}.00`, `${first + 1}.00`])
    }
  })
})

/** The own states of a player that are sent to a stream. */
async function watched({ u = 10_000 } = {}) {
  const database = await createTestDatabase()
  const { db } = database
  const playerId = await addPlayer(database, { u })
  const states: OwnState[] = []
  const events = ownEvents({ db, onError: (error) => expect.fail(String(error)) })
  onTestFinished(() => events.stop())
  events.watch(playerId, (json) => states.push(JSON.parse(json)))
  return { ...database, database, playerId, states, events }
}

it('own events mark what a bet, its settlement, a limit, a break, a transfer and a message have changed', async () => {
  const { database, db, owner, playerId, states, events } = await watched({ u: 500 })
  /** The marks that differ after an action. */
  async function changedBy(act: () => Promise<unknown>): Promise<string[]> {
    const before = await eventually(() => states.at(-1))
    await act()
    events.changed()
    const after = await eventually(() => (states.at(-1) === before ? undefined : states.at(-1)))
    return Object.keys(after).filter(
      (name) => after[name as keyof OwnState] !== before[name as keyof OwnState],
    )
  }

  const message = () => db.transaction((tx) => notify(tx, { playerId, kind: 'password_changed' }))
  expect(await changedBy(message)).toEqual(['messages'])
  const limit = `select protection.set_limit($1, 'stake', 'day', 900000000)`
  expect(await changedBy(() => db.query(limit, [playerId]))).toEqual(['protection'])
  await giveAddress(owner, playerId, 'T1')
  const transfer = `insert into deposits.seen_transfer (chain, tx_id, log_index, to_address, amount, block, solid)
    values ('another', 'f0', 0, 'T1', 5, 1, false)`
  expect(await changedBy(() => owner.query(transfer))).toEqual(['deposits'])
  const round = await openTestRound(database)
  const placed = await changedBy(() => placeAll(database, [orderFor(playerId, round)]))
  expect(placed).toEqual(expect.arrayContaining(['money', 'version', 'bets', 'protection']))
  await drawTestRound(database, round, [0, 0, 0])
  expect(await changedBy(() => settleRound(db, round, '2026-11-20'))).toContain('bets')
  const takeBreak = () => exclude(db, { playerId, kind: 'time_out', lasting: '24 hours' })
  expect(await changedBy(takeBreak)).toContain('protection')
})

it('a message and a change that are committed after later ones are events too', async () => {
  const { owner, playerId, states, events } = await watched()
  const seen = async (count: number) => {
    events.changed()
    return eventually(() => (states.length === count ? states.at(-1) : undefined))
  }
  const add = async (to: Queryable) => {
    await to.query(`insert into inbox.message (player_id, kind) values ($1, 'new_device')`, [
      playerId,
    ])
    await to.query(
      `insert into protection.change (player_id, at, what, details) values ($1, app.now(), 'factor_on', '{}')`,
      [playerId],
    )
  }
  await seen(1)
  const late = await beginWithoutRetry(owner)
  await add(late)
  await add(owner)
  const { messages, protection } = await seen(2)
  await late.commit()
  const last = await seen(3)
  expect(last.messages).not.toBe(messages)
  expect(last.protection).not.toBe(protection)
})

it('1,200 players are read in three statements, and only those with changes are answered', async () => {
  const database = await createTestDatabase()
  const { owner } = database
  const first = await addPlayer(database, { u: 1 })
  const others = await owner.column<number>(
    `insert into accounts.player (username, group_id, kind)
     select 'many' || n, 2, 'person' from generate_series(1, 1199) n returning id`,
  )
  const reads: number[] = []
  const db: Queryable = {
    ...database.db,
    async query(...args: Parameters<Queryable['query']>) {
      const answer = await database.db.query(...args)
      reads.push(answer.length)
      return answer as never
    },
  }
  const errors: unknown[] = []
  const events = ownEvents({ db, onError: (error) => errors.push(error) })
  const received = new Map<number, string[]>()
  for (const id of [first, ...others]) {
    received.set(id, [])
    events.watch(id, (json) => received.get(id)?.push(json))
  }
  const count = () => [...received.values()].reduce((sum, each) => sum + each.length, 0)
  await eventually(() => count() >= 1_200)
  // Of those who are read again from time to time, nothing is new.
  const told = () => reads.filter((rows) => rows > 0)
  expect(told()).toEqual([500, 500, 200])
  // Another stream of a player gets the present state without a read.
  const again: string[] = []
  const leave = events.watch(first, (json) => again.push(json))
  expect(again).toEqual(received.get(first))
  leave()
  reads.length = 0
  await giveMoney(owner, { playerId: first, u: 1 })
  events.changed()
  await eventually(() => count() > 1_200)
  expect(told()).toEqual([1])
  expect(again).toHaveLength(1)
  expect(errors).toEqual([])
  events.stop()
})
