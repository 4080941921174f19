/** What the house gives its robots and takes back, in micro-units: to the amount, and once for a cause. */
import { expect, it } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { rowsAgainst } from '#src/modules/ledger/check-books.ts'
import { RULES } from '#src/modules/ledger/rules-of-the-books.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'

const U = 1_000_000n
const DAY = '2026-11-20'

/** A robot with 5 u, and how the house fills and empties it. */
async function robotWithFive() {
  const database = await createTestDatabase()
  const { owner } = database
  const robot = await addPlayer(database, { u: 5, robot: true })
  await owner.query('insert into robots.robot (player_id, room_id, seat) values ($1, 11, 1)', [
    robot,
  ])
  const level = (fills: boolean, [floor, target]: [bigint | null, bigint], of: Cause) =>
    (of.by ?? owner).value<number>(
      'select robots.level($1, array[$2::integer], array[$3::bigint], array[$4::bigint], $5, $6)',
      [fills, robot, floor, target, of.day ?? DAY, of.cause ?? 'a'],
    )
  return {
    database,
    robot,
    fund: (floor: bigint, target: bigint, of: Cause = {}) => level(true, [floor, target], of),
    sweep: (keep: bigint, of: Cause = {}) => level(false, [null, keep], of),
    cash: () => cashOf(database, robot),
  }
}

type Cause = { cause?: string; day?: string; by?: Queryable }

it('a robot below its floor gets what it lacks of its target, and nobody else gets anything', async () => {
  const { database, fund, cash } = await robotWithFive()
  for (const [why, floor, target] of [
    ['at its floor', 5n * U, 10n * U],
    ['at its target', 9n * U, 5n * U],
    ['above its target', 9n * U, 4n * U],
  ] as const) {
    expect(await fund(floor, target), why).toBe(0)
  }
  expect(await cash()).toBe(5n * U)
  expect(await fund(6n * U, 10n * U)).toBe(1)
  expect(await cash()).toBe(10n * U)
  const person = await addPlayer(database, { u: 5 })
  const toPerson = `select robots.level(true, array[$1::integer], array[9000000], array[9000000], current_date, 'x')`
  expect(await database.owner.value(toPerson, [person])).toBe(0)
  await expectAlwaysTrue(database.owner)
})

it('a robot keeps what it is to keep, and gives back the rest', async () => {
  const { database, sweep, cash } = await robotWithFive()
  expect(await sweep(5n * U)).toBe(0)
  expect(await sweep(-1n)).toBe(0)
  expect(await sweep(2n * U)).toBe(1)
  expect(await cash()).toBe(2n * U)
  await expectAlwaysTrue(database.owner)
})

it('each happens once for a cause and day', async () => {
  const { fund, sweep, cash } = await robotWithFive()
  expect(await fund(6n * U, 10n * U)).toBe(1)
  expect(await sweep(0n)).toBe(1)
  expect(await fund(6n * U, 10n * U)).toBe(0)
  expect(await fund(6n * U, 10n * U, { cause: 'b' })).toBe(1)
  expect(await sweep(0n)).toBe(0)
  expect(await sweep(0n, { day: '2026-11-21' })).toBe(1)
  expect(await fund(6n * U, 7n * U, { day: '2026-11-21' })).toBe(1)
  expect(await cash()).toBe(7n * U)
})

it.each(['fund', 'sweep'] as const)(
  'two that %s a robot for one cause at once move the money once',
  async (which) => {
    const { database, fund, sweep, cash } = await robotWithFive()
    const move = (by: Queryable) =>
      which === 'fund' ? fund(6n * U, 10n * U, { by }) : sweep(1n * U, { by })
    const second = await answerAfter(database, {
      first: async (tx) => expect(await move(tx)).toBe(1),
      second: () => move(database.owner),
    })
    expect(second).toBe(0)
    expect(await cash()).toBe(which === 'fund' ? 10n * U : U)
  },
)

it('the daily check finds money that robots did not get from the house’s account for them, and others who did', async () => {
  const { database, robot } = await robotWithFive()
  const { owner } = database
  const person = await addPlayer(database, { u: 5 })
  const rule = RULES.find(({ name }) => name.startsWith("robots' money comes"))
  if (!rule) throw new Error('the rule is gone')
  let wrong = 0
  let causes = 0
  /** Posts a micro-unit, and says whether the check finds nothing wrong with it. */
  const isRight = async (holder: number, posting: readonly [string, string, string]) => {
    causes += 1
    const [kind, source, destination] = posting
    await owner.query(
      `select from ledger.post(array[row($1, $2, $3, $4, $5, 1, $6)::ledger.posting_request])`,
      [holder, DAY, kind, source, destination, `a cause ${causes}`],
    )
    const before = wrong
    wrong = (await rowsAgainst(owner, rule)).length
    return wrong === before
  }
  for (const [of, ...posting] of [
    ['robots', 'robot_funding', 'house:robots', 'cash'],
    ['robots', 'robot_sweep', 'cash', 'house:robots'],
    ['nobody', 'robot_funding', 'house:treasury', 'cash'],
    ['nobody', 'robot_sweep', 'cash', 'house:treasury'],
    ['people', 'deposit', 'house:treasury', 'cash'],
    ['nobody', 'deposit', 'house:robots', 'cash'],
    ['nobody', 'payment', 'cash', 'house:robots'],
    ['people', 'hold', 'cash', 'held'],
    ['both', 'stake', 'cash', 'house:game'],
    ['both', 'payout', 'house:game', 'cash'],
    ['both', 'refund', 'house:game', 'cash'],
  ] as const) {
    const right = [await isRight(robot, posting), await isRight(person, posting)]
    expect(right, posting.join()).toEqual([/robots|both/.test(of), /people|both/.test(of)])
  }
})
