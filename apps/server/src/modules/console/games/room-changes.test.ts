/** Changes of a room's limits and odds: two persons, the allowed range, and the round from which they apply. */
import { oddsAreFair } from '@sum28/domain/odds.ts'
import { RULES, ruleById } from '@sum28/domain/outcomes.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  openTestRound,
  orderFor,
  placeAll,
  type TestRound,
} from '#testing/database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { confirm, end, proposeRoomChange } from '#testing/people/proposals.ts'
import type { NewOdds } from './room-change.ts'

/** When the first round of these tests begins. */
const START = Date.UTC(2026, 10, 20, 12)
const SECOND = 1_000
const U = 1_000_000n

const ROOM = { roomId: 11, version: 1 }
const NEW_ODDS: NewOdds[] = [{ ruleId: 1, oddsMilli: 1_800 }]

async function house() {
  const database = await createTestDatabase()
  await database.freezeClock(START)
  const [ann = '', ben = ''] = await sessionsOf(database, ['ann', 'ben'])
  const { db } = database
  let changes = 0

  /** Opens a round at an instant, and sets the clock ten seconds after it. */
  async function roundAt(opensAt: number): Promise<TestRound> {
    await database.freezeClock(opensAt + 10 * SECOND)
    return openTestRound(database)
  }

  return {
    ...{ database, db, ann, ben, roundAt },
    /** Proposes as ann; returns the number of the change. */
    async proposed(odds = NEW_ODDS, version = 1): Promise<number> {
      const proposal = { ...ROOM, version, odds, session: ann }
      expect(await proposeRoomChange(db, proposal)).toBe('proposed')
      changes += 1
      return changes
    },
    confirm: (id: number) => confirm(db, id, ben),
    /** The version of the room's rules and the odds of long, as the database uses them for bets. */
    async inForce() {
      const [row] = await database.owner.query<{ version: number; odds: number }>(
        `select rules_version as version, odds_milli as odds from games.room
         join games.odds on room_id = room.id and rule_id = 1 where room.id = 11`,
      )
      return row
    },
  }
}

async function sessionsOf({ owner }: TestDatabase, names: string[]): Promise<string[]> {
  await owner.query(
    `with member as (
       insert into staff.member (name, role, password_hash, encrypted_totp_secret, totp_key_id)
       select name, 'owner', 'x', 'x', 'x' from unnest($1::text[]) name returning id, name
     )
     insert into staff.session (token_hash, staff_id, address)
     select sha256(convert_to('the session of ' || name, 'UTF8')), id, 'test' from member`,
    [names],
  )
  return names.map((name) => `the session of ${name}`)
}

const OLD = { version: 1, odds: 1_920 }
const NEW = { version: 2, odds: 1_800 }

describe('a confirmed change', () => {
  it.each([
    [-1, 'holds in the round that opens one millisecond after it', NEW],
    [0, 'does not hold in the round that opens at its very instant', OLD],
    [1, 'does not hold in the round that was to open one millisecond before it', OLD],
  ])('at %d ms %s, and holds in the next one', async (ms, _what, expected) => {
    const { database, roundAt, proposed, confirm, inForce } = await house()
    const first = await roundAt(START)
    const change = await proposed()
    const opening = first.drawsAt
    await database.freezeClock(opening + ms)
    expect(await confirm(change)).toBe('confirmed')
    expect(await inForce()).toEqual(OLD)
    const second = await roundAt(opening)
    expect(second.opensAt).toBe(opening)
    expect(await inForce()).toEqual(expected)
    await roundAt(second.drawsAt)
    expect(await inForce()).toEqual(NEW)
  })

  it('leaves the open round and every bet as they are', async () => {
    const { database, roundAt, proposed, confirm } = await house()
    const first = await roundAt(START)
    const player = await addPlayer(database)
    const bet = (round: TestRound) => placeAll(database, [orderFor(player, round)])
    expect(await bet(first)).toEqual([null])
    expect(await confirm(await proposed())).toBe('confirmed')
    expect(await bet(first)).toEqual([null])
    const second = await roundAt(first.drawsAt)
    expect(await bet(second)).toEqual([null])
    const bets = 'select odds_milli, rules_version from bets.bet order by id'
    expect(await database.owner.query(bets)).toEqual([
      { odds_milli: [1_920], rules_version: 1 },
      { odds_milli: [1_920], rules_version: 1 },
      { odds_milli: [1_800], rules_version: 2 },
    ])
    await expectAlwaysTrue(database.owner)
  })

  it('does not take effect with a round of another game', async () => {
    const { database, proposed, confirm, inForce } = await house()
    await confirm(await proposed())
    await database.freezeClock(START + 60 * SECOND)
    await openTestRound(database, { gameId: 2 })
    expect(await inForce()).toEqual(OLD)
    await openTestRound(database, { gameId: 1 })
    expect(await inForce()).toEqual(NEW)
  })

  it('changes limits and odds at once, and can be ended until its round opens', async () => {
    const { database, db, ann, ben, roundAt, confirm, inForce } = await house()
    const limits = { stake_min: 5n * U, stake_max: 50n * U, entry_min: 0n }
    const proposal = { ...ROOM, limits, odds: NEW_ODDS, session: ann }
    await proposeRoomChange(db, proposal)
    expect(await confirm(1)).toBe('confirmed')
    expect(await end(db, 1, ben)).toBe('refused')
    await roundAt(START + SECOND)
    expect(await inForce()).toEqual(OLD)
    await proposeRoomChange(db, proposal)
    await confirm(2)
    const { issue } = await roundAt(START + 100 * SECOND)
    expect(await end(db, 2, ann)).toBe('decided')
    expect(
      await database.owner.query(
        'select stake_min, stake_max, entry_min, rules_version from games.room where id = 11',
      ),
    ).toEqual([{ stake_min: 5n * U, stake_max: 50n * U, entry_min: 0n, rules_version: 2 }])
    expect(await db.query('select state, effective_with from staff.proposal order by id')).toEqual([
      { state: 'refused', effective_with: null },
      { state: 'effective', effective_with: issue },
    ])
  })

  it('that another process confirms while the round opens applies from that round or from the next', async () => {
    const { database, roundAt, proposed, confirm, inForce } = await house()
    const change = await proposed()
    const player = await addPlayer(database)
    await database.freezeClock(START + 60 * SECOND)
    const [word, round] = await Promise.all([confirm(change), openTestRound(database)])
    expect(word).toBe('confirmed')
    const terms = await inForce()
    expect([OLD, NEW]).toContainEqual(terms)
    expect(await placeAll(database, [orderFor(player, round)])).toEqual([null])
    expect(await database.owner.query('select odds_milli[1] as odds from bets.bet')).toEqual([
      { odds: terms?.odds },
    ])
    await roundAt(round.drawsAt)
    expect(await inForce()).toEqual(NEW)
  })
})

describe('a proposal', () => {
  it('is of a room that exists', async () => {
    const { db, ann } = await house()
    const proposal = { ...ROOM, roomId: 999, odds: NEW_ODDS, session: ann }
    expect(await proposeRoomChange(db, proposal)).toBe('not_found')
  })

  it('is the only one: of two at once one is refused because of the other', async () => {
    const { db, ann, ben } = await house()
    const words = await Promise.all(
      [ann, ben].map((session) => proposeRoomChange(db, { ...ROOM, odds: NEW_ODDS, session })),
    )
    expect(words.toSorted()).toEqual(['already_proposed', 'proposed'])
  })

  it('is confirmed by another person, once', async () => {
    const { db, ann, ben, proposed } = await house()
    const changeId = await proposed()
    expect(await confirm(db, changeId, ann)).toBe('same_person')
    const words = await Promise.all([confirm(db, changeId, ben), confirm(db, changeId, ben)])
    expect(words.toSorted()).toEqual(['confirmed', 'decided'])
    expect(await confirm(db, 99, ben)).toBe('not_found')
  })

  it('from rules that do not apply any more is refused, and its confirmation too', async () => {
    const { database, db, ann, proposed, confirm } = await house()
    const changeId = await proposed()
    await database.owner.query('update games.room set rules_version = 2 where id = 11')
    expect(await confirm(changeId)).toBe('rules_changed')
    await end(db, changeId, ann)
    expect(await proposeRoomChange(db, { ...ROOM, odds: NEW_ODDS, session: ann })).toBe(
      'rules_changed',
    )
  })

  it('stays in the history as it was decided', async () => {
    const { database, db, ann, proposed } = await house()
    await end(db, await proposed(), ann)
    const forbidden = [
      `update staff.proposal set end_reason = 'x'`,
      'delete from staff.proposal',
      'truncate staff.proposal cascade',
    ]
    for (const statement of forbidden)
      await expect(database.owner.query(statement)).rejects.toThrow(/history|is decided/)
  })
})

it('no bet is accepted with odds outside of the allowed range, whatever is proposed', async () => {
  const { database, db, ann, ben, roundAt } = await house()
  const player = await addPlayer(database, { u: 1_000_000 })
  let version = 1
  let opensAt = START
  const odds = fc
    .constantFrom(...RULES)
    .chain(({ id, ways }) =>
      fc
        .integer({ min: -2, max: Math.ceil(1_200_000 / ways) })
        .map((oddsMilli) => ({ ruleId: id, oddsMilli })),
    )
  await fc.assert(
    fc.asyncProperty(odds, async (wanted) => {
      const fair = oddsAreFair({ ...wanted, ways: ruleById(wanted.ruleId)?.ways ?? 0 })
      const proposal = proposeRoomChange(db, { ...ROOM, version, odds: [wanted], session: ann })
      if (fair) {
        expect(await proposal).toBe('proposed')
        const [change] = await db.query<{ id: bigint }>('select max(id) as id from staff.proposal')
        expect(await confirm(db, Number(change?.id), ben)).toBe('confirmed')
        version += 1
      } else await expect(proposal).rejects.toThrow(/odds/)
      opensAt += 20 * SECOND
      const round = await roundAt(opensAt)
      await placeAll(database, [orderFor(player, round, { ruleIds: [wanted.ruleId] })])
    }),
    { numRuns: 30 },
  )
  const bets = await database.owner.query<{ odds: number; ways: number }>(
    `select odds, ways from bets.bet, unnest(rule_ids, odds_milli) as chosen (rule_id, odds)
     join games.rule on rule.id = rule_id`,
  )
  expect(bets).toHaveLength(30)
  for (const { odds: oddsMilli, ways } of bets) expect(oddsAreFair({ oddsMilli, ways })).toBe(true)
})
