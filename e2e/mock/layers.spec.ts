/**
 * Goal: everything that opens over a screen (sheets, dialogs, toasts, bars) has no cut-off text in any language on the
 * narrowest phone, and no findings of axe in light and dark. Method: each is opened by tapping, and the language is
 * changed while it is open.
 */
import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { heart } from '@sum28/contract/lottery-routes.ts'
import { withdrawAction } from '@sum28/contract/money-routes.ts'
import { protectionState } from '@sum28/contract/protection-routes.ts'
import { stream } from '@sum28/contract/stream.ts'
import { login } from '@sum28/contract/user-routes.ts'
import { href } from '../../apps/web/src/navigation/routes.ts'
import type { ContractMock } from '../../apps/web/src/testing/contract-mock.ts'
import { protectionReply } from '../../apps/web/src/testing/protection-replies.ts'
import { axeOf, changeLanguage, followSystem, LANGUAGES } from '../appearance.ts'
import { actAs, choose, expect, type Language } from '../browser.ts'
import { cutOffForGood } from '../cut-off-text.ts'
import { HEART, MEMBER, NOW } from '../full-replies.ts'
import { test } from '../mocked.ts'

const CODE = '314159'

test.use({ viewport: { width: 320, height: 568 } })

/** Looks at an open layer in each language, and with axe; notes each fault with the part where it was found. */
class Faults {
  readonly all: string[] = []

  async seen(page: Page, part: string, shown: Locator): Promise<void> {
    await shown.first().waitFor()
    const faults = await axeOf(page)
    for (const lang of LANGUAGES) {
      await changeLanguage(page, lang)
      faults.push(...(await cutOffForGood(page)).map((fault) => `${lang}: ${fault}`))
    }
    await changeLanguage(page, 'en')
    await shown.first().waitFor()
    this.all.push(...faults.map((fault) => `${part}: ${fault}`))
  }
}

const sheetOf = (page: Page) => page.getByRole('dialog')
const popupOf = (page: Page) => page.getByRole('alertdialog')
const toastOf = (page: Page) => page.locator('[role=status][aria-live=polite] > div')

function button(scope: Page | Locator, name: string): Locator {
  return scope.getByRole('button', { name, exact: true }).first()
}

/** Closes the open layer and waits until it is gone. */
async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(sheetOf(page)).toBeHidden()
  await expect(popupOf(page)).toBeHidden()
}

async function inProtection(page: Page, faults: Faults, mock: ContractMock): Promise<void> {
  const limit = { kind: 'deposit', period: 'day', own: '12345.67', amount: '12345.67' } as const
  mock.answer(
    protectionState,
    protectionReply({ limits: [{ ...limit, left: '1.00', by: 'player' }] }),
  )
  await page.goto('/limits')
  const first = page.locator('main button').first()
  await first.click()
  await sheetOf(page).locator('input').fill('7654321.98')
  await faults.seen(page, 'a higher limit', sheetOf(page))
  await button(sheetOf(page), 'Remove limit').click()
  await faults.seen(page, 'remove a limit?', popupOf(page))
  mock.answer(
    protectionState,
    protectionReply({
      limits: [{ ...limit, raise: { own: null, from: NOW + 86_400, until: NOW + 99_999 } }],
    }),
  )
  await page.reload()
  await first.click()
  await faults.seen(page, 'a limit that waits', button(sheetOf(page), 'Keep the present limit'))
  await page.goto('/break')
  await choose(page.getByRole('radio').last())
  await page.locator('main button:enabled').last().click()
  await faults.seen(page, 'exclude yourself?', popupOf(page))
}

async function inHome(page: Page, faults: Faults): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: /^Line 1/ }).click()
  await faults.seen(page, 'lines', sheetOf(page))
  await close(page)
  await page.goto('/support')
  await page.locator('summary').first().waitFor()
  for (const answer of await page.locator('summary').all()) await answer.click()
  await faults.seen(page, 'support, all unfolded', page.locator('main'))
}

async function inAccount(page: Page, faults: Faults): Promise<void> {
  await page.goto('/personal')
  await button(page, 'Deposit').click()
  await faults.seen(page, 'deposit', sheetOf(page))
  await page.goto('/setting?type=1')
  await button(page, 'Log out').click()
  await faults.seen(page, 'log out?', popupOf(page))
  await page.goto('/baseinfo')
  await button(page, 'Change avatar').click()
  await faults.seen(page, 'avatar', sheetOf(page))
  await close(page)
  const picture = { name: 'me.png', mimeType: 'image/png', buffer: await page.screenshot() }
  await page.locator('input[type=file]').setInputFiles(picture)
  await faults.seen(page, 'cropper', button(page, 'Use picture'))
  await page.goto('/setSecurityCode?isTrue=true')
  for (const [kind, code] of [
    ['Old', CODE],
    ['New', '265358'],
  ] as const) {
    const group = page.getByRole('group', { name: `${kind} security code` })
    await group.getByRole('textbox').first().click()
    await page.keyboard.type(code)
  }
  await button(page, 'Change code').click()
  await faults.seen(page, 'security code saved', popupOf(page))
}

async function inLists(page: Page, faults: Faults): Promise<void> {
  for (const path of [href('betHistory'), href('trend', { game_id: '2', name: 'BCH' })]) {
    await page.goto(path)
    await page.locator('button[aria-haspopup=dialog]').first().click()
    await faults.seen(page, `days of ${path}`, sheetOf(page))
  }
  await page.goto(`${href('betHistory')}?from=2025-12-14&to=2026-10-20`)
  await faults.seen(page, 'days of two years', page.locator('header [aria-haspopup=dialog]'))
}

async function inWithdrawal(page: Page, faults: Faults, mock: ContractMock): Promise<void> {
  await page.goto('/withdraw?group_id=1')
  const review = async (amount: string) => {
    await page.getByLabel('Amount', { exact: true }).fill(amount)
    const method = page.locator('label').filter({ has: page.getByRole('radio') })
    await method.first().click()
    await button(page, 'Continue').click()
  }
  await review('999999')
  await faults.seen(page, 'too little to withdraw', popupOf(page))
  await button(popupOf(page), 'OK').click()
  await expect(popupOf(page)).toBeHidden()
  await review('90000')
  await faults.seen(page, 'review of a withdrawal', sheetOf(page))
  mock.refuse(withdrawAction, {
    reason: 'withdrawal_on_hold',
    msg: longestServerTexts('vi').at(0) ?? '',
  })
  await sheetOf(page).locator('input').first().click()
  await page.keyboard.type(CODE)
  await faults.seen(page, 'withdrawal failed', popupOf(page))
}

const STAGE = href('room', { id: '21', game_id: '2', name: 'BCH', title: 'Basic' })

async function inRoom(page: Page, faults: Faults): Promise<void> {
  await page.goto(STAGE)
  await button(page, 'More').click()
  await faults.seen(page, 'menu of the room', sheetOf(page))
  await close(page)
  const panel = sheetOf(page)
  await button(page, 'Buy').click()
  const outcomes = panel.locator('button[aria-pressed]')
  await faults.seen(page, 'panel', outcomes)
  for (const at of [0, 5, 7, 20]) await outcomes.nth(at).click()
  await panel.locator('summary').first().click()
  await faults.seen(page, 'panel, chosen', panel)
  await button(panel, 'All in').click()
  await faults.seen(page, 'all in?', popupOf(page))
  await button(popupOf(page), 'Set amount').click()
  await expect(popupOf(page)).toBeHidden()
  await faults.seen(page, 'panel, nearly all staked', panel)
  await close(page)
  const row = page.getByRole('row').filter({ has: page.locator('td button') })
  await row.first().getByRole('button').click()
  await faults.seen(page, 'follow?', popupOf(page))
}

async function inStoppedRoom(page: Page, faults: Faults, mock: ContractMock): Promise<void> {
  for (const game_status of [0, 2, 3]) {
    const { issue, last_issue } = HEART
    mock.answer(heart, { ...HEART, game_status })
    mock.onOpen(stream, (opened) => opened.send('round', { game_status, issue, last_issue }))
    await page.goto(STAGE)
    await expect(page.getByRole('timer').first()).not.toHaveAccessibleName(/\d/)
    await button(page, 'Buy').click()
    await faults.seen(page, `room in state ${game_status}`, popupOf(page))
  }
}

/** The longest server texts that a toast may show, with numbers filled in. */
function longestServerTexts(lang: Language): string[] {
  const file = new URL(`../../packages/i18n/src/catalogs/${lang}.json`, import.meta.url)
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  return Object.entries(texts)
    .filter(([key]) => /^(refusal|success)\./.test(key))
    .map(([, text]) => text.replace(/\{\w+, plural,.*other \{(.*)\}\}/, '$1'))
    .map((text) => text.replaceAll('#', '59').replaceAll(/\{\w+\}/g, '1,000,000.00'))
    .sort((one, other) => other.length - one.length)
    .slice(0, 4)
}

for (const [where, journey] of Object.entries({
  home: inHome,
  'limits and breaks': inProtection,
  'the account': inAccount,
  'the lists': inLists,
  'a withdrawal': inWithdrawal,
  'a room': inRoom,
  'a stopped room': inStoppedRoom,
})) {
  test(`what opens in ${where} cuts no text off in any language`, async ({
    page,
    context,
    mock,
  }) => {
    await actAs(context, MEMBER)
    await followSystem(context)
    const faults = new Faults()
    await journey(page, faults, mock)
    expect(faults.all).toEqual([])
  })
}

test('the server’s longest texts fit a toast in every language', async ({ page, mock }) => {
  const faults: string[] = []
  await page.goto('/login')
  const fields = page.locator('form input')
  await fields.nth(0).fill('somebody')
  await fields.nth(1).fill('some passphrase')
  for (const lang of LANGUAGES) {
    for (const msg of longestServerTexts(lang)) {
      mock.refuse(login, { reason: 'fault', msg })
      await page.locator('form button[type=submit]').click()
      await toastOf(page).filter({ hasText: msg }).waitFor()
      faults.push(...(await cutOffForGood(page)).map((fault) => `${lang}: ${fault}`))
    }
  }
  expect(faults).toEqual([])
})
