/** A decision about a withdrawal waits for another person's that is not committed yet, and sees it then. */
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { cashOf } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { openCashDesk } from '#testing/people/cash-desk.ts'

const U = 1_000_000n
const APPROVE = 'approve($1, $2)'
const REJECT = `reject($1, $2, 'no')`

it.each([
  ['an approval', 'another', { later: APPROVE, earlier: APPROVE, left: 900n }],
  ['a rejection', 'an approval', { later: REJECT, earlier: APPROVE, left: 900n }],
  ['an approval', 'a rejection', { later: APPROVE, earlier: REJECT, left: 1_000n }],
  ['a rejection', 'another', { later: REJECT, earlier: REJECT, left: 1_000n }],
])('%s waits for %s, and finds the withdrawal decided', async (_what, _other, steps) => {
  const { later, earlier, left } = steps
  const { database, say, request, ann, bob, player, owner } = await openCashDesk()
  const id = await request(100)
  const answer = await answerAfter(database, {
    first: (tx) => say(earlier, [id, ann], tx),
    second: () => say(later, [id, bob]),
  })
  expect(answer).toBe('decided')
  expect(await cashOf(database, player)).toBe(left * U)
  await expectAlwaysTrue(owner)
})

it('the second of two approvals waits for the first, and is then the second', async () => {
  const { database, say, request, ann, bob, owner } = await openCashDesk()
  await owner.query('update withdrawals.terms set two_persons_from = 0')
  const id = await request()
  const answer = await answerAfter(database, {
    first: (tx) => say(APPROVE, [id, ann], tx),
    second: () => say(APPROVE, [id, bob]),
  })
  expect(answer).toBe('approved')
  const by = (column: string) => `(select name from staff.member where id = ${column})`
  expect(
    await owner.query(
      `select ${by('first_approved_by')} as first, ${by('approved_by')} as second
       from withdrawals.withdrawal`,
    ),
  ).toEqual([{ first: `m${ann}`, second: `m${bob}` }])
  await expectAlwaysTrue(owner)
})

it('a person does not approve twice, even before the first approval is committed', async () => {
  const { database, say, request, ann, owner } = await openCashDesk()
  await owner.query('update withdrawals.terms set two_persons_from = 0')
  const id = await request()
  const answer = await answerAfter(database, {
    first: (tx) => say(APPROVE, [id, ann], tx),
    second: () => say(APPROVE, [id, ann]),
  })
  expect(answer).toBe('same_person')
})
