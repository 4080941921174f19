/** Which deposits are credited and which are held, what is counted of them, and when a held one is released or asked back. */

import { randomUUID } from 'node:crypto'
import { MICRO } from '@sum28/domain/money.ts'
import { describe, expect, it } from 'vitest'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { transfersOf } from '#src/modules/deposits/deposit-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, takeDeposit } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { proposeRefund } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'
import { releaseHeldDeposits } from './notify-of-deposits.ts'
import { askBack, exclude, heldDeposits, releaseDeposits, setLimit } from './protection-store.ts'

const U = MICRO
const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOON = Date.UTC(2026, 10, 20, 4)
const TODAY = '2026-11-20'

const { database, db, owner } = eachTestDatabase()

/** A player without money, at noon. */
async function newcomer(): Promise<number> {
  await database.freezeClock(NOON)
  return addPlayer(database, { u: 0 })
}

type Arrival = { playerId: number; u: number; from?: string }

/** Credits or holds deposits in one call, as for a block of the chain. Returns the players of those that are credited. */
async function deposit(...arrivals: Arrival[]): Promise<number[]> {
  return owner.column<number>(
    `select player_id as player from protection.credit_deposits(array(
       select row(of_player, '${TODAY}', amount, reference)::wallet.movement
       from unnest($1::integer[], $2::bigint[], $3::text[]) with ordinality
         asked (of_player, amount, reference, position) order by position), $4)`,
    [
      arrivals.map(({ playerId }) => playerId),
      arrivals.map(({ u }) => BigInt(Math.round(u * 1_000_000))),
      arrivals.map(() => `test:${randomUUID()}`),
      arrivals.map(({ from = null }) => from),
    ],
  )
}

/** A player's free and held money and what is counted as deposited on this day, in u. */
async function moneyOf(playerId: number) {
  return owner.one(
    `select (cash / 1000000)::integer as cash, (held / 1000000)::integer as held,
       (deposited[1] / 1000000)::integer as deposited
     from ledger.balance join protection.player on player_id = holder_id where holder_id = $1`,
    [playerId],
  )
}

async function heldRows(): Promise<string[]> {
  return owner.column<string>(`select concat_ws(' ', player_id, amount / 1000000, because, from_address, state) as line
     from protection.held_deposit order by id`)
}

async function set(playerId: number, change: string) {
  await owner.query(`update protection.player set ${change} where player_id = $1`, [playerId])
}

function release(max = 100) {
  return releaseDeposits(db, { onDay: TODAY, max })
}

const timeOut = (playerId: number) => ({ playerId, kind: 'time_out', lasting: '24 hours' }) as const
const depositLimit = (playerId: number, amount: bigint) =>
  ({ playerId, kind: 'deposit', period: 'day', amount }) as const
const toNoon = `excluded_until = to_timestamp(${NOON / 1_000})`

describe('a deposit is held', () => {
  it('for a break until its end, for a review, and for a limit of deposits that it would pass', async () => {
    const playerId = await newcomer()
    /** Why a deposit would be held, and whether deposits of the player need a look at each. */
    const judged = (at: number, amount = 11n) =>
      owner.one(
        'select protection.why_held($1, $2, $3) as why, protection.is_bound($1, $3) as bound',
        [playerId, amount, new Date(at)],
      )
    const free = { why: null, bound: false }
    for (const kind of ['stake', 'loss'] as const)
      await setLimit(db, { playerId, kind, period: 'day', amount: 0n })
    expect(await judged(NOON)).toEqual(free)
    await set(playerId, toNoon)
    expect(await judged(NOON - 1)).toEqual({ why: 'excluded', bound: true })
    expect(await judged(NOON)).toEqual(free)
    await set(playerId, 'under_review = true')
    // The break is named first.
    expect(await judged(NOON - 1)).toEqual({ why: 'excluded', bound: true })
    expect(await judged(NOON)).toEqual({ why: 'review', bound: true })
    await set(playerId, 'under_review = false')
    await setLimit(db, depositLimit(playerId, 10n))
    expect(await judged(NOON, 10n)).toEqual({ why: null, bound: true })
    expect(await judged(NOON)).toEqual({ why: 'limit', bound: true })
  })

  it('and goes to the held money, with its sender and its reason, beside those that are credited', async () => {
    const free = await newcomer()
    const [away, reviewed, limited] = [await newcomer(), await newcomer(), await newcomer()]
    await exclude(db, timeOut(away))
    await set(reviewed, 'under_review = true')
    await setLimit(db, depositLimit(limited, 10n * U))
    const credited = await deposit(
      { playerId: free, u: 1, from: 'T1' },
      { playerId: away, u: 2, from: 'T2' },
      { playerId: reviewed, u: 4 },
      { playerId: limited, u: 8, from: 'T8' },
      { playerId: free, u: 16, from: 'T16' },
      { playerId: limited, u: 3, from: 'T3' },
      { playerId: limited, u: 2, from: 'T2' },
    )
    expect(credited.sort((one, other) => one - other)).toEqual([free, free, limited, limited])
    expect(await heldRows()).toEqual([
      `${away} 2 excluded T2 held`,
      `${reviewed} 4 review held`,
      `${limited} 3 limit T3 held`,
    ])
    expect(await moneyOf(free)).toEqual({ cash: 17, held: 0, deposited: 17 })
    expect(await moneyOf(away)).toEqual({ cash: 0, held: 2, deposited: 0 })
    expect(await moneyOf(reviewed)).toEqual({ cash: 0, held: 4, deposited: 0 })
    expect(await moneyOf(limited)).toEqual({ cash: 10, held: 3, deposited: 10 })
    await expectAlwaysTrue(owner)
  })

  it('for a break that is not committed yet when it arrives', async () => {
    const playerId = await newcomer()
    const credited = await answerAfter(database, {
      first: (tx) => exclude(tx, timeOut(playerId)),
      second: () => deposit({ playerId, u: 5 }),
    })
    expect(credited).toEqual([])
    expect(await heldRows()).toEqual([`${playerId} 5 excluded held`])
  })

  it('by the time at which nobody else holds the balance any more', async () => {
    const playerId = await newcomer()
    await set(playerId, toNoon)
    await database.freezeClock(NOON - 1)
    const credited = await answerAfter(database, {
      first: (tx) =>
        tx.query('select from ledger.balance where holder_id = $1 for update', [playerId]),
      second: () => deposit({ playerId, u: 5 }),
      whileWaiting: () => database.freezeClock(NOON),
    })
    expect(credited).toEqual([playerId])
  })
})

describe('a held deposit is released', () => {
  /** A player whose deposits of 5 u and then of 3 u are held until the end of his break, at noon of the next day. */
  async function away(): Promise<number> {
    const playerId = await newcomer()
    await exclude(db, timeOut(playerId))
    await deposit({ playerId, u: 5 }, { playerId, u: 3 })
    return playerId
  }

  it('when nothing blocks it any more, the oldest first, and is counted as deposited then', async () => {
    const playerId = await away()
    await database.freezeClock(NOON + DAY - 1)
    expect(await release()).toEqual([])
    await database.freezeClock(NOON + DAY)
    expect(await release(1)).toEqual([{ playerId, amount: 5n * U }])
    expect(await moneyOf(playerId)).toEqual({ cash: 5, held: 3, deposited: 5 })
    expect(await release()).toEqual([{ playerId, amount: 3n * U }])
    expect(await release()).toEqual([])
    expect(await moneyOf(playerId)).toEqual({ cash: 8, held: 0, deposited: 8 })
    expect(await owner.query('select state, decided_at from protection.held_deposit')).toEqual([
      { state: 'released', decided_at: NOON + DAY },
      { state: 'released', decided_at: NOON + DAY },
    ])
    await expectAlwaysTrue(owner)
  })

  it('unless it would pass a limit together with those that were released before it', async () => {
    const playerId = await away()
    await setLimit(db, depositLimit(playerId, 7n * U))
    await database.freezeClock(NOON + DAY)
    expect(await release()).toEqual([{ playerId, amount: 5n * U }])
    expect(await release()).toEqual([])
    await database.freezeClock(NOON + 2 * DAY)
    expect(await release()).toEqual([{ playerId, amount: 3n * U }])
  })

  it('unless staff are paying it back', async () => {
    const playerId = await away()
    const first = 'select id from protection.held_deposit where amount = $1'
    const id = await owner.value<bigint>(first, [5n * U])
    const session = await staffToken(database)
    expect(await proposeRefund(db, { id, session })).toBe('proposed')
    await database.freezeClock(NOON + DAY)
    expect(await release()).toEqual([{ playerId, amount: 3n * U }])
    expect(await release()).toEqual([])
    expect(await moneyOf(playerId)).toMatchObject({ cash: 3, held: 5 })
  })

  it('of another player, however many before it stay held', async () => {
    const playerId = await away()
    await exclude(db, { playerId, kind: 'self_exclusion', lasting: '6 months' })
    const other = await newcomer()
    await set(other, 'under_review = true')
    await deposit({ playerId: other, u: 1 })
    await set(other, 'under_review = false')
    expect(await release(1)).toEqual([{ playerId: other, amount: 1n * U }])
  })

  it('and not if a break that is not committed yet begins meanwhile', async () => {
    const playerId = await away()
    await database.freezeClock(NOON + DAY)
    const released = await answerAfter(database, {
      first: (tx) => exclude(tx, timeOut(playerId)),
      second: () => release(),
    })
    expect(released).toEqual([])
    expect(await moneyOf(playerId)).toMatchObject({ cash: 0, held: 8 })
  })

  it('and its transfer, which was shown as one that is not in the balance, is shown as credited', async () => {
    const playerId = await newcomer()
    await exclude(db, timeOut(playerId))
    const txId = 'ab'.repeat(32)
    await owner.query(
      `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount,
         player_id, credited_at)
       values ($1, 0, 1, app.now(), 'from', 'to', 5000000, $2, app.now())`,
      [txId, playerId],
    )
    await takeDeposit(owner, { playerId, micro: 5n * U, reference: `usdt:${txId}:0`, from: 'from' })
    expect(await transfersOf(db, playerId, 10)).toMatchObject([{ txId, status: 'solid' }])
    await database.freezeClock(NOON + DAY)
    await release()
    expect(await transfersOf(db, playerId, 10)).toMatchObject([{ txId, status: 'credited' }])
  })
})

describe('the row of a held deposit', () => {
  async function held(from?: string) {
    const playerId = await newcomer()
    await exclude(db, timeOut(playerId))
    await deposit({ playerId, u: 5, ...(from && { from }) })
    const change = (text: string) => owner.query(`update protection.held_deposit set ${text}`)
    const keeps = async (...changes: string[]) => {
      const never = 'is decided, and what came never changes'
      for (const text of changes) await expect(change(text), text).rejects.toThrow(never)
    }
    return { change, keeps }
  }

  it('never changes in what came, nor at all once it is decided', async () => {
    const { change, keeps } = await held('T5')
    const changes = [
      'player_id = player_id + 1',
      'amount = amount - 1',
      `reference = 'another'`,
      `from_address = 'another'`,
      'from_address = null',
      `because = 'review'`,
      `held_at = held_at + interval '1 millisecond'`,
      'id = default',
    ]
    await keeps(...changes)
    await change(`state = 'released', decided_at = app.now()`)
    await keeps(...changes, 'amount = amount', `state = 'held', decided_at = null`)
  })

  it('names the payment of its refund in printable ASCII', async () => {
    const { change } = await held('T5')
    await staffToken(database)
    const refund = (reference: string) =>
      change(
        `state = 'refunded', decided_by = (select min(id) from staff.member), decided_at = app.now(),
         refund_reference = '${reference}', refund_chain = 'awaited'`,
      )
    for (const reference of [' PAID7', 'PÀID7']) {
      await expect(refund(reference), reference).rejects.toThrow('printable ASCII')
    }
    await refund('PAID 7')
    expect((await heldRows())[0]).toMatch(/refunded$/)
  })

  /** One that was paid back, on the chain or by a bank, and a person who did not record it. */
  async function refunded(chain: 'awaited' | null) {
    const { change, keeps } = await held(chain ? 'T5' : undefined)
    for (const _ of [1, 2]) await staffToken(database)
    const [by, other] = await owner.column<number>('select id from staff.member order by 1')
    await change(
      `state = 'refunded', decided_by = ${by}, decided_at = app.now(), refund_reference = 'PAID 7',
       refund_chain = ${chain && `'${chain}'`}`,
    )
    return { change, keeps, by, other }
  }

  it('of one that a bank paid back changes once another person says that it came back, and by another payment', async () => {
    const { change, keeps, by, other } = await refunded(null)
    const again = `refund_reference = 'PAID 8', refund_returned_by = null, refund_corrected_by = null`
    await keeps(
      ...[again, `refund_returned_by = ${by}`, `refund_returned_by = null`],
      ...[`refund_returned_by = ${other}, for_staff = not for_staff`],
    )
    const corrected = (name: string, person = other) =>
      `refund_reference = '${name}', refund_corrected_by = ${person}`
    await keeps(
      ...[corrected('PAID 9', by), corrected('paid7'), `refund_corrected_by = ${other}`],
      ...[`${corrected('PAID 9')}, refund_chain = 'awaited'`, `${corrected('PAID 9')}, amount = 1`],
    )
    await change(corrected('PAID 9'))
    await keeps(corrected('PAID 7'), `refund_returned_by = ${other}`)
    await change(corrected('PAID 7', by))
    await change(`refund_returned_by = ${other}`)
    await keeps(
      ...[`refund_returned_by = null`, `refund_returned_by = ${by}`, 'amount = amount'],
      ...[corrected('PAID 9'), `refund_reference = 'paid7', refund_returned_by = null`],
      ...[`refund_reference = 'PAID 8'`, `${again}, state = 'held', decided_at = null`],
      ...[`${again}, refund_chain = 'awaited'`, `${again}, for_staff = not for_staff`],
      `${again}, asked_back_at = app.now()`,
    )
    await change(`${again}, decided_by = ${other}`)
    await keeps(`refund_reference = 'PAID 9'`)
  })

  it('of one that was paid back on the chain changes by the chain’s answer, and by another payment if that is wrong', async () => {
    const { change, keeps, by, other } = await refunded('awaited')
    const again = `refund_reference = 'PAID 8', refund_chain = 'awaited'`
    const returned = `refund_returned_by = ${other}`
    await keeps(again, returned, `refund_chain = 'seen', decided_by = ${other}`)
    await change(`refund_chain = 'wrong'`)
    await keeps(`refund_chain = 'seen'`, `refund_chain = 'awaited'`, returned)
    await keeps(`refund_reference = 'PAID 8', refund_chain = 'seen'`)
    await change(`${again}, decided_by = ${by}`)
    const corrected = (name: string, person = other) =>
      `refund_reference = '${name}', refund_chain = 'awaited', refund_corrected_by = ${person}`
    await keeps(
      ...[corrected('PAID 9', by), corrected('paid8'), `refund_corrected_by = ${other}`],
      ...[`${corrected('PAID 9')}, refund_to = 'T9'`, `${corrected('PAID 9')}, amount = 1`],
    )
    await change(`${corrected('PAID 9')}, decided_at = app.now()`)
    await keeps(corrected('PAID 10'))
    await change(`refund_chain = 'wrong'`)
    await keeps(corrected('PAID 10'))
    await change(corrected('PAID 10', by))
    await change(`refund_chain = 'seen'`)
    await keeps(`refund_chain = 'wrong'`, again, returned, corrected('PAID 11'))
  })
})

it('a deposit that no day lets in is for staff to pay back, and no dust or one that comes by itself', async () => {
  const playerId = await newcomer()
  const due = async () => (await readNeeds(db, ['refunds_due']))[0]?.count ?? 0
  await setLimit(db, depositLimit(playerId, 100n * U))
  await deposit({ playerId, u: 60 }, { playerId, u: 60 })
  // The second is credited on the next day.
  expect(await due()).toBe(0)
  await deposit({ playerId, u: 101 })
  expect(await due()).toBe(1)
  await exclude(db, { playerId, kind: 'time_out', lasting: '48 hours' })
  // Dust can be sent by anybody, and its return costs more.
  await deposit({ playerId, u: 7 }, { playerId, u: 0.99 })
  expect(await due()).toBe(2)
  // Of what a limit held, no day credits anything either while the break lasts.
  expect(await release()).toEqual([])
  expect(await due()).toBe(3)
  await database.freezeClock(NOON + 2 * DAY - 1)
  expect(await release()).toEqual([])
  await database.freezeClock(NOON + 2 * DAY)
  expect(await release()).toMatchObject([
    { amount: 60n * U },
    { amount: 7n * U },
    { amount: 990_000n },
  ])
  expect(await due()).toBe(1)
  await deposit({ playerId, u: 60 })
  // A limit of as much lets this one in on another day, and a lower one never.
  for (const [u, count] of [
    [60n, 1],
    [59n, 2],
  ] as const) {
    await setLimit(db, depositLimit(playerId, u * U))
    expect(await release()).toEqual([])
    expect(await due()).toBe(count)
  }
})

/** A player whose deposits of so many u were held, which nothing holds any more after a call. */
async function heldFor(...amounts: number[]) {
  const playerId = await newcomer()
  await set(playerId, 'under_review = true')
  await deposit(...amounts.map((u) => ({ playerId, u })))
  return { playerId, free: () => set(playerId, 'under_review = false') }
}

it('a held deposit that is asked back is for staff to pay, and never credited', async () => {
  const { playerId, free } = await heldFor(5, 5)
  const other = await newcomer()
  await free()
  const [second, first] = (await heldDeposits(db, playerId)).map(({ id }) => Number(id))
  if (!first || !second) return expect.fail('nothing is held')
  expect(await askBack(db, { playerId: other, id: first })).toBe('not_found')
  expect(await askBack(db, { playerId, id: first })).toBe('asked')
  expect(await askBack(db, { playerId, id: first })).toBe('asked')
  expect(await readNeeds(db, ['refunds_due'])).toMatchObject([{ count: 1 }])
  expect(await release()).toHaveLength(1)
  expect(await askBack(db, { playerId, id: second })).toBe('decided')
  expect(await heldDeposits(db, playerId)).toMatchObject([{ id: BigInt(first), isAskedBack: true }])
  await expectAlwaysTrue(owner)
})

it('dust is not asked back, which costs more than it: it is credited once nothing holds it', async () => {
  const { playerId, free } = await heldFor(0.999_999, 1)
  const answers: string[] = []
  for (const { id } of await heldDeposits(db, playerId)) {
    answers.push(await askBack(db, { playerId, id: Number(id) }))
  }
  expect(answers).toEqual(['asked', 'below_minimum'])
  await free()
  expect(await release()).toMatchObject([{ amount: 999_999n }])
})

it('dust hides no deposit that is held, and sends no messages when it is released', async () => {
  const { playerId, free } = await heldFor(5, ...Array(149).fill(0.000_001))
  await free()
  expect((await heldDeposits(db, playerId))[0]?.amount).toBe(5_000_000n)
  for (let held = 150; held > 0; held -= 100) {
    await releaseHeldDeposits({ db, timeZone: 'Asia/Singapore', now: Date.now })
  }
  expect(await heldDeposits(db, playerId)).toEqual([])
  const messages = await owner.query(
    `select from inbox.message where player_id = $1 and kind = 'deposit_released'`,
    [playerId],
  )
  expect(messages).toHaveLength(1)
})
