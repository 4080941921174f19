/** The main flow over the API, end to end, on the whole product. */
import { issueList, oddsList, playOrder } from '@sum28/contract/lottery-routes.ts'
import { quantityLogList } from '@sum28/contract/money-routes.ts'
import type { BetRecord, FeedMessage, LedgerRow } from '@sum28/contract/replies.ts'
import { orderList, userInfo } from '@sum28/contract/user-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { winningRuleIds } from '@sum28/domain/outcomes.ts'
import { payoutOfBet } from '@sum28/domain/payout.ts'
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { moveToDraw, moveToSeal, openIssue } from '#testing/product/play-round.ts'
import { createTestApp, depositByChain, registerMember } from '#testing/product/test-app.ts'

const ROOM = { plan_id: 11, game_id: 1 }
const FIVE = '[1,2,3,11,413]'

it('registers, deposits, bets once for eight requests, draws, pays to the micro-unit, and shows it all', async () => {
  const test = await createTestApp()
  const member = await registerMember(test, 'minh_anh')
  await depositByChain(test, member, 1_000.5)

  const odds = (await test.call(oddsList, { plan_id: 11 }, member)).data
  const milli = new Map(
    [...odds.rule_base, ...odds.rule_num].map((each) => [
      each.class,
      Math.round(Number(each.odds) * 1000),
    ]),
  )
  const issue = await openIssue(test)
  const order = { ...ROOM, issue, play_type: FIVE, money: 100 }
  const eight = await Promise.all(
    Array.from({ length: 8 }, () => test.call(playOrder, order, { ...member, key: 'one-action' })),
  )
  expect(eight.map(({ code }) => code)).toEqual(Array(8).fill(1))
  expect(new Set(eight.map(({ data }) => data.orderNo)).size).toBe(1)
  expect(
    eight.filter(({ headers }) => headers.get('idempotency-replayed') === 'true'),
  ).toHaveLength(7)
  expect(eight[0]?.data).toMatchObject({
    quantity: '100.00',
    total: '500.00',
    after_quantity: '500.50',
    play_type: FIVE,
    play_method: 'long, short, odd, long-odd, 13',
    nickname: 'mi**nh',
    robot: false,
    issue,
  } satisfies Partial<FeedMessage>)
  const bets = async () => (await test.call(orderList, {}, member)).data as BetRecord[]
  expect(await bets()).toMatchObject([{ status: 0, profit: '0.00', lottery_code: '' }])

  await moveToSeal(test)
  await moveToDraw(test, issue)
  const [bet = expect.fail('the bet is gone')] = await bets()
  expect(bet.status).toBe(1)
  const [, , , sum] = bet.lottery_code.split(' ').map(Number) as [number, number, number, number]
  const selections = [1, 2, 3, 11, 413].map((ruleId) => ({
    ruleId,
    oddsMilli: milli.get(ruleId) ?? 0,
  }))
  const payout = payoutOfBet(100_000_000n, selections, sum)
  const after = 500_500_000n + payout
  expect(bet.profit).toBe(formatAmount(payout - 500_000_000n))
  expect(bet.whether_hit).toBe(
    selections.some(({ ruleId }) => winningRuleIds(sum).includes(ruleId)) ? 1 : 0,
  )

  const profile = (await test.call(userInfo, {}, member)).data
  expect(profile.money).toBe(formatAmount(after))
  expect(profile.today_profit).toBe(formatAmount(payout - 500_000_000n))
  expect(profile.net_position).toBe(formatAmount(payout - 500_000_000n))

  const rows = (await test.call(quantityLogList, {}, member)).data as LedgerRow[]
  expect(rows.reverse()).toMatchObject([
    { type: 0, quantity: '1000.50', over: '1000.50', status: 1 },
    { type: 2, quantity: '-500.00', over: '500.50', status: 1 },
    ...(payout > 0n
      ? [{ type: 3, quantity: formatAmount(payout), over: formatAmount(after), status: 1 }]
      : []),
  ])

  const results = (await test.call(issueList, { game_id: 1 })).data
  const drawn = (Array.isArray(results) ? results : results.list).find(
    (each) => each.issue === issue,
  )
  expect([drawn?.site_1, drawn?.site_2, drawn?.site_3, drawn?.code].join(' ')).toBe(
    bet.lottery_code,
  )

  await expectAlwaysTrue(test.database.owner)
})
