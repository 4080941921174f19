/** The calls of the console about rooms, and what players see of a change. */
import { rules } from '@sum28/contract/index-routes.ts'
import { oddsList } from '@sum28/contract/lottery-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import * as games from '@sum28/contract/staff-games-routes.ts'
import * as proposals from '@sum28/contract/staff-proposal-routes.ts'
import { expect, it } from 'vitest'
import { openTestRound } from '#testing/database/fixtures.ts'
import { loggedActions } from '#testing/database/stored-rows.ts'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { staffSession } from '#testing/people/staff.ts'
import { API_ALONE, expectSuccess, faultsOf, shareTestApp } from '#testing/product/test-app.ts'

/** A process of the API alone: a round opens when a test says so. */
const test = shareTestApp(API_ALONE)

/** Opens a round of a game, a minute later. */
async function nextRound(gameId: number): Promise<void> {
  await test.database.shiftClock(60_000)
  await openTestRound(test.database, { gameId })
}

const FROM_FIRST = { id: 11, rules_version: 1, note: 'a calmer room' }

it('a change of odds and limits takes two persons, and is seen by players from the next round on', async () => {
  const player = await addSeatedPlayer(test.database)
  const [owner, finance] = [await staffSession(test), await staffSession(test, 'finance')]
  const propose = (fields: object) =>
    test.call(games.proposeRoomChange, { ...FROM_FIRST, ...fields }, owner)

  const { data: before } = await test.call(games.showRoom, { id: 11 }, finance)
  expect(before).toMatchObject({ stake_min: '100.00', rules_version: 1, waiting: null })
  expect(before.odds).toHaveLength(36)
  expect(before.odds[0]).toEqual({ rule_id: 1, outcome: 'long', ways: 500, odds: '1.92' })

  const malformed = [
    [{ odds: '1:1.499' }, 'odds'],
    [{ odds: '1:2.001' }, 'odds'],
    [{ odds: '1:1.9,1:1.8' }, 'odds'],
    [{ odds: '5:1.9' }, 'odds'],
    [{ odds: '1:1.9999' }, 'odds'],
    [{ odds: '1:1.92' }, 'odds'],
    [{ stake_min: 0 }, 'stake_min'],
    [{ stake_min: 100, stake_max: 99.99 }, 'stake_max'],
  ] as const
  for (const [fields, field] of malformed)
    expect(await faultsOf(propose(fields)), JSON.stringify(fields)).toEqual([field])

  // Those of rule 2 are the present ones.
  const wanted = { odds: '1:1.8,2:1.92,413:10', stake_min: 50 }
  expectSuccess(await propose(wanted))
  expect((await test.call(games.listRooms, {}, owner)).data[0]).toMatchObject({
    id: 11,
    waiting: 'proposed',
    stake_min: '100.00',
  })
  expectSuccess(await test.call(proposals.confirmProposal, { id: 1 }, finance))

  await nextRound(1)
  const changes = await test.call(proposals.listProposals, { subject: 'room:11' }, owner)
  expect(changes.data.list[0]).toMatchObject({
    proposed_by: 'owner',
    confirmed_by: 'finance',
    reason: 'a calmer room',
    state: 'effective',
    name: 'DOT · Basic',
    changes: [
      { what: 'stake_min', before: '100.00', after: '50.00' },
      { what: 'odds long', before: '1.92', after: '1.8' },
      { what: 'odds 13', before: '12.8', after: '10' },
    ],
    effective_with: expect.stringMatching(/^\d{11,14}$/),
  })
  const { rooms } = (await test.call(rules, { game_id: 1 })).data
  expect(rooms[0]).toMatchObject({ min_limit: '50.00', rules_version: 2 })
  const { rule_base: named } = (await test.call(oddsList, { plan_id: 11 }, player)).data
  expect(named[0]).toMatchObject({ class: 1, odds: '1.8', return: '0.9000' })

  expect(await propose({ odds: '2:1.8' })).toMatchObject({
    code: 0,
    data: { reason: 'rules_changed', changed: 'odds 13, odds long, stake_min', rules_version: 2 },
  })
  expectSuccess(await propose({ odds: '2:1.8', rules_version: 2 }))
  const end = { id: 2, reason: 'not now' }
  expectSuccess(await test.call(proposals.endProposal, end, finance))
  expect(await loggedActions(test.database.db, 4)).toMatchObject([
    { action: 'room_change_refused', subject: 'room:11', details: { reason: 'not now' } },
    { action: 'room_change_proposed', staff: 'owner' },
    { action: 'room_change_confirmed', staff: 'finance' },
    {
      action: 'room_change_proposed',
      staff: 'owner',
      subject: 'room:11',
      details: { 'odds long': '1.92 → 1.8', stake_min: '100.00 → 50.00' },
    },
  ])
})

it('a proposal for several rooms has the same odds, and is decided in one step: all, or none', async () => {
  const [owner, finance] = [await staffSession(test), await staffSession(test, 'finance')]
  const odds = '1:1.8,413:10'
  const propose = (rooms: string) =>
    test.call(games.proposeOdds, { rooms, odds, note: 'calmer rooms' }, owner)
  const listed = async (ask = {}) =>
    (await test.call(proposals.listProposals, { limit: 1, ...ask }, owner)).data.list
  const confirm = (id = 0) => test.call(proposals.confirmProposal, { id }, finance)
  const room = async (id: number) => (await test.call(games.showRoom, { id }, owner)).data

  for (const wrong of ['', '31', '31:1,', '31:1,31:1', '31:1;32:1', `${'31:1,'.repeat(200)}32:1`])
    expect(await faultsOf(propose(wrong)), wrong).toEqual(['rooms'])
  expect((await propose('31:1,999:1')).data).toMatchObject({ reason: 'not_found', field: 'rooms' })
  // One room has another version: none is proposed.
  const changed = { reason: 'rules_changed', rules_version: 1 }
  expect((await propose('31:1,32:2')).data).toMatchObject(changed)
  const unfair = { rooms: '31:1,32:1', odds: '1:2.001', note: 'x' }
  expect(await faultsOf(test.call(games.proposeOdds, unfair, owner))).toEqual(['odds'])
  expect(await listed({ kind: 'odds_change' })).toEqual([])

  expectSuccess(await propose('41:1,31:1'))
  // It is found as what is about one of its rooms.
  const [made] = await listed({ subject: 'room:41', state: 'proposed' })
  expect(made).toMatchObject({
    kind: 'odds_change',
    subject: 'rooms:31,41',
    name: 'ETH · Basic, BTC · Basic',
    proposed_by: 'owner',
    yours: false,
    changes: [
      { of: 'ETH · Basic', what: 'odds long', before: '1.92', after: '1.8' },
      { of: 'ETH · Basic', what: 'odds 13', before: '12.8', after: '10' },
      { of: 'BTC · Basic', what: 'odds long', before: '1.92', after: '1.8' },
      { of: 'BTC · Basic', what: 'odds 13', before: '12.8', after: '10' },
    ],
  })
  expect([await room(31), await room(41)]).toMatchObject(Array(2).fill({ waiting: 'proposed' }))
  // While it waits, nothing else is proposed for any of its rooms.
  const change = { ...FROM_FIRST, id: 31, stake_min: 50 }
  for (const reply of [
    await propose('32:1,41:1'),
    await test.call(games.proposeRoomChange, change, finance),
  ]) {
    expect(reply.data).toMatchObject({ reason: 'already_proposed', by: 'owner' })
  }

  expectSuccess(await confirm(made?.id))
  const changes = await listed({ limit: 3 })
  expect(changes).toMatchObject([
    { kind: 'room_change', subject: 'room:41', state: 'confirmed', confirmed_by: 'finance' },
    { kind: 'room_change', subject: 'room:31', state: 'confirmed', proposed_by: 'owner' },
    { kind: 'odds_change', state: 'confirmed' },
  ])
  // Until its round one room can be taken out.
  const end = { id: changes[0]?.id ?? 0, reason: 'not here' }
  expectSuccess(await test.call(proposals.endProposal, end, owner))
  for (const game of [3, 4]) await nextRound(game)
  const { odds: begun, ...first } = await room(31)
  expect([first.rules_version, begun[0]?.odds]).toEqual([2, '1.8'])
  expect(await room(41)).toMatchObject({ rules_version: 1, waiting: null })

  // A room that has these odds already stays out.
  expectSuccess(await propose('31:2,32:1'))
  expect((await listed())[0]).toMatchObject({ subject: 'rooms:32' })
  expect((await propose('31:1,41:1')).data).toMatchObject({
    reason: 'rules_changed',
    changed: 'ETH · Basic: odds 13, odds long',
    rules_version: 2,
  })
  // The log of one room has what was decided of it together with others.
  const { list } = (await test.call(listAuditRows, { subject: 'room:41' }, owner)).data
  expect(list).toMatchObject([
    { action: 'room_change_withdrawn', subject: 'room:41' },
    { action: 'odds_change_confirmed', subject: 'rooms:31,41', staff: 'finance' },
    {
      action: 'odds_change_proposed',
      staff: 'owner',
      details: { 'BTC · Basic odds long': '1.92 → 1.8', note: 'calmer rooms' },
    },
  ])
  // One that is stale is refused as a whole, and says which room.
  expectSuccess(await propose('33:1,34:1'))
  // As if a change had begun in one of the rooms meanwhile.
  await test.database.owner.query(`update games.room set rules_version = 2 where id = 34`)
  const [stale] = await listed()
  expect((await confirm(stale?.id)).data).toMatchObject({
    reason: 'rules_changed',
    changed: expect.stringMatching(/^ETH · /),
    rules_version: 2,
  })
  expect((await listed())[0]).toMatchObject({ id: stale?.id, state: 'proposed' })
})
