/** An engine that is killed at each of its statements; as a process: supervise-engine.test.ts. */
import { describe, expect, it } from 'vitest'
import type { Database, Queryable } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { cashOf } from '#testing/database/fixtures.ts'
import {
  addBettor,
  driveByHand,
  PAID,
  REFUNDED,
  type Row,
  roundRow,
} from '#testing/product/driven-game.ts'
import { eventually } from '#testing/requests/patience.ts'

/**
 * The database of an engine that dies before it sends its n-th statement, and does nothing after it. An engine that dies
 * before it reads an answer leaves the same as one that does not send the next statement.
 */
function killedAt(db: Database, n: number): { db: Database; died: () => boolean } {
  let statements = 0
  let dead = false
  function mortal(target: Queryable): Queryable['query'] {
    return async (text, values) => {
      statements += 1
      dead ||= statements === n
      if (dead) throw new Error('killed')
      return target.query(text, values)
    }
  }
  return {
    died: () => dead,
    db: {
      ...db,
      query: mortal(db),
      transaction: (work) => db.transaction((tx) => work({ ...tx, query: mortal(tx) })),
    },
  }
}

/** The distance in seconds between the rounds of the kills, so that a late step of one is over before the next. */
const APART = 6 * 210

/**
 * Opens a round, places a bet, and drives the round at an instant with an engine that dies. Repeats this, each time
 * in a new round and one statement later, until an engine is not killed.
 *
 * @param at seconds after the opening; 0 of the opening itself
 * @param check what must be true of the round after the engine was restarted at the given instants
 * @returns the number of statements at which it was killed
 */
async function killAtEach(
  { at, back, skipSeal = false }: { at: number; back: readonly number[]; skipSeal?: boolean },
  check: (row: Row, announced: readonly number[], cash: bigint) => void,
): Promise<number> {
  const game = await driveByHand()
  for (let statement = 1; ; statement += 1) {
    const opens = statement * APART
    const issue = `20261120${String(opens / 210 + 1).padStart(3, '0')}`
    const { db, died } = killedAt(game.database.db, statement)
    const killed = () =>
      game.driveAt(opens + at, { db }).catch((error: Error) => expect(error.message).toBe('killed'))
    if (at === 0) await killed()
    await game.driveAt(opens)
    const player = await addBettor(game.database, issue)
    if (at > 180 && !skipSeal) await game.driveAt(opens + 180)
    const announced = await game.announcedDigits(await roundRow(game.database, issue))
    if (at > 0) await killed()
    for (const later of back) await game.driveAt(opens + later)
    // An engine continues until nothing is left to do, even if one turn did nothing on a busy machine.
    await eventually(async () => {
      if ((await roundRow(game.database, issue)).settled_at !== null) return true
      await game.driveAt(opens + (back.at(-1) ?? at))
      return undefined
    })
    check(await roundRow(game.database, issue), announced, await cashOf(game.database, player))
    if (!died()) {
      await expectAlwaysTrue(game.database.owner)
      return statement - 1
    }
  }
}

describe('an engine that is killed at each of its statements', () => {
  it.each([
    ['opening', 0, [180, 211, 212]],
    ['seal and book', 180, [180, 181, 211, 212]],
    ['draw and settling', 210, [210, 211, 211, 212]],
  ])('of %s, draws the announced digits once it is back, and pays once', async (_, at, back) => {
    const statements = await killAtEach({ at, back }, (row, announced, cash) => {
      expect(row).toMatchObject({ state: 'settled', digits: announced, book_size: 1 })
      expect(cash).toBe(PAID)
    })
    expect(statements).toBeGreaterThanOrEqual(4)
  })

  it('of seal and book, and back after the end, draws what was closed and voids what was not', async () => {
    const outcomes = new Set<unknown>()
    await killAtEach({ at: 180, back: [300, 301] }, (row, announced, cash) => {
      outcomes.add(row.state)
      if (row.state === 'settled') {
        expect(row.digits).toEqual(announced)
        expect(cash).toBe(PAID)
      } else {
        expect(row).toMatchObject({ state: 'voided', void_reason: 'sealed_late', seed: null })
        expect(cash).toBe(REFUNDED)
      }
    })
    expect(outcomes).toEqual(new Set(['settled', 'voided']))
  })

  it.each([
    ['whose book was late', 211, 'sealed_late'],
    ['whose beacon was', 900, 'beacon_late'],
  ])('while it voids and refunds a round %s, refunds once', async (_, at, reason) => {
    const late = reason === 'sealed_late' ? { skipSeal: true } : {}
    const statements = await killAtEach(
      { at, back: [at, at + 1], ...late },
      (row, _announced, cash) => {
        expect(row).toMatchObject({ state: 'voided', void_reason: reason, seed: null })
        expect(cash).toBe(REFUNDED)
      },
    )
    expect(statements).toBeGreaterThanOrEqual(7)
  })
})
