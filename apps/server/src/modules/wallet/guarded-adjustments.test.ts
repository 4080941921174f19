/** Which changes of a bonus or correction the database refuses even to its owner. */
import { expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff-token.ts'

/** A bonus proposed by one person, and a function that changes it as the database's owner. */
async function proposal() {
  const database = await createTestDatabase()
  const { owner } = database
  const [player, other] = [await addPlayer(database), await addPlayer(database)]
  for (let count = 0; count < 2; count += 1) await staffToken(database)
  const [ann, bob] = (
    await owner.query<{ id: number }>('select id from staff.member order by id desc limit 2')
  ).map(({ id }) => id)
  const { id } = only(
    await owner.query<{ id: bigint }>(
      `insert into wallet.adjustment (player_id, kind, amount, reason, proposed_by, proposed_at)
       values ($1, 'bonus', 5, 'A gift', $2, app.now()) returning id`,
      [player, ann],
    ),
  )
  return {
    ...{ owner, other, bob },
    change: (set: string) =>
      owner.query<{ state: string }>(
        `update wallet.adjustment set ${set} where id = ${id} returning state`,
      ),
  }
}

const DECIDED_BY = (by: number | undefined) => `decided_by = ${by}, decided_at = app.now()`

it('nothing of what was proposed changes', async () => {
  const { change, other, bob } = await proposal()
  for (const set of [
    `player_id = ${other}`,
    `kind = 'credit'`,
    'amount = amount + 1',
    `reason = 'Another'`,
    `proposed_by = ${bob}`,
    `proposed_at = proposed_at - interval '1 second'`,
    `state = 'confirmed', ${DECIDED_BY(bob)}, amount = amount + 1`,
  ]) {
    await expect(change(set), set).rejects.toThrow('what was proposed never changes')
  }
})

it.each([
  ['confirmed', ''],
  ['refused', `, refuse_reason = 'too much'`],
  ['withdrawn', `, refuse_reason = 'a mistake'`],
])('an adjustment becomes %s once, and then never changes', async (state, reason) => {
  const { change, bob } = await proposal()
  const decision = `state = '${state}', ${DECIDED_BY(bob)}${reason}`
  expect(await change(decision)).toEqual([{ state }])
  for (const set of [
    `state = 'proposed', decided_by = null, decided_at = null, refuse_reason = null`,
    `state = 'refused', ${DECIDED_BY(bob)}, refuse_reason = 'no'`,
    'decided_at = decided_at',
  ]) {
    await expect(change(set), set).rejects.toThrow('is decided')
  }
})

it('no adjustment is deleted', async () => {
  const { owner } = await proposal()
  for (const change of ['delete from wallet.adjustment', 'truncate wallet.adjustment']) {
    await expect(owner.query(change), change).rejects.toThrow('is refused')
  }
})
