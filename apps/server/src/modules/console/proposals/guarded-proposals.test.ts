/** Which changes of a proposal the database refuses even to its owner, and who may not decide. */
import { expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { shareTestDatabase } from '#testing/database/test-database.ts'
import { confirm, end, latestAbout, propose } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'

const database = shareTestDatabase()

/** A proposal of Ann, by default of a bonus, and a function that changes it as the database's owner. */
async function proposal(kind = 'bonus') {
  const { owner } = database
  const player = await addPlayer(database)
  for (let count = 0; count < 3; count += 1) await staffToken(database)
  const [ann, bob, cat] = await owner.column<number>(
    'select id from staff.member order by id desc limit 3',
  )
  const id = await owner.value<bigint>(
    `insert into staff.proposal (kind, subject, player_id, content, reason, proposed_by, proposed_at)
       values ($1, 'player:' || $2::integer, case when $1 = 'bonus' then $2::integer end, '{"amount": 5}', 'A gift', $3,
       app.now()) returning id`,
    [kind, player, ann],
  )
  const change = (set: string) =>
    owner.query<{ state: string }>(
      `update staff.proposal set ${set} where id = ${id} returning state`,
    )
  return { ann, bob, cat, change }
}

const CONFIRMED_BY = (by: number | undefined) => `confirmed_by = ${by}, confirmed_at = app.now()`
const ENDED_BY = (by: number | undefined) =>
  `ended_by = ${by}, ended_at = app.now(), end_reason = 'too much'`

it('nothing of what was proposed changes, and no proposal is deleted', async () => {
  const { change, bob } = await proposal()
  const other = await addPlayer(database)
  for (const set of [
    'id = default',
    `player_id = ${other}`,
    `subject = 'player:${other}'`,
    `kind = 'credit'`,
    `content = '{"amount": 6}'`,
    `reason = 'Another'`,
    `proposed_by = ${bob}`,
    `proposed_at = proposed_at - interval '1 second'`,
    `state = 'confirmed', ${CONFIRMED_BY(bob)}, content = '{}'`,
  ]) {
    await expect(change(set), set).rejects.toThrow('what was proposed never changes')
  }
  for (const change of ['delete from staff.proposal', 'truncate staff.proposal cascade']) {
    await expect(database.owner.query(change), change).rejects.toThrow('is refused')
  }
})

it('a proposal is decided once, as a whole, and by the right person', async () => {
  for (const state of ['confirmed', 'refused', 'withdrawn'] as const) {
    const { change, ann, bob } = await proposal()
    const by = { confirmed: CONFIRMED_BY(bob), refused: ENDED_BY(bob), withdrawn: ENDED_BY(ann) }
    for (const wrong of [
      `state = '${state}'`,
      `state = 'confirmed', ${CONFIRMED_BY(ann)}`,
      `state = 'refused', ${ENDED_BY(ann)}`,
      `state = 'withdrawn', ${ENDED_BY(bob)}`,
      `state = 'effective', ${CONFIRMED_BY(bob)}`,
    ]) {
      await expect(change(wrong), wrong).rejects.toThrow('check constraint')
    }
    expect(await change(`state = '${state}', ${by[state]}`)).toEqual([{ state }])
    for (const set of [
      `state = 'proposed', confirmed_by = null, confirmed_at = null, ended_by = null, ended_at = null, end_reason = null`,
      `state = 'refused', ${ENDED_BY(bob)}`,
      'proposed_at = proposed_at',
    ]) {
      await expect(change(set), set).rejects.toThrow('is decided')
    }
  }
})

it('what has its effect later is ended after its confirmation, or has it, and keeps who confirmed', async () => {
  const { change, ann, bob, cat } = await proposal('room_change')
  await expect(change('player_id = 1')).rejects.toThrow('what was proposed never changes')
  await change(`state = 'confirmed', ${CONFIRMED_BY(bob)}`)
  for (const set of [
    `state = 'proposed'`,
    `state = 'proposed', confirmed_by = null, confirmed_at = null`,
    'reason = reason',
    `state = 'withdrawn', ${ENDED_BY(ann)}, confirmed_by = null, confirmed_at = null`,
  ]) {
    await expect(change(set), set).rejects.toThrow('is decided')
  }
  const effective = `state = 'effective', effective_at = app.now(), effective_with = 'a round'`
  for (const confirmation of [
    `confirmed_by = ${cat}`,
    `confirmed_at = confirmed_at + interval '1 second'`,
    `confirmed_with = 'a word'`,
    `first_confirmed_by = ${cat}`,
  ]) {
    const set = `${effective}, ${confirmation}`
    await expect(change(set), set).rejects.toThrow('is decided')
  }
  await change(effective)
  await expect(change(`effective_with = 'another'`)).rejects.toThrow('is decided')
})

it('a member whose account is being closed is waited for, and then neither proposes nor decides', async () => {
  const { db, owner } = database
  const player = await addPlayer(database)
  const [ann, bob] = [await staffToken(database), await staffToken(database)]
  const bonus = { kind: 'bonus', subject: `player:${player}`, content: { amount: 5 } } as const
  expect(await propose(db, { ...bonus, session: ann })).toBe('proposed')
  const id = await latestAbout(db, bonus.subject)
  const closing = `update staff.member set active = false where id = (select max(id) from staff.member)`
  for (const act of [
    () => confirm(db, id, bob),
    () => end(db, id, bob),
    () => propose(db, { ...bonus, session: bob }),
  ]) {
    const answer = await answerAfter(database, {
      first: (tx) => tx.query(closing),
      second: () => act().catch((error: Error) => error.message),
    })
    expect(answer).toBe('session_replaced')
    await owner.query('update staff.member set active = true')
  }
  expect(await owner.query('select state from staff.proposal where id = $1', [id])).toEqual([
    { state: 'proposed' },
  ])
})

it('an unknown kind is proposed by nobody', async () => {
  const session = await staffToken(database)
  const draft = { kind: 'gift' as 'bonus', subject: 'player:1', session }
  await expect(propose(database.db, draft)).rejects.toThrow('forbidden')
})
