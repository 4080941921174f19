/** An order over HTTP: its answer is the player's own entry in the feed. */
import { heart, playOrder } from '@sum28/contract/lottery-routes.ts'
import { expect, it } from 'vitest'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { openIssueFor } from '#testing/product/play-round.ts'
import { useWorkersApp } from '#testing/product/test-app.ts'

const test = useWorkersApp()

/** The raw text of a reply's `data`, for a byte-exact comparison. */
async function send(path: string, token: string, body: object): Promise<string> {
  const response = await test.fetch(path, {
    method: 'POST',
    headers: { Token: token, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.text()
}

it("the answer to an order is the player's own entry as heart gives it, to the byte; others see neither its number nor his", async () => {
  const player = await addSeatedPlayer(test.database)
  const other = await addSeatedPlayer(test.database)
  const issue = await openIssueFor(test, 60)
  const room = { game_id: 1, plan_id: 11 }
  const order = { ...room, issue, play_type: '[1,413]', money: '50.5' }
  const answered = await send(playOrder.path, player.token, order)
  const entry = /"data":(\{.*\})\}$/.exec(answered)?.[1] ?? ''
  expect(JSON.parse(entry)).toMatchObject({
    user_id: player.id,
    play_type: '[1,413]',
    quantity: '50.50',
    total: '101.00',
    after_quantity: '9899.00',
    orderNo: expect.stringMatching(/^\d{16,}$/),
  })
  const {
    id,
    orderNo: _none,
    version: _own,
    ...shown
  } = JSON.parse(entry) as Record<string, unknown> & { id: number }
  expect(await send(heart.path, player.token, { ...room, after: id - 1 })).toContain(entry)
  const seen = await test.call(heart, { ...room, after: id - 1 }, other)
  const strangers = seen.data.message.find((each) => each.id === id)
  expect(strangers).toEqual({
    id,
    ...shown,
    user_id: expect.any(Number),
    after_quantity: null,
  })
  expect(strangers?.user_id).not.toBe(player.id)
})
