/** The start page: its days, its tasks, whom each waits for, and what that person's lists then show. */
import { readFileSync } from 'node:fs'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { NEEDS, shownSettings } from '@sum28/contract/staff-start-routes.ts'
import { describe, expect, it } from 'vitest'
import { readConfig } from '#src/config.ts'
import type { Queryable } from '#src/db/database.ts'
import { releaseBankPayment } from '#src/modules/console/money/bank-batch.ts'
import { batchPage } from '#src/modules/console/money/bank-batch-store.ts'
import {
  giveRefundBack,
  heldDepositPage,
  releaseRefund,
  takeRefund,
} from '#src/modules/console/money/refund-deposit.ts'
import { unmatchedPage } from '#src/modules/deposits/unmatched-transfer.ts'
import { writePayoutMax } from '#src/modules/games/payout-limit.ts'
import { exclude } from '#src/modules/protection/protection-store.ts'
import { proposalPage } from '#src/modules/staff/proposal.ts'
import {
  approveWithdrawal,
  givePaymentBack,
  takePayment,
} from '#src/modules/withdrawals/review-withdrawal.ts'
import {
  payeeHidden,
  withdrawalById,
  withdrawalPage,
} from '#src/modules/withdrawals/withdrawal-store.ts'
import { writeWithdrawalTerms } from '#src/modules/withdrawals/withdrawal-terms.ts'
import { addPlayer, openTestRound, takeDeposit } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { addPayMethod, DESK_AT, openCashDesk, payByHand } from '#testing/people/cash-desk.ts'
import { confirm, confirmRefund, propose, proposeRefund } from '#testing/people/proposals.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { staffToken } from '#testing/people/staff.ts'
import { readNeeds, readNeedsOf } from './needs-store.ts'
import { startFigures, startRoutes } from './start-routes.ts'

const HOUR = 3_600_000

const RUNBOOKS = readFileSync(
  new URL('../../../../../../docs/runbooks.md', import.meta.url),
  'utf8',
)

it('the day of deposits and withdrawals is the calendar day, also when the clocks change', async () => {
  const database = await createTestDatabase()
  const schedule = {
    timeZone: 'America/New_York',
    roundMs: 210_000,
    sealMs: 10_000,
    opensMinute: 420,
    closesMinute: 1_380,
  }
  // The clocks are put back on 1 November: that day has 25 hours.
  const begin = Date.UTC(2026, 10, 1, 4)
  await database.freezeClock(begin - 48 * HOUR)
  const player = await addPlayer(database, { u: 1 })
  const moments = [begin - 1, begin, begin + 25 * HOUR - 1, begin + 25 * HOUR]
  for (const [index, at] of moments.entries()) {
    await database.freezeClock(at)
    const row = `row(${player}, '2026-11-01', ${10 ** index}000000, 'x${index}')::wallet.movement`
    await database.owner.query(`select wallet.move('deposit', array[${row}])`)
  }
  await database.freezeClock(begin + 37 * HOUR)
  const { days } = await startFigures(database.db, schedule, begin + 37 * HOUR)
  expect(days[0]).toMatchObject({ day: '2026-11-02', deposits: 1_000_000_000n })
  expect(days[1]).toMatchObject({ day: '2026-11-01', deposits: 110_000_000n })
})

describe('the figures of a day so far', () => {
  const schedule = {
    timeZone: 'UTC',
    roundMs: 210_000,
    sealMs: 10_000,
    opensMinute: 600,
    closesMinute: 1_440,
  }
  const opensAt = (day: string) => Date.parse(`${day}T10:00:00Z`)
  const now = opensAt('2026-11-20') + 4 * HOUR + 300_000

  /** Counted rounds of room 11 or 12, each this long after its day's opening, with one bet that was lost. */
  async function countedRounds(
    { owner }: Awaited<ReturnType<typeof createTestDatabase>>,
    rounds: readonly { day: string; after: number; room: number; u: number }[],
  ): Promise<void> {
    for (const [issue, { day, after, room, u }] of rounds.entries()) {
      await owner.query(
        `insert into console_start.round_figure
         select 1, $1, room_id, false, $3, $4, 1, $5::bigint, 0, $5, 0 from unnest(array[0, $2::integer]) as room_id`,
        [issue, room, day, new Date(opensAt(day) + after), u * 1_000_000],
      )
    }
  }

  const turnoverOf = ({ turnover }: { turnover: bigint }) => turnover / 1_000_000n

  it('are by hours that are over, each with the round that ends it', async () => {
    const database = await createTestDatabase()
    const rounds = ['2026-11-20', '2026-11-19'].flatMap((day) =>
      [HOUR, HOUR + 1, 4 * HOUR, 4 * HOUR + 1].map((after, at) => ({
        day,
        after,
        room: 11,
        u: 10 ** at,
      })),
    )
    await countedRounds(database, rounds)
    const { days } = await startFigures(database.db, schedule, now)
    expect(days.map(({ hours }) => hours.map(turnoverOf))).toEqual([
      [1n, 10n, 0n, 100n],
      [1n, 10n, 0n, 100n, 1_000n],
      [],
    ])
    expect(days.map(({ soFar }) => turnoverOf(soFar))).toEqual([1_111n, 1_111n, 0n])
  })

  it('have a room in which nobody has bet today, but yesterday or a week ago', async () => {
    const database = await createTestDatabase()
    await countedRounds(database, [
      { day: '2026-11-20', after: HOUR, room: 12, u: 1 },
      { day: '2026-11-19', after: HOUR, room: 11, u: 10 },
      { day: '2026-11-19', after: HOUR, room: 12, u: 100 },
      { day: '2026-11-13', after: HOUR, room: 11, u: 1_000 },
    ])
    const { rooms } = await startFigures(database.db, schedule, now)
    expect(
      rooms.map((room) => [
        room.roomId,
        turnoverOf(room),
        ...room.before.map((u) => u / 1_000_000n),
      ]),
    ).toEqual([
      [11, 0n, 10n, 1_000n],
      [12, 1n, 100n, 0n],
    ])
  })
})

it('the settings have the terms that hold, although the process began with others', async () => {
  const { db, owner } = await createTestDatabase()
  const routes = startRoutes({ db, config: readConfig({ LIMITS_BY_LAW: 'stake day 5' }) } as never)
  const shown = async () => {
    const [binding] = routes.filter(({ route }) => route === shownSettings)
    if (!binding) throw new Error('the settings are not shown')
    const { list } = (await binding.handle({} as never)) as ReplyOf<typeof shownSettings>
    return Object.fromEntries(list.map(({ name, value }) => [name, value]))
  }
  await writePayoutMax(owner, 28_000_000n)
  await writeWithdrawalTerms(owner, { holdMs: 5_400_000, twoPersonsFrom: 99_000_000n })
  await owner.query(
    `insert into protection.house_limit (source, kind, period, amount) values ('law', 'loss', 'week', 7000000)`,
  )
  await owner.query(`update protection.house set time_zone = 'Asia/Tokyo'`)
  expect(await shown()).toMatchObject({
    GAME_TIMEZONE: 'Asia/Tokyo',
    PAYOUT_MAX: '28.00',
    WITHDRAWAL_HOLD_HOURS: '1.5',
    WITHDRAWAL_TWO_PERSONS_FROM: '99.00',
    LIMITS_BY_LAW: 'loss week 7.00',
  })
})

/** The statements that the runbooks name for a fault. */
function statementsFor(need: (typeof NEEDS)[number]): string[] {
  const row = RUNBOOKS.split('\n').find(
    (line) => line.startsWith('| `') && line.includes(`\`${need}\``),
  )
  return [...(row ?? '').matchAll(/`((?:select|update) [^`]+)`/g)].map(
    ([, statement = '']) => statement,
  )
}

it('the statements of the runbooks end a fault that is explained, or whose cause is gone', async () => {
  const { db, owner } = await createTestDatabase()
  const isShown = async (need: (typeof NEEDS)[number]) => (await readNeeds(db, [need])).length === 1
  const [, again = '', enough = ''] = statementsFor('jobs_failed')
  for (const statement of [again, enough]) {
    const id = await owner.value<string>(
      `select id::text as id from graphile_worker.add_job('count-owed')`,
    )
    await owner.query(
      'update graphile_worker._private_jobs set attempts = max_attempts where id = $1',
      [id],
    )
    expect(await isShown('jobs_failed')).toBe(true)
    await owner.query(statement.replace('array[7]', `array[${id}]`))
    expect(await isShown('jobs_failed')).toBe(false)
  }
  await owner.query('update app.books_checked set wrong_since = app.now()')
  const [checked = '', explained = ''] = statementsFor('books_unchecked')
  await owner.query(explained)
  expect(await isShown('books_unchecked')).toBe(false)
  const [counted = ''] = statementsFor('reserves_short')
  for (const statement of [checked, counted]) await owner.query(statement)
  const tasks = 'select task_identifier as task from graphile_worker.jobs order by 1'
  expect(await owner.column(tasks)).toEqual(['check-books', 'count-owed', 'count-owed'])
})

describe('the start page', () => {
  it('has a task while the clocks disagree, with the time since when betting is stopped', async () => {
    const database = await createTestDatabase()
    await database.freezeClock(DESK_AT)
    await database.owner.query('select games.set_clocks_apart(true)')
    await database.freezeClock(DESK_AT + 1)
    const task = { count: 1, since: DESK_AT }
    expect(await readNeeds(database.db, ['clocks_apart'])).toMatchObject([task])
  })

  it('has a task of short seeds when fewer are left than the engine leaves, however long a round', async () => {
    const { db, owner } = await createTestDatabase()
    const isShort = async (seconds: number, left: number) => {
      await owner.query(
        `insert into app.setting values ('ROUND_SECONDS', $1)
         on conflict (name) do update set value = excluded.value`,
        [String(seconds)],
      )
      await owner.query(
        `insert into fairness.chain (game_id, length, commitment, encrypted_secret, key_id)
         values (1, $1, sha256($2::text::bytea), 'x', 'x')`,
        [left, `${seconds} ${left}`],
      )
      return (await readNeeds(db, ['seeds_short'])).some(({ count }) => count > 0)
    }
    // Rounds of 300 s are 288 a day: the next chain is made when 289 seeds are left.
    expect([await isShort(300, 289), await isShort(300, 277)]).toEqual([false, true])
    expect([await isShort(210, 300), await isShort(210, 299)]).toEqual([false, true])
  })

  it('has no task of unchecked books before anybody works here', async () => {
    const database = await createTestDatabase()
    expect(await database.owner.query('select from staff.member')).toEqual([])
    const needs = (await readNeeds(database.db)).map(({ need }) => need)
    expect(needs).not.toContain('books_unchecked')
  })
})

/** The numbers in a list, as far as it is somebody's turn. */
async function numbersIn(
  page: (typeof LISTS)[keyof typeof LISTS]['page'],
  db: Queryable,
  ask: { staffId: number; turn: 'you' | 'others' },
): Promise<number[]> {
  const found = await page(db, { ...ask, order: 'asc' })
  if (!('list' in found)) return []
  return found.list.map((row) => ('id' in row ? Number(row.id) : row.logIndex))
}

/** The tasks of the start page that are rows of a list. */
const LISTS = {
  withdrawals: {
    page: withdrawalPage,
    needs: ['withdrawals_waiting', 'payouts_due', 'payouts_unseen'],
  },
  proposals: { page: proposalPage, needs: ['proposals_waiting'] },
  batches: { page: batchPage, needs: ['batches_open'] },
  transfers: { page: unmatchedPage, needs: ['transfers_unmatched'] },
  heldDeposits: { page: heldDepositPage, needs: ['refunds_due'] },
} as const

/** A cash desk of three owners and one of support, by their numbers. */
async function house() {
  const desk = await openCashDesk()
  const { db, owner, database } = desk
  const sid = await staffToken(database, { role: 'support' })
  const ids = await owner.column<number>('select id from staff.member order by id')
  const [ann = 0, bob = 0, cat = 0, support = 0] = ids
  const counts = async (staffId: number, ...needs: (typeof NEEDS)[number][]) => {
    const tasks = await readNeedsOf(db, { staffId, does: new Set(NEEDS), unseen: [] })
    const of = (yours: boolean) =>
      tasks
        .filter((row) => needs.includes(row.need) && row.yours === yours)
        .reduce((sum, { count }) => sum + count, 0)
    return { you: of(true), others: of(false) }
  }
  /** What waits for a member, and for others: in a list, of which the start page counts as many. */
  const waits = async (staffId: number, list: keyof typeof LISTS = 'withdrawals') => {
    const { page, needs } = LISTS[list]
    const [you, others] = [
      await numbersIn(page, db, { staffId, turn: 'you' }),
      await numbersIn(page, db, { staffId, turn: 'others' }),
    ]
    const counted = await counts(staffId, ...needs)
    expect(counted).toEqual({ you: you.length, others: others.length })
    return { you, others }
  }
  return { ...desk, ids: { ann, bob, cat, support }, sid, waits, counts }
}

const NONE = { you: [], others: [] }

it('a large withdrawal waits for its second person, and its payout for a third', async () => {
  const { db, database, ann, bob, ids, request, waits, counts } = await house()
  const id = await request(100)
  await database.owner.query('update withdrawals.terms set two_persons_from = 1')
  const forHim = { you: [id], others: [] }
  const forOthers = { you: [], others: [id] }
  expect(await waits(ids.ann)).toEqual(forHim)
  expect(await counts(ids.ann, 'withdrawals_waiting')).toEqual({ you: 1, others: 0 })
  expect(await waits(ids.support)).toEqual(forOthers)

  expect(await approveWithdrawal(db, { id, session: ann })).toBe('first_approval')
  expect(await waits(ids.ann)).toEqual(forOthers)
  expect(await waits(ids.bob)).toEqual(forHim)

  expect(await approveWithdrawal(db, { id, session: bob })).toBe('approved')
  for (const other of [ids.ann, ids.bob, ids.support]) {
    expect(await waits(other)).toEqual(forOthers)
  }
  expect(await waits(ids.cat)).toEqual(forHim)
})

it('a payout by a transaction waits for a person once the chain has not shown it for ten minutes', async () => {
  const { db, database, player, ann, bob, ids, request, waits, counts } = await house()
  const method = await addPayMethod(database, player, 'wallet')
  const id = await request(50, { player, method })
  expect(await approveWithdrawal(db, { id, session: ann })).toBe('approved')
  expect(await payByHand(db, { id, by: bob, reference: 'ab'.repeat(32) })).toBe('paid')
  expect(await waits(ids.cat)).toEqual(NONE)
  await database.freezeClock(DESK_AT + 600_001)
  expect(await waits(ids.cat)).toEqual({ you: [id], others: [] })
  expect(await counts(ids.cat, 'payouts_unseen')).toEqual({ you: 1, others: 0 })
})

it('a batch waits for its answer, for those who may pay and did not approve all that is left of it', async () => {
  const { db, database, ann, bob, ids, request, approved, waits } = await house()
  const first = await approved()
  const second = await request()
  expect(await approveWithdrawal(db, { id: second, session: bob })).toBe('approved')
  for (const each of Object.values(ids)) expect(await waits(each, 'batches')).toEqual(NONE)
  await db.query('select from console_money.make_batch(10, $1)', [ann])
  const forHim = { you: [1], others: [] }
  const forOthers = { you: [], others: [1] }
  for (const each of [ids.ann, ids.bob, ids.cat]) {
    expect(await waits(each, 'batches')).toEqual(forHim)
  }
  expect(await waits(ids.support, 'batches')).toEqual(forOthers)
  for (const [hours, late] of [
    [1, { hour: 1, day: 0 }],
    [24, { hour: 1, day: 1 }],
  ] as const) {
    await database.freezeClock(DESK_AT + hours * HOUR + 1)
    const task = { need: 'batches_open', count: 1, since: DESK_AT, ...late }
    expect(await readNeeds(db, ['batches_open'])).toEqual([task])
  }
  const later = await staffToken(database)
  const answer = async (id: number) => {
    const line = { line: 2, withdrawal: id, amount: 100_000_000, state: 'paid' }
    await db.query('select from console_money.answer_batch(1, $1::jsonb, $2)', [
      JSON.stringify([{ ...line, reference: `OUT ${id}` }]),
      later,
    ])
  }
  await answer(first)
  expect(await waits(ids.bob, 'batches')).toEqual(forOthers)
  for (const each of [ids.ann, ids.cat]) expect(await waits(each, 'batches')).toEqual(forHim)
  await answer(second)
  expect(await waits(ids.cat, 'batches')).toEqual(NONE)
})

it('a transfer of no member waits for all on duty, and the house’s own for those who may dismiss it', async () => {
  const { owner, database, ids, waits } = await house()
  await staffToken(database, { role: 'auditor' })
  const auditor = await owner.value<number>('select max(id) as id from staff.member')
  await owner.query(`insert into deposits.spare_address values ('test', 1, 'ours')`)
  await owner.query(
    `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount)
     select 'tx', n, 1, app.now(), case n when 1 then 'ours' else 'a stranger' end, 'ours', 5
     from generate_series(1, 2) n`,
  )
  for (const cashier of [ids.ann, ids.cat]) {
    expect(await waits(cashier, 'transfers')).toEqual({ you: [1, 2], others: [] })
  }
  expect(await waits(ids.support, 'transfers')).toEqual({ you: [2], others: [1] })
  expect(await waits(auditor, 'transfers')).toEqual({ you: [], others: [1, 2] })
})

it('a withdrawal of a frozen player waits for whoever had taken it, and for nobody once it is paid', async () => {
  const { db, owner, player, bob, ids, approved, waits } = await house()
  const id = await approved()
  const set = (state: string) => changePlayer({ owner }, player, `state = '${state}'`)
  await set('frozen')
  for (const member of [ids.ann, ids.bob]) expect(await waits(member)).toEqual(NONE)
  await set('active')
  await takePayment(db, { id, session: bob, takenFrom: undefined })
  await set('frozen')
  expect(await waits(ids.bob)).toEqual({ you: [id], others: [] })
  expect(await waits(ids.cat)).toEqual({ you: [], others: [id] })
  await set('active')
  expect(await payByHand(db, { id, by: bob, reference: 'OUT 1' })).toBe('paid')
  expect(await waits(ids.cat)).toEqual(NONE)
})

it.each(['active = false', "role = 'support'"])(
  'a payment whose taker may pay no more (%s) waits for everybody else, who gives it back, and then for whoever releases it',
  async (change) => {
    const { db, owner, ann, bob, cat, player, ids, approved, waits } = await house()
    const id = await approved()
    const forHim = { you: [id], others: [] }
    const forOthers = { you: [], others: [id] }
    await takePayment(db, { id, session: bob, takenFrom: undefined })
    for (const each of [ids.ann, ids.cat]) expect(await waits(each)).toEqual(forOthers)
    await owner.query(`update staff.member set ${change} where id = $1`, [ids.bob])
    // It may have been sent, so a freeze changes nothing.
    await changePlayer({ owner }, player, `state = 'frozen'`)
    for (const each of [ids.ann, ids.cat]) {
      expect(await waits(each)).toEqual(forHim)
      const shown = await withdrawalById(db, id, each)
      expect(shown && payeeHidden(shown)).toBe('payment_taken')
    }
    expect(await waits(ids.support)).toEqual(forOthers)
    await changePlayer({ owner }, player, `state = 'active'`)
    expect(await givePaymentBack(db, { id, session: cat })).toBeNull()
    expect([await waits(ids.cat), await waits(ids.ann)]).toEqual([forOthers, forHim])
    expect(await waits(ids.support)).toEqual(forOthers)
    expect(await releaseBankPayment(db, { id, deniedAt: DESK_AT, session: ann })).toBeNull()
    expect([await waits(ids.cat), await waits(ids.ann)]).toEqual([forHim, forOthers])
  },
)

it('a refund that was given back, or whose taker may pay no more, waits for whoever may release it, or give it back', async () => {
  const { db, owner, player, ann, bob, cat, ids, counts } = await house()
  await exclude(db, { playerId: player, kind: 'time_out', lasting: '24 hours' })
  await takeDeposit(owner, { playerId: player, micro: 7_000_000n, reference: 'test:1' })
  const id = await owner.value<number>('select id::integer from protection.held_deposit')
  expect(await proposeRefund(db, { id, session: ann })).toBe('proposed')
  const due = async (...of: number[]) => {
    const found = []
    for (const each of of) found.push((await counts(each, 'proposals_waiting')).you)
    return found
  }
  const { ann: proposer, ...rest } = ids
  const all = [proposer, rest.bob, rest.cat, rest.support]
  expect(await due(...all)).toEqual([0, 1, 1, 0])
  expect(await takeRefund(db, { id, session: bob, takenFrom: undefined })).toBeNull()
  expect(await due(...all)).toEqual([0, 1, 0, 0])
  expect(await giveRefundBack(db, { id, session: bob })).toBeNull()
  expect(await due(...all)).toEqual([1, 0, 1, 0])
  expect(await takeRefund(db, { id, session: cat, takenFrom: undefined })).toBeNull()
  expect(await due(...all)).toEqual([0, 0, 1, 0])
  await owner.query('update staff.member set active = false where id = $1', [ids.cat])
  expect(await due(proposer, rest.bob, rest.support)).toEqual([1, 1, 0])
  expect(await giveRefundBack(db, { id, session: bob })).toBeNull()
  expect(await due(proposer, rest.bob)).toEqual([1, 0])
  expect(await releaseRefund(db, { id, deniedAt: DESK_AT, session: ann })).toBeNull()
  expect(await due(proposer, rest.bob)).toEqual([0, 1])
})

it('a refund that the chain does not show waits for a cashier who did not name its transaction', async () => {
  const { db, database, owner, player, ann, bob, ids, waits } = await house()
  await exclude(db, { playerId: player, kind: 'time_out', lasting: '24 hours' })
  const deposit = { playerId: player, micro: 7_000_000n, reference: 'test:1', from: 'T1' }
  await takeDeposit(owner, deposit)
  const id = await owner.value<number>('select id::integer from protection.held_deposit')
  const forHim = { you: [id], others: [] }
  const forOthers = { you: [], others: [id] }
  for (const each of [ids.ann, ids.support]) {
    expect(await waits(each, 'heldDeposits')).toEqual(forHim)
  }
  expect(await proposeRefund(db, { id, session: ann })).toBe('proposed')
  expect(await confirmRefund(db, { id, session: bob, payment: 'ab'.repeat(32) })).toBe('confirmed')
  expect(await waits(ids.ann, 'heldDeposits')).toEqual(NONE)
  await database.freezeClock(DESK_AT + 600_001)
  const due = async () => {
    const found = []
    for (const each of [ids.ann, ids.bob, ids.support])
      found.push(await waits(each, 'heldDeposits'))
    return found
  }
  expect(await due()).toEqual([forHim, forOthers, forOthers])
  // Of a wrong one anybody else proposes that it is paid again.
  await owner.query(`update protection.held_deposit set refund_chain = 'wrong'`)
  expect(await due()).toEqual([forHim, forOthers, forHim])
})

it('a withdrawal of a frozen player, of one who must set a new password, or on hold waits for nobody meanwhile', async () => {
  const { db, database, owner, player, ann, ids, request, waits } = await house()
  await writeWithdrawalTerms(owner, { holdMs: 60_000, twoPersonsFrom: 1_000_000_000n })
  const id = await request()
  const yours = { you: [id], others: [] }
  const set = (change: string) => changePlayer({ owner }, player, change)
  const shown = () => withdrawalById(db, id, ids.bob)
  await set(`state = 'frozen'`)
  expect(await waits(ids.bob)).toEqual(NONE)
  await set(`state = 'active', password_required_at = app.now()`)
  expect(await shown()).toMatchObject({ yours: null, needsPassword: true })
  expect(await waits(ids.bob)).toEqual(NONE)
  await set('password_required_at = null, sensitive_changed_at = app.now()')
  expect(await shown()).toMatchObject({ yours: null, holdUntil: DESK_AT + 60_000 })
  expect(await waits(ids.bob)).toEqual(NONE)
  await database.freezeClock(DESK_AT + 60_001)
  expect(await shown()).toMatchObject({ yours: true, holdUntil: null })
  expect(await waits(ids.bob)).toEqual(yours)
  await approveWithdrawal(db, { id, session: ann })
  await set('sensitive_changed_at = app.now()')
  expect(await shown()).toMatchObject({ yours: null, holdUntil: DESK_AT + 120_001 })
})

it('a withdrawal that waits for documents waits for nobody until its player has sent them', async () => {
  const { owner, player, ids, request, waits, counts } = await house()
  await owner.query('update withdrawals.terms set identity_from = 0')
  const id = await request()
  const state = (set: string) =>
    owner.query(
      `insert into withdrawals.identity (player_id, state, version, encrypted_facts, key_id, sent_at)
       values ($1, 'waiting', 1, 'sealed', 'test', app.now())
       on conflict (player_id) do update set ${set}`,
      [player],
    )
  const yours = { you: [id], others: [] }
  expect(await waits(ids.bob)).toEqual(NONE)
  await state('version = 1')
  expect(await waits(ids.bob)).toEqual(yours)
  expect(await counts(ids.bob, 'identities_waiting')).toEqual({ you: 1, others: 0 })
  const decided = 'decided_by = 1, decided_at = app.now()'
  await state(`state = 'rejected', ${decided}, reject_reason = 'x'`)
  expect(await waits(ids.bob)).toEqual(NONE)
  await state(`state = 'accepted', ${decided}, reject_reason = null`)
  expect(await waits(ids.bob)).toEqual(yours)
})

it('a proposal waits for a person with the role and the limit who has not taken a step of it', async () => {
  const { db, owner, database, ann, ids, waits } = await house()
  const finance = await staffToken(database, { role: 'finance' })
  const cashier = await owner.value<number>('select max(id) as id from staff.member')
  const player = await addPlayer(database)
  const gift = (u: number, session: string) => ({
    ...({ kind: 'bonus', subject: `player:${player}`, session } as const),
    content: { amount: u * 1_000_000 },
  })
  const most = await owner.value<bigint>(
    "select amount_max as most from wallet.adjustment_limit where role = 'finance'",
  )
  expect(await propose(db, gift(1, ann))).toBe('proposed')
  for (const other of [ids.ann, ids.support]) {
    expect(await waits(other, 'proposals')).toEqual({ you: [], others: [1] })
  }
  expect(await waits(cashier, 'proposals')).toEqual({ you: [1], others: [] })
  expect(await confirm(db, 1, finance)).toBe('confirmed')
  expect(await waits(cashier, 'proposals')).toEqual(NONE)
  // Above what finance may still give this player today.
  expect(await propose(db, gift(Number(most / 1_000_000n), ann))).toBe('proposed')
  expect(await waits(cashier, 'proposals')).toEqual({ you: [], others: [2] })
  expect(await waits(ids.bob, 'proposals')).toEqual({ you: [2], others: [] })
})

it('a void waits until its round has ended, and then for nobody', async () => {
  const { db, database, ann, ids, waits } = await house()
  const { gameId, issue, drawsAt } = await openTestRound(database)
  const subject = `round:${gameId}:${issue}`
  expect(await propose(db, { kind: 'void', subject, session: ann })).toBe('proposed')
  expect(await waits(ids.bob, 'proposals')).toEqual({ you: [1], others: [] })
  await database.freezeClock(drawsAt)
  expect(await waits(ids.bob, 'proposals')).toEqual(NONE)
})
