/** The pictures of the console in docs/operating.md: small, in few colours. */
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { playRound } from '../apps/server/testing/product/play-round.ts'
import { expect } from './browser.ts'
import { DESKTOP, openAs } from './console-people.ts'
import { countRounds, post, type Stack, seat, startStack, test } from './stack.ts'

const sharp = createRequire(new URL('../apps/server/package.json', import.meta.url))('sharp')

const FOLDER = join(import.meta.dirname, '..', 'docs', 'pictures')

/** The most bytes of one picture. */
const BYTES_MAX = 80_000

test.use({ ...DESKTOP, viewport: { width: 1180, height: 768 } })

/** A player with money, a bet in each room of the first game, and a forgotten code. */
async function busyPlayer(stack: Stack, name: string) {
  const player = await seat(stack, { u: 2_500, name })
  await post(stack, '/api/user/setSafety', { new_code: '271828' }, player.token)
  return player
}

/** Requests a withdrawal to a bank card. */
async function requestWithdrawal(stack: Stack, token: string): Promise<void> {
  const card = { type: 0, acc: 'Ann Lee', acc_name: '4242424242424242', acc_bank: 'Bank of Hanoi' }
  const { data } = await post(stack, '/api/user/setPayInfo', card, token)
  const { id } = data as { id: number }
  const withdrawal = { pay_id: id, money: '1200', security_code: '271828' }
  expect((await post(stack, '/api/user/withdrawAction', withdrawal, token)).code).toBe(1)
}

/** Bets on long in a round, and plays it. */
function drawnBet(stack: Stack, token: string): Promise<string> {
  return playRound(stack, async (issue) => {
    const order = { game_id: 1, plan_id: 11, issue, play_type: '[1]', money: 100 }
    expect((await post(stack, '/api/Lottery/playOrder', order, token)).code).toBe(1)
  })
}

const TEMPLATES = [
  {
    name: 'Card is checked',
    text_en: 'Your new card is being checked. Your withdrawal follows within one working day.',
    text_ja: '新しいカードを確認しています。出金は1営業日以内に処理されます。',
    text_vi:
      'Thẻ mới của bạn đang được kiểm tra. Yêu cầu rút tiền sẽ được xử lý trong một ngày làm việc.',
  },
  {
    name: 'Document is not readable',
    text_en: 'We cannot read the picture of your document. Please send it again in good light.',
  },
]

/** Takes the picture of a screen once it shows what is named. @param act what is done there before */
async function save(
  page: Page,
  name: string,
  address: string,
  shows: string,
  act?: () => Promise<unknown>,
): Promise<void> {
  await page.goto(address)
  await expect(page.getByText(shows, { exact: true }).first()).toBeVisible()
  await act?.()
  await page.waitForLoadState('networkidle')
  const shot = await page.screenshot()
  let size = Number.POSITIVE_INFINITY
  for (const colours of [24, 16, 12, 8]) {
    if (size < BYTES_MAX) break
    const picture = sharp(shot).resize(900).png({ palette: true, colours, dither: 0, effort: 10 })
    size = (await picture.toFile(join(FOLDER, `${name}.png`))).size
  }
  expect(size, name).toBeLessThan(BYTES_MAX)
}

test('the pictures of the handbook', async ({ page, browser }) => {
  test.setTimeout(900_000)
  mkdirSync(FOLDER, { recursive: true })
  const stack = await startStack({ ROBOTS: 'on' })
  try {
    const player = await busyPlayer(stack, 'ann_lee')
    const issue = await drawnBet(stack, player.token)
    await countRounds(stack)
    await requestWithdrawal(stack, player.token)
    const colleague = await browser.newPage()
    await openAs(colleague, stack, 'support')
    await colleague.request.post(`${stack.url}/api/staff/players/proposeCodeReset`, {
      data: {
        user_id: player.user_id,
        reason: 'Called from the number that is noted here; named both last deposits.',
      },
      headers: { Origin: stack.url },
    })
    await colleague.close()
    await openAs(page, stack, 'owner')
    await save(page, 'round', `${stack.url}/console/rounds/1-${issue}/show`, 'Proof')
    await save(page, 'start', `${stack.url}/console`, 'Turnover')
    await save(
      page,
      'player',
      `${stack.url}/console/players/${player.user_id}/show`,
      'waits: 1 of 2',
    )
    await save(page, 'proposals', `${stack.url}/console/proposals`, 'Reset of a security code')
    await save(page, 'rounds', `${stack.url}/console/rounds`, 'settled')
    await save(page, 'room', `${stack.url}/console/rooms/11/show`, 'long')
    await save(
      page,
      'withdrawal',
      `${stack.url}/console/withdrawals/1/show`,
      'Look closer',
      async () => {
        await page.getByRole('button', { name: 'Reject', exact: true }).click()
        await page.getByLabel('Reason').fill('The name is not his')
        await page.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).click()
        await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
      },
    )
    await page.getByRole('button', { name: 'Undo' }).click()
    for (const template of TEMPLATES) {
      await page.request.post(`${stack.url}/api/staff/templates/save`, {
        data: template,
        headers: { Origin: stack.url },
      })
    }
    await save(page, 'templates', `${stack.url}/console/templates`, 'Card is checked')
    await save(page, 'reports', `${stack.url}/console/reports`, 'Download as CSV')
    await save(page, 'stops', `${stack.url}/console/stops`, 'All betting')
    await save(page, 'article', `${stack.url}/console/articles/1/show`, 'Preview')
    await save(page, 'audit', `${stack.url}/console/audit`, 'code reset proposed')
  } finally {
    await page.close()
    await stack.stop()
  }
})
