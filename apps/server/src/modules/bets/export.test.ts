/** The whole product: a player bets, and everything that he and others can read about it agrees. */
import { rules } from '@sum28/contract/index-routes.ts'
import { cand, issueList, oddsList, playOrder } from '@sum28/contract/lottery-routes.ts'
import { orderCsv, orderTotals } from '@sum28/contract/user-routes.ts'
import { candleFromTuple, rises } from '@sum28/domain/candles.ts'
import { expect, it } from 'vitest'
import { playRound } from '#testing/product/play-round.ts'
import { deposit, registerMember, useWorkersApp } from '#testing/product/test-app.ts'
import { parseCsv } from '#testing/requests/parse-csv.ts'

const workers = useWorkersApp()

it('a bet is in the file, the totals, the results and the candles as one and the same', async () => {
  const app = workers()
  const member = await registerMember(app)
  await deposit(app, member, 500)
  const issue = await playRound(app, async (open) => {
    const order = { issue: open, plan_id: 11, game_id: 1, play_type: '[1,2]', money: 50 }
    expect((await app.call(playOrder, order, member)).code).toBe(1)
  })
  const totals = (await app.call(orderTotals, {}, member)).data
  expect(totals).toEqual({
    count: 1,
    quantity: '100.00',
    payout: '96.00',
    profit: '-4.00',
    pending: '0.00',
    refunded: '0.00',
  })

  const response = await app.fetch(orderCsv.path, { headers: { Token: member.token } })
  const [, row = [], ...more] = parseCsv((await response.text()).replace(/^\uFEFF/, ''))
  expect(more).toEqual([])
  const [stake, status, , payout, refund, profit] = row.slice(8)
  expect([stake, status, payout, refund, profit]).toEqual([
    '100.00',
    'Won',
    '96.00',
    '0.00',
    '-4.00',
  ])
  expect((await app.fetch(orderCsv.path)).status).toBe(401)

  const results = (await app.call(issueList, { game_id: 1, limit: 20 })).data
  const result = Array.isArray(results) ? results.find((each) => each.issue === issue) : undefined
  const digits = [result?.site_1, result?.site_2, result?.site_3]
  expect(row[10]).toBe([...digits, result?.code].join(' '))
  const candle = (await app.call(cand, { game_id: 1 })).data.find((each) => each.issue === issue)
  expect(candle).toMatchObject({ code: result?.code, cand_code: result?.join })
  expect([candle?.site_1, candle?.site_2, candle?.site_3]).toEqual(digits)
  expect(candle && rises(candleFromTuple(candle.cand))).toBe(result?.base?.[0] === 'long')

  const shown = (await app.call(rules, { game_id: 1 })).data
  const offered = (await app.call(oddsList, { plan_id: 11 }, member)).data
  const room = shown.rooms.find(({ id }) => id === 11)
  expect([room?.rule_base, room?.rule_num]).toEqual([offered.rule_base, offered.rule_num])
  expect([shown.round_seconds, shown.seal_seconds]).toEqual([210, 30])
})
