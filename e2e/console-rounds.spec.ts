/** Rounds in the operator's console: two persons void one, and its stakes are refunded. */
import { axeOf, DESKTOP, signIn } from './console-people.ts'
import {
  actAs,
  expect,
  type Player,
  post,
  registerMember,
  type Stack,
  startStack,
  test,
} from './stack.ts'

test.use(DESKTOP)

const ROOM = { game_id: 2, plan_id: 21 }

async function balanceOf(stack: Stack, player: Player): Promise<number> {
  const { data } = await post(stack, '/api/user/userInfo', {}, player.token)
  return Number((data as { money: string }).money)
}

async function memberWith500(stack: Stack, name: string): Promise<Player> {
  const member = await registerMember(stack, name)
  const { data } = await post(stack, '/api/user/recharge', {}, member.token)
  await post(stack, '/dev/chain/transfer', { to: (data as { usdt: string }).usdt, amount: '500' })
  await expect.poll(() => balanceOf(stack, member)).toBe(500)
  return member
}

/** A round that takes bets for two minutes more, which two persons need. */
async function longRound(stack: Stack): Promise<string> {
  let issue = ''
  const secondsLeft = async () => {
    const { data } = await post(stack, '/api/Lottery/index', { game_id: ROOM.game_id })
    const [game] = (data as { gameList: { issue: { issue: string; openTime1: number } }[] })
      .gameList
    issue = game?.issue.issue ?? ''
    return game?.issue.openTime1 ?? 0
  }
  await expect.poll(secondsLeft, { timeout: 180_000 }).toBeGreaterThan(120)
  return issue
}

test('two persons void a round, and its stakes are refunded', async ({ page, browser }) => {
  test.slow()
  const stack = await startStack({ ROUND_SECONDS: '270' })
  try {
    const player = await memberWith500(stack, 'refunded_ann')
    await signIn(page, stack, 'owner')
    const colleague = await browser.newContext({ viewport: { width: 1024, height: 768 } })
    const other = await colleague.newPage()
    await signIn(other, stack, 'finance')
    const issue = await longRound(stack)
    const order = { ...ROOM, issue, play_type: '[1,3]', money: 100 }
    expect(await post(stack, '/api/Lottery/playOrder', order, player.token)).toMatchObject({
      code: 1,
    })
    expect(await balanceOf(stack, player)).toBe(300)

    await page.getByRole('menuitem', { name: 'Rounds', exact: true }).click()
    await page.getByRole('row').filter({ hasText: 'BCH' }).filter({ hasText: issue }).click()
    const bets = page.getByRole('row').filter({ hasText: 'players' })
    await expect(bets).toContainText('200.00 u')
    await page.getByRole('button', { name: 'Propose to void' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('the odds were wrong')
    await dialog.getByRole('button', { name: 'Propose to void' }).click()
    await expect(page.getByText('owner proposes to void it: the odds were wrong')).toBeVisible()
    // Who proposed it cannot confirm it.
    await expect(page.getByRole('button', { name: 'Void the round' })).toHaveCount(0)

    await other.goto(`${stack.url}/console/rounds`)
    const waiting = other.getByRole('row').filter({ hasText: 'void proposed' })
    await expect(waiting).toHaveCount(1)
    await waiting.click()
    await other.getByRole('button', { name: 'Void the round' }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Void the round' }).click()
    await expect(other.getByText('by two persons')).toBeVisible()
    expect(await axeOf(other)).toEqual([])

    await expect(bets.getByRole('cell', { name: '200.00 u' })).toHaveCount(2)
    await expect(page.getByText('finance confirmed it')).toBeVisible()
    await expect.poll(() => balanceOf(stack, player)).toBe(500)
    const phone = await browser.newContext({ viewport: { width: 390, height: 844 } })
    await actAs(phone, player, 'en')
    const app = await phone.newPage()
    await app.goto(`${stack.url}/CapitalDetail`)
    await expect(app.getByText('Refund', { exact: true }).first()).toBeVisible()
    await phone.close()
    await colleague.close()
  } finally {
    await page.close()
    await stack.stop()
  }
})
