/** How staff see early signs, record contacts with players about them, and read the register of protection. */
import { setLimit } from '@sum28/contract/protection-routes.ts'
import * as wire from '@sum28/contract/staff-protection-routes.ts'
import { expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { expectSuccess, faultsOf, useWorkersApp } from '#testing/product/test-app.ts'

const test = useWorkersApp()

it('staff list signs by kind and player, page by page, and record contacts', async () => {
  const [owner, support, auditor] = [
    await staffSession(test),
    await addStaff(test, 'support'),
    await addStaff(test, 'auditor'),
  ]
  const ann = await addPlayer(test.database, { u: 0, name: 'sign_ann' })
  const bob = await addPlayer(test.database, { u: 0, name: 'sign_bob' })
  for (const id of [ann, bob]) {
    await test.database.owner.query(
      `insert into console_players.sign (player_id, kind, since_day, until_day, facts)
       -- Until today: the job that finds signs deletes those before yesterday.
       values ($1, 'nights', current_date - 1, current_date,
         '[{"day": "2026-11-01", "values": {"bets": "3", "staked": "5000000"}}]')`,
      [id],
    )
  }
  const first = await test.call(wire.listSigns, { kind: 'nights', limit: 1 }, auditor)
  expect(first.data.list).toMatchObject([
    {
      user_id: bob,
      username: 'sign_bob',
      kind: 'nights',
      contact_at: null,
      facts: [{ day: '2026-11-01', values: { bets: '3', staked: '5.00' } }],
    },
  ])
  const after = first.data.next ?? ''
  const second = await test.call(wire.listSigns, { kind: 'nights', limit: 1, after }, auditor)
  expect(second.data).toMatchObject({ list: [{ user_id: ann }], next: null })
  expect((await test.call(wire.listSigns, { kind: 'limits_raised' }, auditor)).data.list).toEqual(
    [],
  )

  const contact = { user_id: ann, channel: 'phone' as const, text: 'He knows of limits.' }
  expectSuccess(await test.call(wire.addContact, contact, support))
  const noted = (await test.call(wire.playerContacts, { user_id: ann }, auditor)).data.list
  expect(noted).toMatchObject([{ by: support.login.name, channel: 'phone', text: contact.text }])
  expect((await test.call(wire.listSigns, { user_id: ann }, owner)).data.list).toMatchObject([
    { contact_at: expect.any(Number) },
  ])
  for (const day of ['2020-01-01', '2999-01-01']) {
    expect(await faultsOf(test.call(wire.addContact, { ...contact, day }, owner))).toEqual(['day'])
  }
  expect(await test.call(wire.addContact, { ...contact, user_id: 999_999 }, owner)).toMatchObject({
    http: 404,
  })
})

it('the register has breaks with their ends, returns, own limits and contacts, the latest first, and is filtered by kind', async () => {
  const { owner } = test.database
  const support = await addStaff(test, 'support')
  const away = await addSeatedPlayer(test.database, { u: 0, name: 'register_away' })
  const back = await addPlayer(test.database, { u: 0, name: 'register_back' })
  await owner.query(`select protection.exclude($1, 'time_out', '7 days')`, [away.id])
  await owner.query(`select protection.exclude($1, 'self_exclusion', '6 months')`, [away.id])
  await owner.query(
    `insert into protection.exclusion (player_id, kind, began_at, ends_at, end_requested_at)
     values ($1, 'self_exclusion', '2026-01-01Z', '2026-07-01Z', '2026-08-01Z')`,
    [back],
  )
  await test.call(setLimit, { kind: 'loss', period: 'week', money: '25' }, away)
  const said = { user_id: away.id, channel: 'mail' as const, text: 'He asked for a break.' }
  await test.call(wire.addContact, said, support)

  const entriesOf = async (ask: { q: string; kind?: wire.ProtectionEntry['kind'] }) =>
    (await test.call(wire.listProtection, ask, support)).data.list
  const entries = await entriesOf({ q: 'REGISTER_away' })
  expect(entries.map(({ kind }) => kind)).toEqual([
    ...['contact', 'limit', 'self_exclusion', 'time_out'],
  ])
  expect(entries).toMatchObject([
    { user_id: away.id, by: support.login.name, channel: 'mail', text: said.text, ends_at: null },
    { limit_kind: 'loss', limit_period: 'week', quantity: '25.00', username: 'register_away' },
    { ends_at: null, may_return_at: expect.any(Number), quantity: null },
    { may_return_at: null, channel: null },
  ])
  const [, , , timeOut] = entries
  expect((timeOut?.ends_at ?? 0) - (timeOut?.at ?? 0)).toBe(7 * 86_400)
  const asked = Date.UTC(2026, 7, 1) / 1_000
  const ends_at = asked + 86_400
  expect(await entriesOf({ q: String(back), kind: 'return' })).toMatchObject([
    { at: asked, ends_at, may_return_at: Date.UTC(2026, 6, 1) / 1_000 },
  ])
  expect(await entriesOf({ q: String(back) })).toMatchObject([
    ...[{ kind: 'return' }, { kind: 'self_exclusion', ends_at }],
  ])
  expect(await entriesOf({ q: 'register_nobody' })).toEqual([])

  // Each page continues where the one before ended, though the entries are of several tables.
  const paged: string[] = []
  for (let after: string | undefined; ; ) {
    const ask = { q: 'register_away', limit: 1, ...(after && { after }) }
    const { list, next } = (await test.call(wire.listProtection, ask, support)).data
    paged.push(...list.map(({ kind }) => kind))
    if (next === null) break
    after = next
  }
  expect(paged).toEqual(entries.map(({ kind }) => kind))
})

it('the register shows a limit that is asked to be raised, raised and removed, and what it was before', async () => {
  const { owner } = test.database
  const support = await addStaff(test, 'support')
  const id = await addPlayer(test.database, { u: 0, name: 'register_limits' })
  const set = (amount: number | null) =>
    owner.query(`select protection.set_limit($1, 'loss', 'day', $2)`, [id, amount])
  const confirm = async () => {
    await owner.query(
      `update protection.player_limit set raise_asked_at = raise_asked_at - interval '25 hours'
       where player_id = $1`,
      [id],
    )
    await owner.query(`select protection.confirm_raise($1, 'loss', 'day')`, [id])
  }
  await set(10_000_000)
  await set(20_000_000)
  await confirm()
  await set(null)
  await confirm()
  const { list } = (
    await test.call(wire.listProtection, { q: 'register_limits', kind: 'limit' }, support)
  ).data
  expect(
    list.map((entry) => [entry.limit_change, entry.limit_before, entry.quantity]).reverse(),
  ).toEqual([
    ['lowered', null, '10.00'],
    ['raise_asked', '10.00', '20.00'],
    ['raised', '10.00', '20.00'],
    ['raise_asked', '20.00', null],
    ['raised', '20.00', null],
  ])
})
