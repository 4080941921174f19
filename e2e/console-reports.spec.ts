/** The console's reports: a settled bet is in the figures and in the file of its day and its player. */
import { readFileSync } from 'node:fs'
import { axeOf, DESKTOP, signIn } from './console-people.ts'
import { expect, type Player, post, registerMember, type Stack, test } from './stack.ts'

test.use(DESKTOP)

const ROOM = { game_id: 1, plan_id: 11 }

/** Deposits 500 u and stakes 200 u until a round with the bet is settled: a voided one gives its stakes back. */
async function playOneRound(stack: Stack, player: Player): Promise<void> {
  const { data } = await post(stack, '/api/user/recharge', {}, player.token)
  await post(stack, '/dev/chain/transfer', { to: (data as { usdt: string }).usdt, amount: '500' })
  let orderNo = ''
  await expect(async () => {
    if (orderNo === '') {
      const beat = await post(stack, '/api/Lottery/heart', ROOM, player.token)
      const { issue } = (beat.data as { issue: { issue: string } }).issue
      const bet = { ...ROOM, issue, play_type: '[1,2]', money: '100' }
      const placed = await post(stack, '/api/Lottery/playOrder', bet, player.token)
      orderNo = (placed.data as { orderNo?: string } | null)?.orderNo ?? ''
    }
    const reply = await post(stack, '/api/user/orderInfo', { orderNo }, player.token)
    const { status } = (reply.data ?? {}) as { status?: number }
    if (status === 2) orderNo = ''
    expect(status).toBe(1)
  }).toPass()
}

test('a settled bet is in the report of its day, and its player in a file of its own', async ({
  page,
  stack,
}) => {
  const player = await registerMember(stack, 'reported_player')
  await playOneRound(stack, player)
  await signIn(page, stack, 'auditor')
  await page.getByRole('menuitem', { name: 'Figures', exact: true }).click()
  // The address names the period that is shown.
  await expect(page).toHaveURL(/begin_date/)
  await expect(page.getByRole('columnheader', { name: 'Deposits' })).toBeVisible()
  await page.getByLabel('Only player No.').fill(String(player.id))
  await expect(page).toHaveURL(new RegExp(`player_id%22%3A%22${player.id}`))
  const row = page.getByRole('table').getByRole('row')
  await expect(row).toHaveCount(2)
  await expect(row.last()).toContainText('500.00 u')
  await expect(row.last()).toContainText('200.00 u')
  expect(await axeOf(page)).toEqual([])

  await page.getByRole('combobox', { name: 'By', exact: true }).click()
  await page.getByRole('option', { name: 'Player', exact: true }).click()
  await expect(page.getByRole('link', { name: 'reported_player', exact: true })).toBeVisible()
  expect(await axeOf(page)).toEqual([])

  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as CSV' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toMatch(
    /^report-by-player-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/,
  )
  const [headings, cells, ...more] = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(headings).toContain('player_id,username,bets,turnover,payouts')
  expect(cells).toMatch(new RegExp(`^${player.id},reported_player,1,200.00,`))
  expect(cells).toContain(',500.00,0.00')
  expect(more).toEqual([])

  // The same address shows the same report.
  await page.reload()
  await expect(page.getByRole('link', { name: 'reported_player', exact: true })).toBeVisible()
})
