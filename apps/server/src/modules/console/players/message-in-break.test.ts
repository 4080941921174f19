/** Messages of staff to a player who is on a break or under review. */
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import * as wire from '@sum28/contract/staff-players-routes.ts'
import { expect, it } from 'vitest'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { registerMember, useWorkersApp } from '#testing/product/test-app.ts'

const test = useWorkersApp()

it.each([
  ['break', "set excluded_until = app.now() + interval '1 day'"],
  ['review', 'set under_review = true'],
])('during a %s a message needs a purpose, which the audit log has', async (_name, begin) => {
  const support = await addStaff(test, 'support')
  const player = await registerMember(test)
  const message = { user_id: player.id, text: 'We miss you.' }
  const stopped = async () =>
    (await test.call(wire.onePlayer, { user_id: player.id }, support)).data.no_advertising
  expect(await stopped()).toBe(false)
  expect(await test.call(wire.sendMessage, message, support)).toMatchObject({ code: 1 })

  await test.database.owner.query(`update protection.player ${begin} where player_id = $1`, [
    player.id,
  ])
  expect(await stopped()).toBe(true)
  expect(await test.call(wire.sendMessage, message, support)).toMatchObject({
    ...{ code: 0, msg: expect.stringContaining('on a break'), data: { reason: 'excluded' } },
  })
  const answer = { ...message, text: 'Your withdrawal is paid.', purpose: 'account' as const }
  expect(await test.call(wire.sendMessage, answer, support)).toMatchObject({ code: 1 })
  const sent = (await test.call(wire.playerMessages, { user_id: player.id }, support)).data.list
  expect(sent.map(({ text }) => text)).toEqual([
    expect.stringContaining(answer.text),
    expect.stringContaining(message.text),
  ])
  const rows = await test.call(
    listAuditRows,
    { what: 'player_told', subject: `player:${player.id}` },
    await staffSession(test),
  )
  expect(rows.data.list[0]?.details).toEqual({ text: answer.text, purpose: 'account' })
})
