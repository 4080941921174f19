/** Which changes of a recorded transfer the database refuses even to its owner. */
import { expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'

const TX = 'ab'.repeat(32)

/** Two transfers of one transaction; the first is assigned to a player by two persons. */
async function twoTransfers({ earlierPlayer = false, creditedBefore = false } = {}) {
  const database = await createTestDatabase()
  const { owner } = database
  await staffToken(database)
  await staffToken(database)
  const [player, other] = [await addPlayer(database, { u: 0 }), await addPlayer(database, { u: 0 })]
  await owner.query(
    `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount, player_id,
       credited_at)
     select $1, position, 1, app.now(), 'T0', 'T1', 5, $2, case when $3 then app.now() end
     from generate_series(0, 1) position`,
    [TX, earlierPlayer ? other : null, creditedBefore],
  )
  await owner.query(
    `insert into staff.proposal (kind, subject, player_id, content, reason, proposed_by, proposed_at, state, confirmed_by,
       confirmed_at)
     select 'assignment', deposits.subject_of($1, 0), $2, '{}', 'x', min(id), app.now(), 'confirmed', max(id), app.now()
     from staff.member`,
    [TX, player],
  )
  return {
    credit: (logIndex: number) =>
      owner.query(
        `update deposits.transfer set player_id = $2, credited_at = app.now()
         where tx_id = $1 and log_index = $3 returning player_id`,
        [TX, player, logIndex],
      ),
    /** Gives the transfer to the player without a time of its credit. */
    giveUncredited: (logIndex: number) =>
      owner.query(
        'update deposits.transfer set player_id = $2 where tx_id = $1 and log_index = $3',
        [TX, player, logIndex],
      ),
    player,
    ownerOf: async (logIndex: number) =>
      only(
        await owner.query<{ id: number | null }>(
          'select player_id as id from deposits.transfer where tx_id = $1 and log_index = $2',
          [TX, logIndex],
        ),
      ).id,
    other,
  }
}

it('a transfer is credited by its own assignment, and not by that of another in its transaction', async () => {
  const { credit, player, ownerOf } = await twoTransfers()
  await expect(credit(1)).rejects.toThrow('stays as it came')
  expect(await ownerOf(1)).toBeNull()
  expect(await credit(0)).toEqual([{ player_id: player }])
})

it('a transfer that has a player goes to no other one, even if its credit was not noted', async () => {
  const { credit, ownerOf, other } = await twoTransfers({ earlierPlayer: true })
  await expect(credit(0)).rejects.toThrow('stays as it came')
  expect(await ownerOf(0)).toBe(other)
})

it('a transfer gets its player only together with its credit', async () => {
  const { giveUncredited, credit, player, ownerOf } = await twoTransfers()
  await expect(giveUncredited(0)).rejects.toThrow('stays as it came')
  expect(await ownerOf(0)).toBeNull()
  expect(await credit(0)).toEqual([{ player_id: player }])
})

it('a transfer that is credited is not credited again, even if its player was not noted', async () => {
  const { credit, ownerOf } = await twoTransfers({ creditedBefore: true })
  await expect(credit(0)).rejects.toThrow('stays as it came')
  expect(await ownerOf(0)).toBeNull()
})
