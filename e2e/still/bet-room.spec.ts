/**
 * Goal: a bet room works as described in every state of a room or a network. Method: real browsers over the real
 * stack. Money is checked at the server.
 */
import {
  ADDRESS,
  alertOf,
  balanceOf,
  betOf,
  choose,
  enter,
  expectPlaced,
  openPanel,
  panelOf,
  prepare,
  rowWith,
} from '../bet-room.ts'
import { actAs, expect, expectToast, tab } from '../browser.ts'
import { type Player, post, type Stack, seat, test } from '../stack.ts'

/** The totals of a player's bets, whatever became of them. */
async function stakesOf(stack: Stack, player: Player): Promise<number[]> {
  const { data } = await post(stack, '/api/user/orderList', {}, player.token)
  return (data as { quantity: string }[]).map(({ quantity }) => Number(quantity))
}

test('a player bets on one outcome, on several, and all in', async ({ page, context, stack }) => {
  const player = await seat(stack, { u: 1_000 })
  await actAs(context, player)
  await enter(page)

  await test.step('on one', async () => {
    const buy = await prepare(page, '100.5', 'Long')
    await expect(buy).toContainText('Buy 1 for 100.50 u')
    await buy.click()
    await expectPlaced(page)
    await expect(rowWith(page, '100.50').filter({ hasText: 'You' })).toHaveCount(1)
    expect(await stakesOf(stack, player)).toEqual([100.5])
  })

  await test.step('on several, each with the stake; toggling clears the amount', async () => {
    await openPanel(page)
    const panel = panelOf(page)
    const amount = panel.getByLabel('Amount on each outcome')
    await choose(panel, 'Long', '13')
    await panel.getByRole('button', { name: '+50 Add to the amount', exact: true }).click()
    await expect(amount).toHaveValue('50')
    await choose(panel, 'Odd')
    await expect(amount).toHaveValue('')
    await panel.getByRole('button', { name: '+50 Add to the amount', exact: true }).click()
    await panel.getByRole('button', { name: /Buy 3 for 150\.00 u/ }).click()
    await expectPlaced(page)
    expect((await stakesOf(stack, player)).toSorted()).toEqual([100.5, 150])
  })

  await test.step('all but one unit, after a confirmation', async () => {
    const balance = await balanceOf(stack, player)
    await openPanel(page)
    const panel = panelOf(page)
    await choose(panel, 'Short')
    await panel.getByRole('button', { name: 'All in' }).click()
    // Escape closes the topmost layer only; the panel stays.
    await expect(alertOf(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(alertOf(page)).toBeHidden()
    await expect(panel).toBeVisible()
    await panel.getByRole('button', { name: 'All in' }).click()
    await alertOf(page).getByRole('button', { name: 'Set amount' }).click()
    await expect(alertOf(page)).toBeHidden()
    await panel.getByRole('button', { name: /^Buy 1 for/ }).click()
    await expectPlaced(page)
    expect(Math.max(...(await stakesOf(stack, player)))).toBeCloseTo(balance - 1, 2)
  })
})

test('a bet whose answer is lost is charged once', async ({ page, context, stack, console }) => {
  const player = await seat(stack, { u: 1_000 })
  await actAs(context, player)
  await enter(page)

  await test.step('when the connection drops and the player sends it again', async () => {
    // Each try until the player is asked: of an answer that is slow to come the app sends another.
    let drops = true
    await page.route('**/api/Lottery/playOrder', async (route) => {
      if (!drops) return route.continue()
      await route.fetch()
      await route.abort('connectionreset')
    })
    const buy = await prepare(page, '100', 'Long')
    await buy.click()
    const again = page.getByRole('button', { name: 'Send again' })
    await expect(again).toBeVisible()
    drops = false
    await again.click()
    await expectPlaced(page)
    expect(await balanceOf(stack, player)).toBe(900)
    await expect(rowWith(page, '100.00').filter({ hasText: 'You' })).toHaveCount(1)
  })

  await test.step('when no answer comes in the time of a try, and the app tries again', async () => {
    await page.unroute('**/api/Lottery/playOrder')
    // One second in place of seven.
    await page.evaluate(`
      const timeout = AbortSignal.timeout.bind(AbortSignal)
      AbortSignal.timeout = (ms) => timeout(ms / 7)`)
    const keys: (string | undefined)[] = []
    await page.route('**/api/Lottery/playOrder', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      const response = await route.fetch()
      if (keys.length > 1) await route.fulfill({ response })
    })
    const buy = await prepare(page, '150', 'Short')
    const balance = await balanceOf(stack, player)
    await buy.click()
    await expectPlaced(page)
    expect(new Set(keys).size).toBe(1)
    expect(keys.length).toBeGreaterThanOrEqual(2)
    const { data } = await post(stack, '/api/user/orderList', {}, player.token)
    const orders = (data as { quantity: string }[]).filter(({ quantity }) => quantity === '150.00')
    expect(orders).toHaveLength(1)
    expect(balance - (await balanceOf(stack, player))).toBeLessThanOrEqual(150)
  })
  // The browser reports the dropped connection itself.
  expect(console.splice(0).every((message) => message.includes('ERR_CONNECTION_RESET'))).toBe(true)
})

test('two devices of one player show the same at once', async ({ page, anotherPage, stack }) => {
  const player = await seat(stack, { u: 1_000 })
  const [one, two] = [page, await anotherPage()]
  for (const device of [one, two]) await actAs(device.context(), player)
  await Promise.all([enter(one), enter(two)])
  const buys = [await prepare(one, '600', 'Long'), await prepare(two, '600', 'Short')]
  // Both are sent before one is answered: an answer closes the other device's button.
  const bothSent = Promise.withResolvers<void>()
  let sent = 0
  for (const device of [one, two]) {
    await device.route('**/api/Lottery/playOrder', async (route) => {
      sent += 1
      if (sent === 2) bothSent.resolve()
      await bothSent.promise
      await route.continue()
    })
  }
  await Promise.all(buys.map((buy) => buy.click()))
  // The balance covers only one of them.
  await expect.poll(() => balanceOf(stack, player)).toBe(400)
  for (const device of [one, two]) {
    // The device whose bet was refused still has its panel open.
    if (await panelOf(device).isVisible()) await device.keyboard.press('Escape')
    await expect(panelOf(device)).toBeHidden()
    await expect(rowWith(device, '600.00')).toHaveCount(1)
    await expect(rowWith(device, '600.00')).toContainText('You')
    await expect(device.locator('dd', { hasText: /^400\.00/ })).toBeVisible()
  }
})

test('no row is lost or repeated while the stream and the network break and recover', async ({
  page,
  context,
  stack,
  console,
}) => {
  const [watcher, other] = [await seat(stack, { u: 1_000 }), await seat(stack, { u: 9_000 })]
  await actAs(context, watcher)
  let beats = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/heart')) beats++
  })
  await enter(page)
  const amounts = Array.from({ length: 12 }, (_, at) => 301 + at)
  const shown = async () =>
    (await page.getByRole('row').allTextContents()).flatMap(
      (text) => /3\d\d(?=\.00)/.exec(text)?.map(Number) ?? [],
    )

  for (const money of amounts.slice(0, 3)) await betOf(stack, other, money, [1])
  await expect.poll(shown).toEqual(amounts.slice(0, 3))
  const withStream = beats

  await context.setOffline(true)
  await expect(page.getByText(/^You are offline/)).toBeVisible()
  await expect(page.getByText('Connection lost')).toHaveCount(0)
  for (const money of amounts.slice(3, 6)) await betOf(stack, other, money, [1])
  await page.route('**/api/Lottery/stream*', (route) => route.abort('connectionreset'))
  await context.setOffline(false)
  await expect.poll(shown).toEqual(amounts.slice(0, 6))
  await expect(page.getByText(/You are offline|Connection lost/)).toHaveCount(0)

  for (const money of amounts.slice(6, 9)) await betOf(stack, other, money, [1])
  await expect.poll(shown).toEqual(amounts.slice(0, 9))
  expect(beats).toBeGreaterThan(withStream)

  // Until then no request for the stream gets a response.
  const streaming = page.waitForResponse(/Lottery\/stream/)
  await page.unroute('**/api/Lottery/stream*')
  // The pause before the next try has grown to many seconds: on another network it ends at once.
  await page.evaluate(`dispatchEvent(new Event('online'))`)
  await streaming
  for (const money of amounts.slice(9)) await betOf(stack, other, money, [1])
  await expect.poll(shown).toEqual(amounts)
  expect(
    console.splice(0).every((message) => /ERR_(INTERNET|CONNECTION|NETWORK)/.test(message)),
  ).toBe(true)
})

test('a session that ends elsewhere also ends in the room', async ({
  page,
  context,
  stack,
  console,
}) => {
  const player = await seat(stack)
  await actAs(context, player)
  // The page reloads, and must not get the session again.
  await enter(page)
  await context.addInitScript(() => sessionStorage.removeItem('token'))
  await post(stack, '/api/user/logout', {}, player.token)
  await expect(page).toHaveURL(/\/login$/)
  // A call may get the end of the session before the stream does, and a browser reports every 401.
  expect(console.splice(0).filter((message) => !/ 401 /.test(message))).toEqual([])
})

test('a room can be entered with a sufficient balance, from both addresses of the hall', async ({
  page,
  context,
  stack,
}) => {
  const player = await seat(stack, { u: 500 })
  await actAs(context, player)
  await page.goto('/lottery?game=3')
  await expect(page.getByRole('tab', { name: 'ETH' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('button', { name: 'Room 2 of 4' }).click()
  await page.getByRole('button', { name: /^Senior/ }).click()
  await expectToast(page, 'Your assets are insufficient, please deposit')
  await expect(page).toHaveURL(/\/lottery/)

  await page.goto('/room?game_id=3')
  await expect(page.getByRole('tab', { name: 'ETH' })).toHaveAttribute('aria-selected', 'true')
  await expect(tab(page, 'Play')).toHaveAttribute('aria-current', 'page')
  await page.getByRole('button', { name: /^Basic/ }).click()
  await expect(page).toHaveURL(/\/betRoom\?id=31&game_id=3&.*requiredMoney=100\.00/)

  await page.goto(`${ADDRESS}&requiredMoney=500.01`)
  await expectToast(page, 'Your assets are insufficient, please deposit')
  await expect(page).toHaveURL(/\/lottery/)
})
