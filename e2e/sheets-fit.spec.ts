/**
 * Goal: everything that opens over a screen (sheets, dialogs, toasts, bars) has no cut-off text on the
 * narrowest phone. The screens themselves are tested by every-route.spec.ts. Method: each is opened
 * by tapping, in the languages with the longest words and in a script without spaces; answers that
 * cannot be caused in a minute are given in the server's place. The app's own texts are used to
 * find what to tap.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { openIssueFor } from '../apps/server/testing/play-round.ts'
import { href } from '../apps/web/src/app/routes.ts'
import { cutOffForGood } from './cut-off-text.ts'
import {
  actAs,
  choose,
  expect,
  type Language,
  LOCALE_TYPES,
  type Player,
  post,
  richMember,
  type Stack,
  speak,
  test,
} from './stack.ts'

const LONG_WORDED: Language[] = ['en', 'vi', 'id', 'ja']
const ROOM = { game_id: 2, plan_id: 21 }
const CODE = '314159'

test.use({
  viewport: { width: 320, height: 568 },
  contextOptions: { reducedMotion: 'reduce' },
})

type People = { me: Player; other: Player }

let people: People | undefined

/** The player of the tests, with money, a card, a wallet and a code, and one whose bets he follows. Made once. */
async function peopleOf(stack: Stack): Promise<People> {
  if (people) return people
  const me = await richMember(stack, 'sheet_reader', 99_000)
  const other = await richMember(stack, 'leader_of_long', 99_000)
  const card = { type: 0, acc: 'Ann Lee', acc_name: '4111111111111111', acc_bank: 'First Bank' }
  expect((await post(stack, '/api/user/setPayInfo', card, me.token)).code).toBe(1)
  expect((await post(stack, '/api/user/setSafety', { new_code: CODE }, me.token)).code).toBe(1)
  people = { me, other }
  return people
}

type Texts = (key: string) => string

/** The app's texts in a language by key, without the parts in braces. */
function textsIn(lang: Language): Texts {
  const texts: Record<string, string> = {}
  for (const from of ['apps/web', 'packages/ui']) {
    const folder = new URL(`../${from}/src/locales/${lang}/`, import.meta.url)
    for (const file of readdirSync(folder)) {
      Object.assign(texts, JSON.parse(readFileSync(new URL(file, folder), 'utf8')))
    }
  }
  return (key) => {
    const found = texts[key]
    if (found === undefined) throw new Error(`there is no text ${key}`)
    return found.replace(/\s*\{\w+\}.*$/, '')
  }
}

/** Collects the cut-off texts of open layers, each with the part where it was found. */
class Faults {
  readonly all: string[] = []

  async seen(page: Page, part: string, shown: Locator): Promise<void> {
    await shown.first().waitFor()
    this.all.push(...(await cutOffForGood(page)).map((fault) => `${part}: ${fault}`))
  }
}

const sheetOf = (page: Page) => page.getByRole('dialog')
const popupOf = (page: Page) => page.getByRole('alertdialog')
const toastOf = (page: Page) => page.locator('[role=status][aria-live=polite] > div')

function button(scope: Page | Locator, name: string): Locator {
  return scope.getByRole('button', { name, exact: true }).first()
}

/** Presses until something opens: a tap while a screen is still being built is ignored. */
async function press(opener: Locator, opened: Locator): Promise<void> {
  await expect(async () => {
    if (!(await opened.isVisible())) await opener.click({ timeout: 2_000 })
    await expect(opened).toBeVisible({ timeout: 3_000 })
  }).toPass()
}

/** Closes the open layer and waits until it is gone. */
async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(sheetOf(page)).toBeHidden()
  await expect(popupOf(page)).toBeHidden()
}

async function inProtection(page: Page, t: Texts, faults: Faults): Promise<void> {
  await page.goto('/limits')
  await page.locator('main button').first().click()
  await faults.seen(page, 'a limit', sheetOf(page))
  await sheetOf(page).locator('input').fill('1234567.89')
  await button(sheetOf(page), t('limits.set')).click()
  await faults.seen(page, 'a limit, set', toastOf(page))
  await expect(sheetOf(page)).toBeHidden()
  await press(page.locator('main button').first(), sheetOf(page))
  await sheetOf(page).locator('input').fill('7654321.98')
  await faults.seen(page, 'a higher limit', sheetOf(page))
  await button(sheetOf(page), t('limits.remove')).click()
  await faults.seen(page, 'remove a limit?', popupOf(page))
  await button(popupOf(page), t('limits.remove')).click()
  await expect(sheetOf(page)).toBeHidden()
  await press(page.locator('main button').first(), sheetOf(page))
  await faults.seen(page, 'a limit that waits', button(sheetOf(page), t('limits.keep')))
  await button(sheetOf(page), t('limits.keep')).click()
  await page.goto('/break')
  await choose(page.getByRole('radio').last())
  await page.locator('main button:enabled').last().click()
  await faults.seen(page, 'exclude yourself?', popupOf(page))
}

async function inHome(page: Page, t: Texts, faults: Faults): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: t('line.name') }).click()
  await faults.seen(page, 'lines', sheetOf(page))
  await close(page)
  await page.goto('/support')
  await page.locator('summary').first().waitFor()
  for (const answer of await page.locator('summary').all()) await answer.click()
  await faults.seen(page, 'support, all unfolded', page.locator('main'))
}

async function inAccount(page: Page, t: Texts, faults: Faults): Promise<void> {
  await page.goto('/personal')
  await button(page, t('deposit.title')).click()
  await faults.seen(page, 'deposit', sheetOf(page))
  await page.goto('/setting?type=1')
  await button(page, t('settings.logout')).click()
  await faults.seen(page, 'log out?', popupOf(page))
  await close(page)
  await page.goto('/baseinfo')
  await button(page, t('avatar.change')).click()
  await faults.seen(page, 'avatar', sheetOf(page))
  await close(page)
  const picture = { name: 'me.png', mimeType: 'image/png', buffer: await page.screenshot() }
  await page.locator('input[type=file]').setInputFiles(picture)
  await faults.seen(page, 'cropper', button(page, t('avatar.use')))
  await answer(page, '**/api/user/setSafety', { code: 1, data: null })
  await page.goto('/setSecurityCode?isTrue=true')
  for (const kind of ['old', 'new']) {
    const group = page.getByRole('group', { name: t(`securityCode.${kind}`) })
    await group.getByRole('textbox').first().click()
    await page.keyboard.type(kind === 'old' ? CODE : '265358')
  }
  await button(page, t('securityCode.confirm')).click()
  await faults.seen(page, 'security code saved', popupOf(page))
}

async function inLists(page: Page, _t: Texts, faults: Faults): Promise<void> {
  const game = { game_id: '2', name: 'BCH' }
  for (const path of [
    href('betHistory'),
    href('statement'),
    href('pastRounds', game),
    href('trend', game),
  ]) {
    await page.goto(path)
    await page.locator('button[aria-haspopup=dialog]').first().click()
    await faults.seen(page, `days of ${path}`, sheetOf(page))
  }
  await page.goto(`${href('betHistory')}?from=2025-12-14&to=2026-10-20`)
  await faults.seen(page, 'days of two years', page.locator('header [aria-haspopup=dialog]'))
}

async function inWithdraw(page: Page, t: Texts, faults: Faults): Promise<void> {
  await page.goto('/withdraw?group_id=1')
  const review = async (amount: string) => {
    await page.getByLabel(t('withdrawal.amount'), { exact: true }).fill(amount)
    const method = page.locator('label').filter({ has: page.getByRole('radio') })
    await method.first().click()
    await button(page, t('withdrawal.review')).click()
  }
  await review('99999')
  await faults.seen(page, 'too little to withdraw', popupOf(page))
  await button(popupOf(page), t('action.ok')).click()
  await expect(popupOf(page)).toBeHidden()
  await review('90000')
  await faults.seen(page, 'review of a withdrawal', sheetOf(page))
  const msg = longestServerTexts(await page.locator('html').getAttribute('lang')).at(0) ?? ''
  await answer(page, '**/api/user/withdrawAction', {
    ...{ code: 0, msg, data: { reason: 'withdrawal_on_hold' } },
  })
  await sheetOf(page).locator('input').first().click()
  await page.keyboard.type(CODE.slice(0, 5))
  await faults.seen(page, 'code of a withdrawal', sheetOf(page))
  await page.keyboard.type(CODE.slice(5))
  await faults.seen(page, 'withdrawal failed', popupOf(page))
}

async function inRoom(page: Page, t: Texts, faults: Faults, stack: Stack): Promise<void> {
  const { other } = await peopleOf(stack)
  const stage = href('room', { id: '21', game_id: '2', name: 'BCH', title: 'Basic' })
  const issue = await openIssueFor(stack, 120)
  await page.goto(stage)
  await press(button(page, t('room.more')), sheetOf(page))
  await faults.seen(page, 'menu of the room', sheetOf(page))
  await close(page)

  // Long with odd, and a sum: the row names both.
  const bet = { ...ROOM, issue, play_type: '[1,413]', money: '4321.25' }
  expect((await post(stack, '/api/Lottery/playOrder', bet, other.token)).code).toBe(1)
  const panel = sheetOf(page)
  await press(button(page, t('room.buy')), panel)
  await faults.seen(page, 'panel', panel.locator('button[aria-pressed]'))
  const outcomes = panel.locator('button[aria-pressed]')
  for (const at of [0, 5, 7, 20]) await outcomes.nth(at).click()
  await panel.locator('summary').first().click()
  await faults.seen(page, 'panel, chosen', panel)
  await button(panel, t('panel.allIn')).click()
  await faults.seen(page, 'all in?', popupOf(page))
  await button(popupOf(page), t('panel.allInConfirm')).click()
  await expect(popupOf(page)).toBeHidden()
  await faults.seen(page, 'panel, nearly all staked', panel)
  await panel.getByLabel(t('panel.amount')).fill('25.5')
  await panel
    .getByRole('button')
    .filter({ has: page.locator('small') })
    .last()
    .click()
  await faults.seen(page, 'bet placed', toastOf(page))
  await expect(panel).toBeHidden()

  const row = page.getByRole('row').filter({ has: page.locator('td button') })
  await row.first().getByRole('button').click()
  await faults.seen(page, 'follow?', popupOf(page))
}

async function inStoppedRoom(page: Page, t: Texts, faults: Faults): Promise<void> {
  await page.route('**/api/Lottery/stream*', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: ': the room is updated by beats\n\n' }),
  )
  for (const status of [2, 3]) {
    await page.route('**/api/Lottery/heart', async (route) => {
      const response = await route.fetch()
      const reply = await response.json()
      reply.data.game_status = status
      await route.fulfill({ response, json: reply })
    })
    await page.goto(href('room', { id: '21', game_id: '2', name: 'BCH', title: 'Basic' }))
    await press(button(page, t('room.buy')), popupOf(page))
    await faults.seen(page, `room in state ${status}`, popupOf(page))
  }
}

/** Answers a call in the server's place. */
async function answer(page: Page, call: string, reply: object): Promise<void> {
  await page.route(call, (route) => route.fulfill({ json: { msg: '', time: '0', ...reply } }))
}

/** The longest server texts that a toast may show, with numbers filled in. */
function longestServerTexts(lang: string | null): string[] {
  const file = new URL(`../packages/i18n/src/catalogs/${lang}.json`, import.meta.url)
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  return Object.entries(texts)
    .filter(([key]) => /^(refusal|success)\./.test(key))
    .map(([, text]) => text.replace(/\{\w+, plural,.*other \{(.*)\}\}/, '$1'))
    .map((text) => text.replaceAll('#', '59').replaceAll(/\{\w+\}/g, '1,000,000.00'))
    .sort((one, other) => other.length - one.length)
    .slice(0, 4)
}

const JOURNEYS = {
  home: inHome,
  'limits and breaks': inProtection,
  'the account': inAccount,
  'the lists': inLists,
  'a withdrawal': inWithdraw,
  'a room': inRoom,
  'a stopped room': inStoppedRoom,
}

for (const lang of LONG_WORDED) {
  for (const [where, journey] of Object.entries(JOURNEYS)) {
    test(`what opens in ${where} cuts no text off in ${lang}`, async ({ page, context, stack }) => {
      await actAs(context, (await peopleOf(stack)).me, lang)
      const faults = new Faults()
      await journey(page, textsIn(lang), faults, stack)
      expect(faults.all).toEqual([])
    })
  }
}

for (const lang of Object.keys(LOCALE_TYPES) as Language[]) {
  test(`the server’s longest texts fit a toast in ${lang}`, async ({ page, context }) => {
    await speak(context, lang)
    const faults = new Faults()
    await page.goto('/login')
    const fields = page.locator('form input')
    await fields.nth(0).fill('somebody')
    await fields.nth(1).fill('some passphrase')
    for (const msg of longestServerTexts(lang)) {
      await answer(page, '**/api/user/login', { code: 0, msg, data: { reason: 'x' } })
      await page.locator('form button[type=submit]').click()
      await faults.seen(page, 'toast', toastOf(page).filter({ hasText: msg }))
    }
    expect(faults.all).toEqual([])
  })
}
