/** How staff see early signs, and record contacts with players about them. */
import * as wire from '@sum28/contract/staff-protection-routes.ts'
import { expect, it } from 'vitest'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { registerMember, useWorkersApp } from '#testing/product/test-app.ts'

const app = useWorkersApp()

it('staff list signs by kind and player, page by page, and record contacts', async () => {
  const test = app()
  const [owner, support, auditor] = [
    await staffSession(test),
    await addStaff(test, 'support'),
    await addStaff(test, 'auditor'),
  ]
  const [ann, bob] = [
    await registerMember(test, 'sign_ann'),
    await registerMember(test, 'sign_bob'),
  ]
  for (const { id } of [ann, bob]) {
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
      ...{ user_id: bob.id, username: 'sign_bob', kind: 'nights', contact_at: null },
      facts: [{ day: '2026-11-01', values: { bets: '3', staked: '5.00' } }],
    },
  ])
  const after = first.data.next ?? ''
  const second = await test.call(wire.listSigns, { kind: 'nights', limit: 1, after }, auditor)
  expect(second.data).toMatchObject({ list: [{ user_id: ann.id }], next: null })
  expect((await test.call(wire.listSigns, { kind: 'limits_raised' }, auditor)).data.list).toEqual(
    [],
  )

  const contact = { user_id: ann.id, channel: 'phone' as const, text: 'He knows of limits.' }
  const key = 'one-contact'
  for (const _try of [1, 2]) {
    expect(await test.call(wire.addContact, contact, { ...support, key })).toMatchObject({
      code: 1,
    })
  }
  const noted = (await test.call(wire.playerContacts, { user_id: ann.id }, auditor)).data.list
  expect(noted).toMatchObject([{ by: support.login.name, channel: 'phone', text: contact.text }])
  expect((await test.call(wire.listSigns, { user_id: ann.id }, owner)).data.list).toMatchObject([
    { contact_at: expect.any(Number) },
  ])
  expect(await test.call(wire.addContact, contact, auditor)).toMatchObject({ code: 403 })
  for (const day of ['2020-01-01', '2999-01-01']) {
    expect(await test.call(wire.addContact, { ...contact, day }, owner)).toMatchObject({
      code: 400,
      data: { fields: { day: expect.any(String) } },
    })
  }
  expect(await test.call(wire.addContact, { ...contact, user_id: 999_999 }, owner)).toMatchObject({
    http: 404,
  })
})
