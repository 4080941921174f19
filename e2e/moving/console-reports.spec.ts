/** The console's reports: a settled bet is in the figures and in the file of its day and its player. */
import { readFileSync } from 'node:fs'
import { playRound } from '../../apps/server/testing/product/play-round.ts'
import { expect } from '../browser.ts'
import { axeOf, DESKTOP, openAs } from '../console-people.ts'
import { countRounds, post, seat, test } from '../stack.ts'

test.use(DESKTOP)

const ROOM = { game_id: 1, plan_id: 11 }

test('a settled bet is in the report of its day, and its player in a file of its own', async ({
  page,
  stack,
}) => {
  const player = await seat(stack, { u: 500, name: 'reported_player' })
  await playRound(stack, async (issue) => {
    const bet = { ...ROOM, issue, play_type: '[1,2]', money: '100' }
    expect((await post(stack, '/api/Lottery/playOrder', bet, player.token)).code).toBe(1)
  })
  await countRounds(stack)
  await openAs(page, stack, 'auditor')
  await page.getByRole('link', { name: 'Figures', exact: true }).click()
  // The address names the period that is shown.
  await expect(page).toHaveURL(/begin_date/)
  await expect(page.getByRole('columnheader', { name: 'Deposits' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Owed and held', exact: true })).toBeVisible()
  await page.getByLabel('Only player No.').fill(String(player.id))
  await expect(page).toHaveURL(new RegExp(`player_id%22%3A%22${player.id}`))
  const report = page.getByRole('table').filter({ hasText: 'Deposits' })
  const row = report.getByRole('row')
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
