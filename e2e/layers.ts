/** Everything that opens over a screen (sheets, dialogs, bars), each opened by tapping, and then looked at. */
import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import type { Reason } from '@sum28/contract/envelope.ts'
import { heart, playOrder } from '@sum28/contract/lottery-routes.ts'
import { newPass, withdrawAction } from '@sum28/contract/money-routes.ts'
import { closing } from '@sum28/contract/own-routes.ts'
import { authenticatorSetup, secondFactor, switchFactorOn } from '@sum28/contract/passkey-routes.ts'
import { protectionState } from '@sum28/contract/protection-routes.ts'
import { stream } from '@sum28/contract/stream.ts'
import { orderList } from '@sum28/contract/user-routes.ts'
import { href } from '../apps/web/src/navigation/routes.ts'
import type { ContractMock, OpenStream } from '../apps/web/src/testing/contract-mock.ts'
import { protectionReply } from '../apps/web/src/testing/usual-replies.ts'
import { goOn } from './appearance.ts'
import { choose, expect, type Language } from './browser.ts'
import { answerCounts, bet, HEART, NOW } from './full-replies.ts'

const CODE = '314159'

/**
 * What is done with an open layer, once it shows a part: `seen` in every language, `opened` in one, where its words are
 * those of a page or of another layer.
 */
export type Look = Record<
  'seen' | 'opened',
  (page: Page, part: string, shown: Locator) => Promise<void>
>

const sheetOf = (page: Page) => page.getByRole('dialog')
const popupOf = (page: Page) => page.getByRole('alertdialog')
export const toastOf = (page: Page) => page.locator('body > [role=status] > div')

function button(scope: Page | Locator, name: string): Locator {
  return scope.getByRole('button', { name, exact: true }).first()
}

/** Closes the open layer and waits until it is gone. */
async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(sheetOf(page)).toBeHidden()
  await expect(popupOf(page)).toBeHidden()
}

async function inProtection(page: Page, look: Look, mock: ContractMock): Promise<void> {
  const limit = { kind: 'deposit', period: 'day', own: '12345.67', amount: '12345.67' } as const
  mock.answer(
    protectionState,
    protectionReply({ limits: [{ ...limit, left: '1.00', by: 'player' }] }),
  )
  await page.goto('/limits')
  const first = page.locator('main button').first()
  await first.click()
  await sheetOf(page).locator('input').fill('7654321.98')
  await look.seen(page, 'a higher limit', sheetOf(page))
  await button(sheetOf(page), 'Remove limit').click()
  await look.seen(page, 'remove a limit?', popupOf(page))
  mock.answer(
    protectionState,
    protectionReply({
      limits: [{ ...limit, raise: { own: null, from: NOW + 86_400, until: NOW + 99_999 } }],
    }),
  )
  await page.reload()
  await first.click()
  await look.seen(page, 'a limit that waits', button(sheetOf(page), 'Keep the present limit'))
  await close(page)
  await goOn(page, '/break')
  await choose(page.getByRole('radio').last())
  await page.locator('main button:enabled').last().click()
  await look.seen(page, 'exclude yourself?', popupOf(page))
}

async function inHome(page: Page, look: Look): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: /^Line 1/ }).click()
  await look.seen(page, 'lines', sheetOf(page))
  await close(page)
  await goOn(page, '/support')
  await page.locator('summary').first().waitFor()
  for (const answer of await page.locator('summary').all()) await answer.click()
  await look.seen(page, 'support, all unfolded', page.locator('main'))
}

async function inAccount(page: Page, look: Look): Promise<void> {
  await page.goto('/personal')
  await button(page, 'Deposit').click()
  await look.seen(page, 'deposit', sheetOf(page))
  await close(page)
  await goOn(page, '/setting?type=1')
  await button(page, 'Log out').click()
  await look.seen(page, 'log out?', popupOf(page))
  await close(page)
  await goOn(page, '/baseinfo')
  await button(page, 'Change avatar').click()
  await look.seen(page, 'avatar', sheetOf(page))
  await close(page)
  await goOn(page, '/setSecurityCode?isTrue=true')
  for (const [kind, code] of [
    ['Old', CODE],
    ['New', '265358'],
  ] as const) {
    const group = page.getByRole('group', { name: `${kind} security code` })
    await group.getByRole('textbox').first().click()
    await page.keyboard.type(code)
  }
  await button(page, 'Change code').click()
  await look.seen(page, 'security code saved', popupOf(page))
}

async function inOwnPages(page: Page, look: Look, mock: ContractMock): Promise<void> {
  await page.goto('/personal')
  // Its age is judged by the browser's clock.
  answerCounts(mock, Math.floor((await page.evaluate<number>('Date.now()')) / 1_000))
  await button(page, 'Is my balance counted?').click()
  await look.opened(page, 'my balance is counted', sheetOf(page))
  await close(page)
  await goOn(page, '/baseinfo')
  await page.getByRole('button', { name: /^Identity document/ }).click()
  await look.opened(page, 'identity document', sheetOf(page))
  await close(page)
  await goOn(page, '/security')
  await page.getByRole('button', { name: /^Remove “Key”/ }).click()
  await look.opened(page, 'remove a passkey?', popupOf(page))
}

async function inSecurity(page: Page, look: Look, mock: ContractMock): Promise<void> {
  await page.goto('/security')
  await button(page, 'Switch off').click()
  await look.seen(page, 'two-step login off?', popupOf(page))
  await close(page)
  for (const question of ['New recovery codes', 'Log out all other devices']) {
    await button(page, question).click()
    await look.seen(page, question, popupOf(page))
    await close(page)
  }
  mock.answer(secondFactor, { since: null, app: false, recovery_codes: 0 })
  mock.answer(authenticatorSetup, {
    secret: 'JBSWY3DPEHPK3PXP'.repeat(2),
    setup: 'c2VhbGVk',
    otpauth: 'otpauth://totp/Sum28:ann?secret=JBSWY3DPEHPK3PXP&issuer=Sum28',
  })
  mock.answer(switchFactorOn, { recovery_codes: Array(10).fill('K7QF-2M9X-D4TH') })
  await page.reload()
  await button(page, 'Set up an authenticator app').click()
  await look.seen(page, 'an authenticator app', sheetOf(page))
  await sheetOf(page).getByRole('textbox').first().click()
  await page.keyboard.type(CODE)
  await button(sheetOf(page), 'Switch on').click()
  await look.seen(page, 'recovery codes', button(sheetOf(page), 'I have kept them'))
}

async function inPasswords(page: Page, look: Look, mock: ContractMock): Promise<void> {
  const change = async () => {
    await page.goto(href('changePassword'))
    for (const [at, password] of ['old passphrase', 'new passphrase', 'new passphrase'].entries()) {
      await page.locator('form input:not([readonly])').nth(at).fill(password)
    }
    await button(page, 'Change password').click()
  }
  await change()
  await look.seen(page, 'password changed', popupOf(page))
  mock.refuse(newPass, { reason: 'proof_required', msg: 'Please confirm that it is you' })
  await change()
  await look.seen(page, 'confirm that it is you', sheetOf(page))
  mock.answer(closing, {
    running: '0.00',
    withdrawing: '0.00',
    held: '0.00',
    balance: '0.00',
    withdraw_min: '100.00',
    may_close: true,
    kept_days: 3650,
  })
  await page.goto(href('closeAccount'))
  await page.getByLabel('Login password').fill('old passphrase')
  await button(page, 'Close for good').click()
  await look.seen(page, 'close your account?', popupOf(page))
}

async function inLists(page: Page, look: Look): Promise<void> {
  await page.goto(href('betHistory'))
  for (const path of [href('trend', { game_id: '2', name: 'BCH' }), href('betHistory')]) {
    await goOn(page, path)
    await page.locator('button[aria-haspopup=dialog]').first().click()
    await look.seen(page, `days of ${path}`, sheetOf(page))
    await close(page)
  }
  await goOn(page, '/personal')
  await goOn(page, `${href('betHistory')}?from=2025-12-14&to=2026-10-20`)
  await look.seen(page, 'days of two years', page.locator('header [aria-haspopup=dialog]'))
}

async function inWithdrawal(page: Page, look: Look, mock: ContractMock): Promise<void> {
  await page.goto('/withdraw?group_id=1')
  const review = async (amount: string) => {
    await page.getByLabel('Amount', { exact: true }).fill(amount)
    const method = page.locator('label').filter({ has: page.getByRole('radio') })
    await method.first().click()
    await button(page, 'Continue').click()
  }
  await review('999999')
  await look.seen(page, 'too little to withdraw', popupOf(page))
  await button(popupOf(page), 'OK').click()
  await expect(popupOf(page)).toBeHidden()
  await review('90000')
  await look.seen(page, 'review of a withdrawal', sheetOf(page))
  mock.refuse(withdrawAction, {
    reason: 'withdrawal_on_hold',
    msg: longestServerTexts('vi').at(0) ?? '',
  })
  await sheetOf(page).locator('input').first().click()
  await page.keyboard.type(CODE)
  await look.seen(page, 'withdrawal failed', popupOf(page))
}

const STAGE = href('room', { id: '21', game_id: '2', name: 'BCH', title: 'Basic' })

async function inRoom(page: Page, look: Look): Promise<void> {
  await page.goto(STAGE)
  await button(page, 'More').click()
  await look.seen(page, 'menu of the room', sheetOf(page))
  await close(page)
  const row = page.getByRole('row').filter({ has: page.locator('td button') })
  await row.first().locator('td button').click()
  await look.seen(page, 'follow?', popupOf(page))
}

async function inPanel(page: Page, look: Look): Promise<void> {
  await page.goto(STAGE)
  const panel = sheetOf(page)
  await button(page, 'Buy').click()
  const outcomes = panel.locator('button[aria-pressed]')
  await look.seen(page, 'panel', outcomes)
  for (const at of [0, 5, 7, 20]) await outcomes.nth(at).click()
  await panel.locator('summary').first().click()
  await look.seen(page, 'panel, chosen', panel)
  await button(panel, 'All in').click()
  await look.seen(page, 'all in?', popupOf(page))
  await button(popupOf(page), 'Set amount').click()
  await expect(popupOf(page)).toBeHidden()
  await look.seen(page, 'panel, nearly all staked', panel)
}

/** Why an order is refused to protect the player, with the title of what he is told. */
const STOPS: readonly { reason: Reason; title: string; data: Record<string, unknown> }[] = [
  {
    reason: 'limit_reached',
    title: 'Your limit stops this bet',
    data: {
      limit: 'loss',
      period: 'month',
      amount: '1234567.89',
      left: '123456.78',
      begins_at: NOW + 86_400,
    },
  },
  {
    reason: 'excluded',
    title: 'You are on a break',
    data: { until: NOW + 86_400 },
  },
  {
    reason: 'reality_check_due',
    title: 'Time for a look at your play',
    data: {
      elapsed_s: 14_400,
      staked: '1234567.89',
      running: '1234567.89',
      won: '1234567.89',
      net: '-123456.78',
    },
  },
]

async function atStops(page: Page, look: Look, mock: ContractMock): Promise<void> {
  await page.goto(STAGE)
  await button(page, 'Buy').click()
  const panel = sheetOf(page)
  await panel.locator('button[aria-pressed]').first().click()
  await panel.getByRole('textbox').fill('1000')
  for (const { reason, title, data } of STOPS) {
    mock.refuse(playOrder, { reason, msg: '', data })
    await panel.getByRole('button', { name: /^Buy/ }).click()
    await page.getByRole('alertdialog', { name: title }).waitFor()
    await look.seen(page, `an order refused: ${reason}`, popupOf(page))
    await page.keyboard.press('Escape')
    await expect(popupOf(page)).toBeHidden()
  }
}

async function aroundFeed(page: Page, look: Look, mock: ContractMock): Promise<void> {
  const { issue } = HEART.issue
  const running = bet(0, { name: 'BCH', issue, status: 0, whether_hit: 0, lottery_code: '' })
  mock.answer(orderList, { list: [running], total: 1, page: 1 })
  await page.goto(STAGE)
  await page.getByRole('button', { name: /^Your bets/ }).click()
  await look.opened(page, 'your bets', sheetOf(page))
  await close(page)
  await page.getByRole('rowheader').getByRole('button').first().click()
  await look.opened(page, 'a player of the feed', sheetOf(page))
}

/** The states in which a game takes no bets, each with the words of its clock. */
const STOPPED = [
  [0, 'Closed'],
  [2, 'Product discontinued'],
  [3, 'System banned'],
] as const

async function inStoppedRoom(page: Page, look: Look, mock: ContractMock): Promise<void> {
  const { issue, last_issue } = HEART
  let round = { game_status: 0, issue, last_issue }
  let room: OpenStream<typeof stream> | undefined
  mock.onOpen(stream, (opened) => {
    room = opened
    room.send('round', round)
    room.send('feed', [])
  })
  await page.goto(STAGE)
  for (const [game_status, words] of STOPPED) {
    round = { ...round, game_status }
    mock.answer(heart, { ...HEART, game_status })
    room?.send('round', round)
    await expect(page.getByRole('timer').first()).toHaveAccessibleName(words)
    await button(page, 'Buy').click()
    await look.seen(page, `room in state ${game_status}`, popupOf(page))
    await close(page)
  }
}

/** The longest server texts that a toast may show, with numbers filled in. */
export function longestServerTexts(lang: Language): string[] {
  const file = new URL(`../packages/i18n/src/catalogs/${lang}.json`, import.meta.url)
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  return Object.entries(texts)
    .filter(([key]) => /^(refusal|success)\./.test(key))
    .map(([, text]) => text.replace(/\{\w+, plural,.*other \{(.*)\}\}/, '$1'))
    .map((text) => text.replaceAll('#', '59').replaceAll(/\{\w+\}/g, '1,000,000.00'))
    .sort((one, other) => other.length - one.length)
    .slice(0, 4)
}

/** The ways to the layers, by where they begin. */
export const JOURNEYS = {
  home: inHome,
  'limits and breaks': inProtection,
  'the account': inAccount,
  'own pages': inOwnPages,
  security: inSecurity,
  'passwords and the end': inPasswords,
  'the lists': inLists,
  'a withdrawal': inWithdrawal,
  'a room': inRoom,
  'the bet panel': inPanel,
  'a refused order': atStops,
  'the feed': aroundFeed,
  'a stopped room': inStoppedRoom,
}
