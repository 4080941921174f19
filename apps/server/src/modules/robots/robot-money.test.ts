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
  const fund = async (
    floor: bigint,
    target: bigint,
    cause: string,
    day = DAY,
    by: Queryable = owner,
  ) =>
    by.value<number>(
      'select robots.level(true, array[$1::integer], array[$2::bigint], array[$3::bigint], $4, $5)',
      [robot, floor, target, day, cause],
    )
  const sweep = async (keep: bigint, cause: string, day = DAY, by: Queryable = owner) =>
    by.value<number>(
      'select robots.level(false, array[$1::integer], array[null::bigint], array[$2::bigint], $3, $4)',
      [robot, keep, day, cause],
    )
  return { database, fund, sweep, cash: () => cashOf(database, robot) }
}

it('a robot below its floor gets what it lacks of its target', async () => {
  const { database, fund, cash } = await robotWithFive()
  expect(await fund(6n * U, 10n * U, 'a')).toBe(1)
  expect(await cash()).toBe(10n * U)
  await expectAlwaysTrue(database.owner)
})

it.each([
  { why: 'is at its floor', floor: 5n * U, target: 10n * U },
  { why: 'is at its target', floor: 9n * U, target: 5n * U },
  { why: 'is above its target', floor: 9n * U, target: 4n * U },
])('a robot that $why gets nothing', async ({ floor, target }) => {
  const { fund, cash } = await robotWithFive()
  expect(await fund(floor, target, 'a')).toBe(0)
  expect(await cash()).toBe(5n * U)
})

it('the house fills no person’s balance', async () => {
  const { database } = await robotWithFive()
  const person = await addPlayer(database, { u: 5 })
  const fund = `select robots.level(true, array[$1::integer], array[9], array[9], current_date, 'x')`
  expect(await database.db.value(fund, [person])).toBe(0)
})

it('a robot keeps what it is to keep, and gives back the rest', async () => {
  const { database, sweep, cash } = await robotWithFive()
  expect(await sweep(5n * U, 'a')).toBe(0)
  expect(await sweep(-1n, 'a')).toBe(0)
  expect(await sweep(2n * U, 'a')).toBe(1)
  expect(await cash()).toBe(2n * U)
  await expectAlwaysTrue(database.owner)
})

it('each happens once for a cause and day', async () => {
  const { fund, sweep, cash } = await robotWithFive()
  expect(await fund(6n * U, 10n * U, 'a')).toBe(1)
  expect(await sweep(0n, 'a')).toBe(1)
  expect(await fund(6n * U, 10n * U, 'a')).toBe(0)
  expect(await fund(6n * U, 10n * U, 'b')).toBe(1)
  expect(await sweep(0n, 'a')).toBe(0)
  expect(await sweep(0n, 'a', '2026-11-21')).toBe(1)
  expect(await fund(6n * U, 7n * U, 'a', '2026-11-21')).toBe(1)
  expect(await cash()).toBe(7n * U)
})

it.each(['fund', 'sweep'] as const)(
  'two that %s a robot for one cause at once move the money once',
  async (which) => {
    const { database, fund, sweep, cash } = await robotWithFive()
    const move = (by: Queryable) =>
      which === 'fund' ? fund(6n * U, 10n * U, 'a', DAY, by) : sweep(1n * U, 'a', DAY, by)
    const second = await answerAfter(database, {
      first: async (tx) => expect(await move(tx)).toBe(1),
      second: () => move(database.owner),
    })
    expect(second).toBe(0)
    expect(await cash()).toBe(which === 'fund' ? 10n * U : U)
  },
)

it('the daily check finds money that robots did not get from the house’s account for them, and others who did', async () => {
  const { database } = await robotWithFive()
  const { owner } = database
  const robot = await owner.value<number>('select player_id from robots.robot')
  const person = await addPlayer(database, { u: 5 })
  let causes = 0
  const rule = RULES.find(({ name }) => name.startsWith("robots' money comes"))
  if (!rule) throw new Error('the rule is gone')
  let wrong = 0
  /** Posts a micro-unit, and says whether the check finds it. */
  const post = async (holder: number, kind: string, source: string, destination: string) => {
    causes += 1
    await owner.query(
      `select from ledger.post(array[row($1, $2, $3, $4, $5, 1, $6)::ledger.posting_request])`,
      [holder, DAY, kind, source, destination, `a cause ${causes}`],
    )
    const before = wrong
    wrong = (await rowsAgainst(owner, rule)).length
    return wrong === before ? 'right' : 'found'
  }
  const kinds = [
    ['robot_funding', 'house:robots', 'cash'],
    ['robot_sweep', 'cash', 'house:robots'],
    ['robot_funding', 'house:treasury', 'cash'],
    ['robot_sweep', 'cash', 'house:treasury'],
    ['deposit', 'house:treasury', 'cash'],
    ['deposit', 'house:robots', 'cash'],
    ['payment', 'cash', 'house:robots'],
    ['hold', 'cash', 'held'],
    ['stake', 'cash', 'house:game'],
    ['payout', 'house:game', 'cash'],
    ['refund', 'house:game', 'cash'],
  ] as const
  const answers: Record<string, { robot: string; person: string }> = {}
  for (const [kind, source, destination] of kinds) {
    answers[`${kind} from ${source} to ${destination}`] = {
      robot: await post(robot, kind, source, destination),
      person: await post(person, kind, source, destination),
    }
  }
  const [robotsOnly, personsOnly] = [
    { robot: 'right', person: 'found' },
    { robot: 'found', person: 'right' },
  ]
  const nobody = { robot: 'found', person: 'found' }
  const both = { robot: 'right', person: 'right' }
  expect(answers).toEqual({
    'robot_funding from house:robots to cash': robotsOnly,
    'robot_sweep from cash to house:robots': robotsOnly,
    'robot_funding from house:treasury to cash': nobody,
    'robot_sweep from cash to house:treasury': nobody,
    'deposit from house:treasury to cash': personsOnly,
    'deposit from house:robots to cash': nobody,
    'payment from cash to house:robots': nobody,
    'hold from cash to held': personsOnly,
    'stake from cash to house:game': both,
    'payout from house:game to cash': both,
    'refund from house:game to cash': both,
  })
})
