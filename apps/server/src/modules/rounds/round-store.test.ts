/** What the database itself refuses for rounds, books, draws, chains and the journal. */
import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Database } from '#src/db/database.ts'
import { sealRound } from '#src/modules/bets/round-bets.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAll,
  type TestRound,
} from '#testing/database/fixtures.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { publishSeed, storeDraw, storeValue, voidRound } from './round-store.ts'

const SIGNATURE = randomBytes(48)
const DRAW = {
  seed: randomBytes(32),
  signature: SIGNATURE,
  randomness: createHash('sha256').update(SIGNATURE).digest(),
  digits: [1, 2, 3],
} as const
/** Another value of the right form. */
const OTHER = {
  signature: DRAW.seed,
  randomness: createHash('sha256').update(DRAW.seed).digest(),
}

async function stateOf({ owner }: TestDatabase, { issue }: TestRound): Promise<unknown> {
  const [row] = await owner.query('select state, void_reason from rounds.round where issue = $1', [
    issue,
  ])
  return row
}

async function sealedRound(database: TestDatabase): Promise<TestRound & { voidsAt: number }> {
  const round = await openTestRound(database)
  await database.freezeClock(round.sealsAt)
  if (!(await sealRound(database.db, round))) throw new Error('the round could not be sealed')
  // How long a round waits that announced no deadline.
  return { ...round, voidsAt: round.drawsAt + 600_000 }
}

/**
 * Acts while another transaction holds the round, and sets the clock before that one releases it: the waiting call
 * must judge by the time of its lock.
 */
async function heldUntil<Result>(
  database: TestDatabase,
  { gameId, issue }: TestRound,
  { at, doing }: { at: number; doing: () => Promise<Result> },
): Promise<Result> {
  let waiting: Promise<Result> | undefined
  await database.owner.transaction(async (tx) => {
    await tx.query('select from rounds.round where game_id = $1 and issue = $2 for no key update', [
      gameId,
      issue,
    ])
    waiting = doing()
    await somebodyWaits(database)
    await database.freezeClock(at)
  })
  return waiting as Promise<Result>
}

describe('a seal', () => {
  it('closes the book with it, until the last instant before the end, and not from then on', async () => {
    const database = await createTestDatabase()
    for (const [at, closed] of [
      ['seals', true],
      ['before the end', true],
      ['the end', false],
      ['later', false],
    ] as const) {
      const round = await openTestRound(database)
      const { sealsAt, drawsAt } = round
      await database.freezeClock(sealsAt - 1)
      expect(await sealRound(database.db, round)).toBe(false)
      const moments = { seals: sealsAt, 'before the end': drawsAt - 1, 'the end': drawsAt }
      await database.freezeClock({ ...moments, later: drawsAt + 5_000 }[at])
      expect(await sealRound(database.db, round), at).toBe(closed)
      await database.freezeClock(drawsAt)
      expect(await storeDraw(database.db, round, DRAW)).toBe(closed)
    }
  })

  it('is made once, and the closed book never changes', async () => {
    const database = await createTestDatabase()
    const round = await sealedRound(database)
    await database.freezeClock(round.sealsAt + 1)
    expect(await sealRound(database.db, round)).toBe(false)
    for (const change of ['book_size = 9', `book_root = sha256('x')`, 'sealed_at = app.now()']) {
      await expect(database.owner.query(`update rounds.round set ${change}`)).rejects.toThrow(
        'never changes',
      )
    }
  })

  it('is not made for a round that does not exist, or was voided', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    await database.freezeClock(round.drawsAt)
    expect(await sealRound(database.db, { ...round, issue: '1' })).toBe(false)
    await voidRound(database.db, round, 'sealed_late')
    await database.freezeClock(round.sealsAt)
    expect(await sealRound(database.db, round)).toBe(false)
  })

  it('judges by the time at which it gets the lock: too late if the lock was held past the end', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    await database.freezeClock(round.drawsAt - 1)
    const doing = () => sealRound(database.db, round)
    expect(await heldUntil(database, round, { at: round.drawsAt, doing })).toBe(false)
    expect(await stateOf(database, round)).toEqual({ state: 'open', void_reason: null })
    expect(await voidRound(database.db, round, 'sealed_late')).toBe(true)
  })
})

describe('a draw', () => {
  it('is stored from the end on, until the announced deadline and not at it', async () => {
    const database = await createTestDatabase()
    const [early, last, late] = [
      await sealedRound(database),
      await sealedRound(database),
      await sealedRound(database),
    ]
    await database.freezeClock(early.drawsAt - 1)
    expect(await storeDraw(database.db, early, DRAW)).toBe(false)
    await database.freezeClock(early.drawsAt)
    expect(await storeDraw(database.db, early, DRAW)).toBe(true)
    expect(await storeDraw(database.db, early, DRAW)).toBe(false)
    await database.freezeClock(last.voidsAt - 1)
    expect(await storeDraw(database.db, last, DRAW)).toBe(true)
    await database.freezeClock(late.voidsAt)
    expect(await storeDraw(database.db, late, DRAW)).toBe(false)
    expect(await voidRound(database.db, late, 'beacon_late')).toBe(true)
  })

  it('is not stored for a round that is open, voided or does not exist', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    await database.freezeClock(round.drawsAt)
    expect(await storeDraw(database.db, round, DRAW)).toBe(false)
    expect(await storeDraw(database.db, { ...round, issue: '1' }, DRAW)).toBe(false)
    await voidRound(database.db, round, 'sealed_late')
    expect(await storeDraw(database.db, round, DRAW)).toBe(false)
  })

  it('judges by the time at which it gets the lock: none if the lock was held past the deadline', async () => {
    const database = await createTestDatabase()
    const round = await sealedRound(database)
    await database.freezeClock(round.voidsAt - 1)
    const doing = () => storeDraw(database.db, round, DRAW)
    expect(await heldUntil(database, round, { at: round.voidsAt, doing })).toBe(false)
    expect(await stateOf(database, round)).toEqual({ state: 'sealed', void_reason: null })
  })

  it('must use the stored value, and may then also come after the deadline', async () => {
    const database = await createTestDatabase()
    const round = await sealedRound(database)
    await database.freezeClock(round.voidsAt - 1)
    expect(await storeValue(database.db, round, DRAW)).toBe(true)
    await database.freezeClock(round.voidsAt + 86_400_000)
    await expect(storeDraw(database.db, round, { ...DRAW, ...OTHER })).rejects.toThrow(
      'with the value that was stored',
    )
    expect(await storeDraw(database.db, round, DRAW)).toBe(true)
  })
})

describe('a beacon’s value', () => {
  it('is stored once, from the end of a sealed round until its deadline, and never changes', async () => {
    const database = await createTestDatabase()
    const round = await sealedRound(database)
    await database.freezeClock(round.drawsAt - 1)
    expect(await storeValue(database.db, round, DRAW)).toBe(false)
    await database.freezeClock(round.drawsAt)
    expect(await storeValue(database.db, round, DRAW)).toBe(true)
    expect(await storeValue(database.db, round, OTHER)).toBe(false)
    const late = await sealedRound(database)
    await database.freezeClock(late.voidsAt)
    expect(await storeValue(database.db, late, DRAW)).toBe(false)
    for (const change of [
      'update rounds.value set stored_at = app.now()',
      'delete from rounds.value',
    ]) {
      await expect(database.owner.query(change)).rejects.toThrow('never change')
    }
  })

  it('is not stored for an open round, or if the randomness does not belong to the signature', async () => {
    const database = await createTestDatabase()
    const open = await openTestRound(database)
    await database.freezeClock(open.drawsAt)
    expect(await storeValue(database.db, open, DRAW)).toBe(false)
    const round = await sealedRound(database)
    await database.freezeClock(round.drawsAt)
    const wrong = { signature: DRAW.signature, randomness: OTHER.randomness }
    await expect(storeValue(database.db, round, wrong)).rejects.toThrow(
      'randomness_is_of_signature',
    )
  })

  it('judges by the time at which it gets the lock: none if the lock was held past the deadline', async () => {
    const database = await createTestDatabase()
    const round = await sealedRound(database)
    await database.freezeClock(round.voidsAt - 1)
    const doing = () => storeValue(database.db, round, DRAW)
    expect(await heldUntil(database, round, { at: round.voidsAt, doing })).toBe(false)
  })
})

describe('a void', () => {
  const REASONS = [
    'sealed_late',
    'beacon_late',
    'staff',
    'missed',
    'a result that costs us',
  ] as const

  /** The reasons for which a round could be voided now. */
  async function provable({ db }: TestDatabase, round: TestRound): Promise<string[]> {
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

  /** Whether the value of a round could be stored now. */
  async function valueStorable({ db }: TestDatabase, round: TestRound): Promise<boolean> {
    let stored = false
    const tried = db.transaction(async (tx) => {
      stored = await storeValue(tx, round, DRAW)
      throw new Error('undone')
    })
    await expect(tried).rejects.toThrow('undone')
    return stored
  }

  it('is checked against the database’s own data: at each moment there is one reason, or none', async () => {
    const database = await createTestDatabase()
    const open = await openTestRound(database)
    expect(await provable(database, open)).toEqual([])
    await database.freezeClock(open.drawsAt - 1)
    expect(await provable(database, open)).toEqual([])
    await database.freezeClock(open.drawsAt)
    expect(await provable(database, open)).toEqual(['sealed_late'])
    await database.freezeClock(open.drawsAt + 86_400_000)
    expect(await provable(database, open)).toEqual(['sealed_late'])

    const sealed = await sealedRound(database)
    for (const at of [sealed.sealsAt, sealed.drawsAt, sealed.drawsAt + 400, sealed.voidsAt - 1]) {
      await database.freezeClock(at)
      expect(await provable(database, sealed)).toEqual([])
    }
    await database.freezeClock(sealed.voidsAt)
    expect(await provable(database, sealed)).toEqual(['beacon_late'])
    expect(await provable(database, { ...sealed, issue: '1' })).toEqual([])
  })

  it('is impossible for a round whose value was known by its deadline', async () => {
    const database = await createTestDatabase()
    const round = await sealedRound(database)
    await database.freezeClock(round.voidsAt - 1)
    await storeValue(database.db, round, DRAW)
    for (const at of [round.voidsAt, round.voidsAt + 86_400_000]) {
      await database.freezeClock(at)
      expect(await provable(database, round)).toEqual([])
    }
    await storeDraw(database.db, round, DRAW)
    expect(await provable(database, round)).toEqual([])
  })

  it('judges by the state when it gets the lock: none if the value was stored meanwhile', async () => {
    const database = await createTestDatabase()
    const round = await sealedRound(database)
    await database.freezeClock(round.voidsAt - 1)
    let voiding: Promise<boolean> | undefined
    await database.db.transaction(async (tx) => {
      await storeValue(tx, round, DRAW)
      await database.freezeClock(round.voidsAt)
      voiding = voidRound(database.db, round, 'beacon_late')
      await somebodyWaits(database)
    })
    expect(await voiding).toBe(false)
  })

  describe('that the owner of the database writes himself', () => {
    const voided = (
      { owner }: TestDatabase,
      { issue }: TestRound,
      reason: string,
      at = 'app.now()',
    ) =>
      owner.query(
        `update rounds.round set state = 'voided', voided_at = ${at}, void_reason = $2 where issue = $1`,
        [issue, reason],
      )
    /** Two persons' decision, dated before the round's end. */
    const decided = ({ owner }: TestDatabase, { issue }: TestRound) =>
      owner.query(
        `insert into staff.proposal (kind, subject, content, reason, state, proposed_by, proposed_at, confirmed_by,
           confirmed_at)
         select 'void', 'round:1:' || issue, '{}', 'why', 'confirmed', min(member.id), draws_at - interval '2 s',
           max(member.id), draws_at - interval '1 s'
         from rounds.round, staff.member where issue = $1 group by issue, draws_at`,
        [issue],
      )

    it.each(['missed', 'sealed_late', 'beacon_late', 'two_persons'])(
      'is refused as %s if that is not proved, whatever time he names',
      async (reason) => {
        const database = await createTestDatabase()
        const round = await sealedRound(database)
        const times = ['app.now()', `draws_at + interval '1 hour'`, `draws_at - interval '1 s'`]
        for (const at of times) {
          await expect(voided(database, round, reason, at), at).rejects.toThrow('is not proved')
        }
      },
    )

    it('is refused for every reason and at every time, if the value is stored', async () => {
      const database = await createTestDatabase()
      const round = await sealedRound(database)
      await database.freezeClock(round.voidsAt - 1)
      await storeValue(database.db, round, DRAW)
      for (const at of [round.voidsAt - 1, round.voidsAt, round.voidsAt + 86_400_000]) {
        await database.freezeClock(at)
        for (const reason of ['missed', 'sealed_late', 'beacon_late', 'two_persons']) {
          await expect(voided(database, round, reason)).rejects.toThrow('is not proved')
        }
      }
      expect(await storeDraw(database.db, round, DRAW)).toBe(true)
    })

    it('is refused as sealed_late one instant before the end, and accepted from then on', async () => {
      const database = await createTestDatabase()
      const round = await openTestRound(database)
      await database.freezeClock(round.drawsAt - 1)
      await expect(voided(database, round, 'sealed_late')).rejects.toThrow('is not proved')
      await expect(voided(database, round, 'sealed_late', 'draws_at')).rejects.toThrow('not proved')
      await database.freezeClock(round.drawsAt)
      await voided(database, round, 'sealed_late')
    })

    it('is refused as beacon_late one instant before the deadline, and accepted from then on', async () => {
      const database = await createTestDatabase()
      const round = await sealedRound(database)
      await database.freezeClock(round.voidsAt - 1)
      await expect(voided(database, round, 'beacon_late')).rejects.toThrow('is not proved')
      await database.freezeClock(round.voidsAt)
      await expect(voided(database, round, 'sealed_late')).rejects.toThrow('is not proved')
      await voided(database, round, 'beacon_late')
    })

    it('is accepted as two_persons only while the decision of two is there and the round has not ended', async () => {
      const database = await createTestDatabase()
      await staffToken(database)
      await staffToken(database)
      const [first, second] = [await sealedRound(database), await openTestRound(database)]
      await expect(voided(database, first, 'two_persons')).rejects.toThrow('is not proved')
      await decided(database, first)
      await decided(database, second)
      await voided(database, first, 'two_persons')
      await database.freezeClock(second.drawsAt)
      const before = `draws_at - interval '1 s'`
      await expect(voided(database, second, 'two_persons', before)).rejects.toThrow('is not proved')
      // After the end no decision is added, however it is dated.
      const third = await openTestRound(database)
      await database.freezeClock(third.drawsAt)
      await expect(decided(database, third)).rejects.toThrow('has ended')
    })
  })

  it('waits until the instant that was announced with the round', async () => {
    const database = await createTestDatabase()
    const drawsAt = Date.now() + 60_000
    const voidsAt = drawsAt + 90_000
    await openTestRound(database)
    const round = {
      ...{ gameId: 1, issue: '20270115001', opensAt: drawsAt - 60_000 },
      ...{ sealsAt: drawsAt - 30_000, drawsAt },
    }
    await database.db.query(
      `select rounds.open(1::smallint, 20270115001, '2027-01-15', 1, $1, $2, $3, min(id), 'local', 'b',
         'b', 'b', $4, 3, 2, $5) from fairness.chain where game_id = 1`,
      [
        ...[round.opensAt, round.sealsAt, drawsAt].map((at) => new Date(at)),
        ...[Math.ceil(drawsAt / 1_000) - 3, new Date(voidsAt)],
      ],
    )
    await database.freezeClock(round.sealsAt)
    await sealRound(database.db, round)
    await database.freezeClock(voidsAt - 1)
    expect(await provable(database, round)).toEqual([])
    expect(await valueStorable(database, round)).toBe(true)
    await database.freezeClock(voidsAt)
    expect(await provable(database, round)).toEqual(['beacon_late'])
    expect(await valueStorable(database, round)).toBe(false)
    expect(await storeDraw(database.db, round, DRAW)).toBe(false)
  })
})

describe('of a voided round', () => {
  it('seed and later value are published once, after its end, and for no other round', async () => {
    const database = await createTestDatabase()
    const { db } = database
    const round = await sealedRound(database)
    const seed = randomBytes(32)
    expect(await publishSeed(db, round, seed)).toBe(false)
    await database.freezeClock(round.voidsAt)
    expect(await publishSeed(db, round, seed)).toBe(false)
    await voidRound(db, round, 'beacon_late')
    expect(await publishSeed(db, round, seed)).toBe(true)
    expect(await publishSeed(db, round, randomBytes(32))).toBe(false)
    expect(await storeValue(db, round, DRAW)).toBe(true)
    expect(await storeValue(db, round, OTHER)).toBe(false)
    expect(await storeDraw(db, round, DRAW)).toBe(false)
  })

  it('the value that came after the void is dated after it, even if the clock has jumped back', async () => {
    const database = await createTestDatabase()
    const round = await sealedRound(database)
    const { voidsAt } = round
    await database.freezeClock(voidsAt + 5_000)
    expect(await voidRound(database.db, round, 'beacon_late')).toBe(true)
    await database.freezeClock(voidsAt - 5_000)
    expect(await storeValue(database.db, round, DRAW)).toBe(true)
    expect(
      await database.owner.query('select stored_at from rounds.value where issue = $1', [
        round.issue,
      ]),
    ).toEqual([{ stored_at: voidsAt + 5_000 }])
    await expectAlwaysTrue(database.owner)
  })

  it('the seed is kept back while an earlier round of its chain waits for its draw', async () => {
    const database = await createTestDatabase()
    const { db } = database
    const earlier = await sealedRound(database)
    await database.shiftClock(0)
    const later = await openTestRound(database)
    await database.freezeClock(later.drawsAt)
    await voidRound(db, later, 'sealed_late')
    expect(await publishSeed(db, later, DRAW.seed)).toBe(false)
    await storeDraw(db, earlier, DRAW)
    expect(await publishSeed(db, later, DRAW.seed)).toBe(true)
  })
})

describe('a round', () => {
  it.each([
    ['another beacon round than the first after its end', { round: 2 }],
    ['an earlier one', { genesis: -3 }],
    ['no clock of its beacon', { genesis: null }],
    ['no period', { period: null }],
  ] as const)('is not opened with %s', async (_, wrong) => {
    const database = await createTestDatabase()
    await openTestRound(database)
    const ends = 1_800_000_000
    const { genesis, period, round } = { genesis: 0, period: 3, round: 1, ...wrong }
    const open = (beacon: readonly (number | null)[]) =>
      database.db.query(
        `select rounds.open(1::smallint, 20270115001, '2027-01-15', 1, to_timestamp($1 - 210),
           to_timestamp($1 - 30), to_timestamp($1), (select id from fairness.chain), 'local', 'x', 'x',
           'x', $2, $3, $4, to_timestamp($1 + 600)) as opened`,
        [ends, ...beacon],
      )
    await expect(open([genesis === null ? null : ends + genesis, period, round])).rejects.toThrow(
      /beacon/,
    )
    expect(await open([ends, 3, 1])).toEqual([{ opened: true }])
  })
})

it('a round is not opened with a chain that has no seed left, and nothing is written', async () => {
  const { db, owner } = await createTestDatabase()
  const [chain] = await owner.query<{ id: number }>(
    `insert into fairness.chain (game_id, length, commitment, encrypted_secret, key_id)
     values (1, 1, sha256('one'), 'x', 'test') returning id`,
  )
  const open = (issue: number) =>
    db.query(
      `select rounds.open(1::smallint, $1::bigint, '2027-01-15', ($1::bigint % 1000)::integer, to_timestamp($2::bigint - 210),
         to_timestamp($2::bigint - 30), to_timestamp($2::bigint), $3, 'local', 'x', 'x', 'x', $2::bigint, 3, 1, to_timestamp($2::bigint + 600)) as opened`,
      [issue, 1_800_000_000 + (issue % 1_000), chain?.id],
    )
  expect(await open(20_270_115_001)).toEqual([{ opened: true }])
  await expect(open(20_270_115_002)).rejects.toThrow(
    `chain ${chain?.id} has no seed left for game 1`,
  )
  expect(await owner.query('select issue from rounds.round')).toEqual([{ issue: 20_270_115_001n }])
})

/** All data that must never change, and a change of each column. */
const STANDS = [
  ['draws', 'rounds.draw', 'digit_1 = (digit_1 + 1) % 10'],
  ['draws', 'rounds.draw', `seed = sha256(seed)`],
  ['draws', 'rounds.draw', `drawn_at = drawn_at - interval '1 s'`],
  ['books', 'rounds.round', `book_root = sha256(book_root)`],
  ['books', 'rounds.round', 'book_size = book_size + 1'],
  ['books', 'rounds.round', `sealed_at = sealed_at - interval '1 s'`],
  ['announcements', 'rounds.round', 'beacon_round = beacon_round + 1'],
  ['announcements', 'rounds.round', 'beacon_genesis = beacon_genesis - 1'],
  ['announcements', 'rounds.round', 'beacon_period = beacon_period + 1'],
  ['announcements', 'rounds.round', 'chain_index = chain_index + 1'],
  ['announcements', 'rounds.round', `draws_at = draws_at + interval '1 s'`],
  ['values', 'rounds.value', `stored_at = stored_at - interval '1 s'`],
  ['values', 'rounds.value', 'beacon_signature = sha256(beacon_signature)'],
  ['seeds', 'fairness.chain', 'commitment = sha256(commitment)'],
  ['seeds', 'fairness.chain', 'encrypted_secret = sha256(encrypted_secret)'],
  ['seeds', 'fairness.chain', `committed_at = committed_at - interval '1 day'`],
  ['the journal', 'ledger.posting', 'amount = amount + 1'],
  ['the journal', 'ledger.posting_default', 'amount = amount + 1'],
  ['bets', 'bets.bet', 'cash_after = cash_after + 1'],
] as const

describe('stored data', () => {
  it('is not updated, deleted or truncated by the application, nor changed by the owner unnoticed', async () => {
    const database = await createTestDatabase()
    const { db, owner } = database
    const round = await openTestRound(database)
    await placeAll(database, [orderFor(await addPlayer(database), round)])
    await drawTestRound(database, round, [9, 9, 9])
    const refusal = (who: Database, statement: string) =>
      who.query(statement).then(
        () => 'done',
        (error: Error) => error.message,
      )
    for (const [what, table, change] of STANDS) {
      for (const statement of [
        `update ${table} set ${change}`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ]) {
        expect(await refusal(db, statement), `${what}, application: ${statement}`).toMatch(
          /^permission denied/,
        )
      }
      // Writing to a partition does not bypass the journal's own trigger.
      if (table === 'ledger.posting_default') continue
      for (const statement of [
        `update ${table} set ${change}`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ]) {
        expect(await refusal(owner, statement), `${what}, owner: ${statement}`).toMatch(
          /never change/,
        )
      }
    }
  })
})
