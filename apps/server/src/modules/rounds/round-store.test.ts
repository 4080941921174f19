import { describe, expect, it } from 'vitest'
import type { Database } from '#src/db/database.ts'
import { sealRound } from '#src/modules/bets/round-bets.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAccepted,
  sealTestRound,
  someDraw,
  type TestRound,
  voidTestRound,
} from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { shareTestDatabase } from '#testing/database/test-database.ts'
import { heldUntilTheEnd } from '#testing/product/play-round.ts'
import { storeDraw, storeValue, voidRound } from './round-store.ts'

const database = shareTestDatabase()

const DRAW = someDraw()
const OTHER = someDraw()
/** Until the deadline that is announced with a round. */
const WAIT_SECONDS = 90

async function stateOf({ issue }: TestRound): Promise<unknown> {
  return database.owner.value<string>('select state from rounds.round where issue = $1', [issue])
}

async function sealedRound(): Promise<TestRound & { voidsAt: number }> {
  const round = await openTestRound(database, { waitSeconds: WAIT_SECONDS })
  await sealTestRound(database, round)
  return { ...round, voidsAt: round.drawsAt + WAIT_SECONDS * 1_000 }
}

/** What somebody does while another holds the round until its end, or until its deadline. */
const ACTS = {
  'a seal': (round: TestRound) => sealRound(database.db, round),
  'a draw': (round: TestRound) => storeDraw(database.db, round, DRAW),
  'a value': (round: TestRound) => storeValue(database.db, round, DRAW),
  'a void': (round: TestRound) => voidRound(database.db, round, 'sealed_late'),
}

it.each([
  ['a seal', 'open', 'end', false, 'open'],
  ['a draw', 'sealed', 'end', true, 'drawn'],
  ['a draw', 'sealed', 'deadline', false, 'sealed'],
  ['a value', 'sealed', 'deadline', false, 'sealed'],
  ['a void', 'open', 'end', true, 'voided'],
] as const)(
  '%s, if the lock of the %s round is had at its %s, is made: %s',
  async (what, from, until, done, state) => {
    const act = ACTS[what]
    const round = await openTestRound(database)
    if (from === 'sealed') await sealTestRound(database, round)
    const end = round.drawsAt + (until === 'deadline' ? 600_000 : 0)
    expect(await heldUntilTheEnd(database, round, () => act(round), end)).toBe(done)
    expect(await stateOf(round)).toBe(state)
    // It is done once.
    expect(await act(round)).toBe(false)
  },
)

it('a seal is made once, from its time until the last instant before the end, and of no round that is voided or is not there', async () => {
  const { db } = database
  for (const [after, isSealed] of [
    ['sealsAt', true],
    ['drawsAt', false],
  ] as const) {
    const [before, at] = [await openTestRound(database), await openTestRound(database)]
    await database.freezeClock(before[after] - 1)
    expect(await sealRound(db, before)).toBe(!isSealed)
    await database.freezeClock(at[after])
    expect(await sealRound(db, at)).toBe(isSealed)
  }
  const [sealed, voided] = [await sealedRound(), await openTestRound(database)]
  await voidTestRound(database, voided)
  await database.freezeClock(sealed.sealsAt + 1)
  for (const round of [sealed, voided, { ...voided, issue: '1' }]) {
    expect(await sealRound(db, round)).toBe(false)
  }
})

describe('a draw', () => {
  it('is stored from the end on, until the announced deadline and not at it', async () => {
    const [early, last, late] = [await sealedRound(), await sealedRound(), await sealedRound()]
    await database.freezeClock(early.drawsAt - 1)
    expect(await storeDraw(database.db, early, DRAW)).toBe(false)
    await database.freezeClock(early.drawsAt)
    expect(await storeDraw(database.db, early, DRAW)).toBe(true)
    await database.freezeClock(last.voidsAt - 1)
    expect(await storeDraw(database.db, last, DRAW)).toBe(true)
    await database.freezeClock(late.voidsAt)
    expect(await storeDraw(database.db, late, DRAW)).toBe(false)
    expect(await voidRound(database.db, late, 'beacon_late')).toBe(true)
  })

  it('is not stored for a round that is open, voided or does not exist', async () => {
    const [open, voided] = [await openTestRound(database), await openTestRound(database)]
    await voidTestRound(database, voided)
    for (const round of [open, voided, { ...open, issue: '1' }]) {
      expect(await storeDraw(database.db, round, DRAW)).toBe(false)
    }
  })

  it('must use the stored value, comes also after the deadline, and not before the end to which the clock jumped back', async () => {
    const { db } = database
    const round = await sealedRound()
    await database.freezeClock(round.voidsAt - 1)
    expect(await storeValue(db, round, DRAW)).toBe(true)
    for (const at of [round.sealsAt, round.drawsAt - 1]) {
      await database.freezeClock(at)
      expect(await storeDraw(db, round, DRAW)).toBe(false)
    }
    await database.freezeClock(round.voidsAt + 86_400_000)
    await expect(storeDraw(db, round, { ...DRAW, ...OTHER })).rejects.toThrow(
      'with the value that was stored',
    )
    expect(await storeDraw(db, round, DRAW)).toBe(true)
  })
})

it('a beacon’s value is stored once, from the end of a sealed round until its deadline, and only if its randomness is of its signature', async () => {
  const { db } = database
  const [open, round, late] = [
    await openTestRound(database),
    await sealedRound(),
    await sealedRound(),
  ]
  await database.freezeClock(round.drawsAt - 1)
  expect(await storeValue(db, round, DRAW)).toBe(false)
  await database.freezeClock(round.drawsAt)
  const wrong = { signature: DRAW.signature, randomness: OTHER.randomness }
  await expect(storeValue(db, round, wrong)).rejects.toThrow('randomness_is_of_signature')
  expect(await storeValue(db, round, DRAW)).toBe(true)
  expect(await storeValue(db, round, OTHER)).toBe(false)
  await database.freezeClock(late.voidsAt)
  for (const each of [open, late]) expect(await storeValue(db, each, DRAW)).toBe(false)
})

describe('a void', () => {
  const REASONS = [
    'sealed_late',
    'beacon_late',
    'two_persons',
    'staff',
    'missed',
    'a result that costs us',
  ] as const

  /** The reasons for which a round could be voided now. */
  async function provable(round: TestRound): Promise<string[]> {
    const { db } = database
    const reasons: string[] = []
    for (const reason of REASONS) {
      const tried = db.transaction(async (tx) => {
        if (await voidRound(tx, round, reason as never)) reasons.push(reason)
        throw new Error('undone')
      })
      await expect(tried).rejects.toThrow('undone')
    }
    return reasons
  }

  it('is checked against the database’s own data: at each moment there is one reason, or none', async () => {
    const open = await openTestRound(database)
    expect(await provable(open)).toEqual([])
    await database.freezeClock(open.drawsAt - 1)
    expect(await provable(open)).toEqual([])
    await database.freezeClock(open.drawsAt)
    expect(await provable(open)).toEqual(['sealed_late'])
    await database.freezeClock(open.drawsAt + 86_400_000)
    expect(await provable(open)).toEqual(['sealed_late'])

    const sealed = await sealedRound()
    for (const at of [sealed.sealsAt, sealed.drawsAt, sealed.drawsAt + 400, sealed.voidsAt - 1]) {
      await database.freezeClock(at)
      expect(await provable(sealed)).toEqual([])
    }
    await database.freezeClock(sealed.voidsAt)
    expect(await provable(sealed)).toEqual(['beacon_late'])
    for (const nowhere of [{ issue: '1' }, { gameId: 2 }]) {
      expect(await provable({ ...sealed, ...nowhere })).toEqual([])
    }
  })

  it('is impossible for a round whose value was stored by its deadline', async () => {
    const round = await sealedRound()
    await database.freezeClock(round.voidsAt - 1)
    await storeValue(database.db, round, DRAW)
    for (const at of [round.voidsAt, round.voidsAt + 86_400_000]) {
      await database.freezeClock(at)
      expect(await provable(round)).toEqual([])
    }
    await storeDraw(database.db, round, DRAW)
    expect(await provable(round)).toEqual([])
  })

  it('judges by the state when it gets the lock: none if the value was stored meanwhile', async () => {
    const round = await sealedRound()
    await database.freezeClock(round.voidsAt - 1)
    const voided = await answerAfter(database, {
      async first(tx) {
        await storeValue(tx, round, DRAW)
        await database.freezeClock(round.voidsAt)
      },
      second: () => voidRound(database.db, round, 'beacon_late'),
    })
    expect(voided).toBe(false)
  })
})

it('a value that came after the void is dated after it, even if the clock has jumped back', async () => {
  const round = await sealedRound()
  const { voidsAt, issue } = round
  await database.freezeClock(voidsAt + 5_000)
  expect(await voidRound(database.db, round, 'beacon_late')).toBe(true)
  await database.freezeClock(voidsAt - 5_000)
  expect(await storeValue(database.db, round, DRAW)).toBe(true)
  const stored = 'select stored_at from rounds.value where issue = $1'
  expect(await database.owner.value(stored, [issue])).toBe(voidsAt + 5_000)
})

/** By table: changes of what must never change. */
const STANDS = {
  'rounds.draw': [
    'digit_1 = (digit_1 + 1) % 10',
    'seed = sha256(seed)',
    `drawn_at = drawn_at - interval '1 s'`,
  ],
  // Every other column of it: guarded-rounds.test.ts.
  'rounds.round': ['beacon_round = beacon_round + 1'],
  'rounds.value': [
    `stored_at = stored_at - interval '1 s'`,
    'beacon_signature = sha256(beacon_signature)',
  ],
  'fairness.chain': ['commitment = sha256(commitment)'],
  'ledger.posting': ['amount = amount + 1'],
  'ledger.posting_default': ['amount = amount + 1'],
  'bets.bet': ['cash_after = cash_after + 1'],
}

/** What the database says to each statement; all through one connection, which a refusal would end otherwise. */
function answersTo(who: Database, statements: string[]): Promise<[string, string][]> {
  return who.transaction(async (tx) => {
    const answers: [string, string][] = []
    for (const statement of statements) {
      await tx.query('savepoint before')
      const done = tx.query(statement).then(() => 'done')
      answers.push([statement, await done.catch((error: Error) => error.message)])
      await tx.query('rollback to before')
    }
    return answers
  })
}

it('stored data is not updated, deleted or truncated by the application, nor changed by the owner unnoticed', async () => {
  const { db, owner } = database
  const round = await openTestRound(database)
  await placeAccepted(database, [orderFor(await addPlayer(database), round)])
  await drawTestRound(database, round, [9, 9, 9])
  for (const [table, changes] of Object.entries(STANDS)) {
    const statements = [
      ...changes.map((change) => `update ${table} set ${change}`),
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ]
    for (const [statement, said] of await answersTo(db, statements)) {
      expect(said, statement).toMatch(/^permission denied/)
    }
    // Writing to a partition does not bypass the journal's own trigger.
    if (table === 'ledger.posting_default') continue
    for (const [statement, said] of await answersTo(owner, statements)) {
      expect(said, `owner: ${statement}`).toMatch(/never change/)
    }
  }
})
