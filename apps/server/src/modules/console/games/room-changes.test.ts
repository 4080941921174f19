/** Changes of a room's limits and odds: two persons, the allowed range, and the round from which they apply. */
import { RETURN_MAX_PPM, RETURN_MIN_PPM } from '@sum28/domain/odds.ts'
import { RULES } from '@sum28/domain/outcomes.ts'
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  openTestRound,
  orderFor,
  placeAll,
  type TestRound,
} from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { confirm, end, latestAbout, proposeRoomChange } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'
import type { NewOdds } from './room-change.ts'

/** When the first round of these tests begins. */
const START = Date.UTC(2026, 10, 20, 12)
const SECOND = 1_000

const ROOM = { roomId: 11, version: 1 }
const NEW_ODDS: NewOdds[] = [{ ruleId: 1, oddsMilli: 1_800 }]

async function house() {
  const database = await createTestDatabase()
  await database.freezeClock(START)
  const [ann, ben] = [await staffToken(database), await staffToken(database)]
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
  it('is the only one: of two at once one is refused because of the other', async () => {
    const { db, ann, ben } = await house()
    const words = await Promise.all(
      [ann, ben].map((session) => proposeRoomChange(db, { ...ROOM, odds: NEW_ODDS, session })),
    )
    expect(words.toSorted()).toEqual(['already_proposed', 'proposed'])
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
})

it('no odds outside of the allowed range are proposed, of any outcome', async () => {
  const { db, ann } = await house()
  for (const { id: ruleId, ways } of RULES) {
    const propose = (oddsMilli: number) =>
      proposeRoomChange(db, { ...ROOM, odds: [{ ruleId, oddsMilli }], session: ann })
    const [least, most] = [Math.ceil(RETURN_MIN_PPM / ways), Math.floor(RETURN_MAX_PPM / ways)]
    for (const unfair of [-2, 0, least - 1, most + 1]) {
      await expect(propose(unfair), `${unfair} of rule ${ruleId}`).rejects.toThrow(/odds/)
    }
    for (const fair of [least, most]) {
      expect(await propose(fair), `${fair} of rule ${ruleId}`).toBe('proposed')
      await end(db, await latestAbout(db, 'room:11'), ann)
    }
  }
})
