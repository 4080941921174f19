/**
 * Goal: a stranger becomes a player who bets and is paid, in a real browser over the real stack. Method: everything is
 * done by tapping, and the round with the bet passes at its true pace; the code is read from the demo's captured mail.
 * The expected balance is computed here from the digits on the screen and the odds on the buttons.
 */
import type { Locator, Page } from '@playwright/test'
import { openIssueFor } from '../../apps/server/testing/product/play-round.ts'
import { expect } from '../browser.ts'
import { test as base, mailedCode, type Stack, startStack } from '../stack.ts'

const test = base.extend<object, { stack: Stack }>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern.
    async ({}, use) => {
      const stack = await startStack({ ROUND_SECONDS: '30', SEAL_SECONDS: '6' })
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

/** The amount next to a word: `Balance 1,234.50 u` → 1234.5. */
async function amountBeside(scope: Page | Locator, word: string): Promise<number> {
  const fact = scope.locator('div', { has: scope.locator('dt', { hasText: word }) }).last()
  return amountOf((await fact.locator('dd').textContent()) ?? '')
}

function amountOf(text: string): number {
  return Number(text.replace('−', '-').replace(/[^\d.-]/g, ''))
}

/** The odds printed on an outcome's button. */
async function oddsOf(pick: Locator): Promise<number> {
  return Number(await pick.locator('[translate="no"]').first().textContent())
}

test('a stranger registers, deposits, bets, sees the draw and is paid exactly', async ({
  page,
  stack,
}) => {
  // The round alone takes half a minute.
  test.setTimeout(100_000)
  const email = 'ann.lee@example.org'

  await test.step('registers with the mailed code', async () => {
    await page.goto('/')
    await expect(page.getByText('Three digits are drawn')).toBeVisible()
    await page.getByRole('link', { name: 'Me', exact: true }).click()
    await expect(page).toHaveURL(/\/login$/)
    await page
      .getByRole('link', { name: 'Register' })
      .or(page.getByRole('button', { name: 'Register' }))
      .click()
    await expect(page).toHaveURL(/\/register$/)
    await page.getByLabel('Username', { exact: true }).fill('ann_lee')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send code' }).click()
    const code = await mailedCode(stack, email)
    await page
      .getByRole('group', { name: 'Verification code' })
      .getByRole('textbox')
      .first()
      .click()
    await page.keyboard.type(code)
    await page.getByLabel('Password', { exact: true }).fill('a long enough passphrase')
    await page.getByRole('checkbox', { name: /^I am 18/ }).check()
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page).toHaveURL(`${stack.url}/`)
  })

  await test.step('deposits through the chain', async () => {
    await page.getByRole('link', { name: 'Me', exact: true }).click()
    await expect(page.getByText('ann_lee')).toBeVisible()
    await page.getByRole('button', { name: 'Deposit' }).click()
    await page.getByText('Deposit by yourself').click()
    await expect(page.getByRole('img', { name: 'QR code of your deposit address' })).toBeVisible()
    await page.getByLabel('Amount').fill('1000.5')
    await page.getByRole('button', { name: 'Send test USDT' }).click()
    await expect(page.getByText('1,000.50 u have arrived')).toBeVisible()
    await expect(page.getByText('1,000.50').first()).toBeVisible()
  })

  await test.step('enters a room', async () => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Play', exact: true }).click()
    await page.getByRole('button', { name: /^Basic/ }).click()
    await expect(page).toHaveURL(/\/betRoom/)
    await expect.poll(() => amountBeside(page, 'Balance')).toBe(1_000.5)
  })

  const odds: Record<string, number> = {}
  let issue = ''

  await test.step('bets on long, short and 13', async () => {
    issue = await openIssueFor(stack, 17)
    // The page has heard of that round, which may have begun just now.
    await expect(page.getByText(issue, { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Buy', exact: true }).click()
    const panel = page.getByRole('dialog')
    await expect(panel.getByText(`Round ${issue}`)).toBeVisible()
    for (const name of ['Long', 'Short', '13']) {
      const pick = panel.getByRole('button', { name: new RegExp(`^${name} [\\d.]+$`) })
      odds[name] = await oddsOf(pick)
      await pick.click()
    }
    await panel.getByRole('button', { name: '+50 Add to the amount', exact: true }).click()
    await panel.getByRole('button', { name: '+50 Add to the amount', exact: true }).click()
    await expect(panel.getByLabel('Amount on each outcome')).toHaveValue('100')
    await panel.getByRole('button', { name: /Buy 3 for 300\.00 u/ }).click()
    await expect(panel).toBeHidden()
    await expect(page.getByRole('row', { name: /^You/ })).toContainText('300.00')
    await expect.poll(() => amountBeside(page, 'Bought')).toBe(300)
    await expect.poll(() => amountBeside(page, 'Balance')).toBe(700.5)
  })

  await test.step('sees the draw, and the balance move by exactly stake × odds', async () => {
    await expect(page.getByRole('timer').first()).toHaveAccessibleName(/^Sealed/)
    await expect(page.getByText(`Last draw · ${issue.slice(8)}`)).toBeVisible()
    const label = await page
      .getByRole('img', { name: /Sum|=|sum/ })
      .first()
      .getAttribute('aria-label')
    const digits = (label ?? '').match(/\d+/g)?.map(Number) ?? []
    const sum = digits[3] ?? -1
    expect(digits.slice(0, 3).reduce((total, digit) => total + digit, 0)).toBe(sum)
    const payout =
      100 * ((odds[sum >= 14 ? 'Long' : 'Short'] ?? 0) + (sum === 13 ? (odds['13'] ?? 0) : 0))
    const expected = Math.round((700.5 + payout) * 1000) / 1000
    await expect.poll(() => amountBeside(page, 'Balance')).toBe(expected)

    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('link', { name: 'Bet history' }).click()
    const bet = page.getByRole('link', { name: new RegExp(`Round .*${Number(issue.slice(8))}`) })
    await expect(bet).toContainText('300.00')
    const won = (payout - 300).toLocaleString('en', { minimumFractionDigits: 2 })
    if (payout > 300) await expect(bet).toContainText(`+${won} u`)
  })
})
