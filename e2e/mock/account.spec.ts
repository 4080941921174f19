/** Goal: the screens of an account show and do what the product says. */
import type { Locator, Page } from '@playwright/test'
import { quantityLogList, recharge } from '@sum28/contract/money-routes.ts'
import {
  invitees,
  orderInfo,
  orderList,
  orderTotals,
  saveProfile,
  upload,
  userInfo,
} from '@sum28/contract/user-routes.ts'
import { PROFILE } from '../../apps/web/src/testing/usual-replies.ts'
import { actAs, expect, expectToast, pullDown, speak, toastsSoFar } from '../browser.ts'
import { cutOffText } from '../cut-off-text.ts'
import { FULL_BET, MEMBER } from '../full-replies.ts'
import { test } from '../mocked.ts'

/** The label to tap for a control whose own box is hidden. */
const labelOf = (page: Page, control: Locator) => page.locator('label').filter({ has: control })

const toastOf = (page: Page) => page.locator('[role=status][aria-live=polite]')

test.beforeEach(({ context }) => actAs(context, MEMBER))

test('the personal page shows the player and his balance, and links to every screen', async ({
  page,
  mock,
}) => {
  mock.answer(userInfo, {
    ...{ ...PROFILE, money: '1234.50', today_profit: '12.34', profit: '-56.78' },
  })
  await page.goto('/personal')
  const me = page.getByRole('link', { name: new RegExp(PROFILE.username) })
  await expect(me).toContainText(`ID ${PROFILE.id}`)
  await expect(me.locator('svg, img')).not.toHaveCount(0)
  const main = page.locator('body')
  await expect(main).toContainText(/Total assets\s*1,234\.50/)
  await expect(main).toContainText(/Profit today\s*\+12\.34/)
  await expect(main).toContainText(/Profit yesterday\s*−56\.78/)
  await expectLinks(page, [
    ['Withdraw', '/withdraw?group_id=1'],
    ['Account info', '/setting?type=2'],
    ['Bet history', '/BetRecord'],
    ['Fund details', '/CapitalDetail'],
    ['Notices', '/Notice'],
    ['About', '/about'],
  ])
  await expect(page.getByRole('button', { name: 'Support' })).toBeVisible()

  await page.getByRole('button', { name: 'Deposit' }).click()
  await expect(page.getByRole('dialog')).toContainText('Through support')
  await page.getByText('Deposit by yourself').click()
  await expect(page).toHaveURL(/\/recharge\?group_id=1$/)
})

async function expectLinks(
  page: Page,
  links: readonly (readonly [name: string | RegExp, to: string])[],
): Promise<void> {
  for (const [name, to] of links) {
    const link = page.getByRole('link', { name, exact: true })
    await expect(link).toHaveAttribute('href', to)
  }
}

test('pulling the personal page down reloads it', async ({ page, mock }) => {
  await page.goto('/personal')
  await expect(page.getByText('123,456.78').first()).toBeVisible()
  mock.answer(userInfo, { ...PROFILE, money: '77.00' })
  await pullDown(page)
  await expect(page.getByText('77.00').first()).toBeVisible()
})

test('the settings have line, language, system, about and logging out', async ({ page, mock }) => {
  mock.answer(userInfo, { ...PROFILE, is_safety: false })
  await page.goto('/setting?type=1')
  await expectLinks(page, [
    [/^Line/, '/changeline'],
    [/^Language/, '/language'],
    ['System settings', '/system'],
    ['About', '/about'],
  ])
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()

  await page.goto('/setting?type=2')
  await expectLinks(page, [
    ['Bank card', '/bankCardManage?type=0'],
    ['Virtual wallet', '/bankCardManage?type=1'],
    [/^Security code/, '/setSecurityCode?isTrue=false'],
    ['Login password', '/changePassword'],
  ])
})

test('a line shows its round trip, line 2 is marked best, and switching returns to the screen before', async ({
  page,
}) => {
  await page.goto('/setting?type=1')
  await page.getByRole('link', { name: /^Line/ }).click()
  const lines = page.getByRole('button', { name: /^Line \d/ })
  await expect(lines).toHaveCount(2)
  await expect(lines.nth(0)).toContainText(/\d+ ms/)
  await expect(lines.nth(0)).not.toContainText('Best')
  await expect(lines.nth(1)).toContainText('Best')
  await lines.nth(1).click()
  await expectToast(page, 'Switched to line 2')
  await expect(page).toHaveURL(/\/setting\?type=1$/)
  expect(await page.evaluate('sessionStorage.activeList')).toBe('1')
})

test('appearance, vibration and sounds are kept on the device', async ({ page, console }) => {
  await page.addInitScript('navigator.vibrate = () => true')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/system')
  const switches = ['Vibrate when a round makes a profit', 'Sounds'].map((name) =>
    page.getByRole('switch', { name }),
  )
  for (const each of switches) {
    await expect(each).not.toBeChecked()
    await each.check({ force: true })
  }
  const dark = page.getByRole('button', { name: 'Dark' })
  const ground = () =>
    page.evaluate('getComputedStyle(document.body.firstElementChild).colorScheme')
  expect(await ground()).toBe('light dark')
  await dark.click()
  await page.reload()
  for (const each of switches) await expect(each).toBeChecked()
  await expect(dark).toHaveAttribute('aria-pressed', 'true')
  expect(await ground()).toBe('dark')
  // The first script of the page has set it already, without the app.
  await page.route(/\/assets\/index.*js$/, (route) => route.abort())
  await page.reload()
  expect(await ground()).toBe('dark')
  expect(console.splice(0).every((message) => message.includes('ERR_FAILED'))).toBe(true)
})

test('the profile comes from the server, and its picture from one of eight or the album', async ({
  page,
  mock,
}) => {
  mock.answer(saveProfile, PROFILE)
  await page.goto('/baseinfo?name=Somebody_else&id=1&email=a@b.cc&avatar=preset:4')
  await expect(page.getByText(PROFILE.username, { exact: true })).toBeVisible()
  await expect(page.getByText(PROFILE.email)).toBeVisible()
  await expect(page.getByText(String(PROFILE.id), { exact: true })).toBeVisible()
  await expect(page.getByText('Somebody_else')).toHaveCount(0)

  await page.getByRole('button', { name: 'Change avatar' }).click()
  await expect(page.getByRole('button', { name: /Upload from album/ })).toBeVisible()
  await page.getByRole('button', { name: /Default avatars/ }).click()
  await expect(page).toHaveURL(/\/defaultAvatar$/)
  await expect(page.getByRole('radio', { name: /^Avatar \d$/ })).toHaveCount(8)
  await labelOf(page, page.getByRole('radio', { name: 'Avatar 5' })).click()
  await page.getByRole('button', { name: 'Use this avatar' }).click()
  await expectToast(page, 'Avatar saved')
  await expect(page).toHaveURL(/\/baseinfo/)
  expect(mock.requestsOf(saveProfile).at(-1)?.input).toEqual({ avatar: 'preset:5' })

  mock.refuse(saveProfile, { reason: 'fault', msg: 'Not today' })
  await page.goto('/defaultAvatar')
  await labelOf(page, page.getByRole('radio', { name: 'Avatar 2' })).click()
  await page.getByRole('button', { name: 'Use this avatar' }).click()
  await expectToast(page, 'Not today')
  await expect(page).toHaveURL(/\/defaultAvatar$/)
})

test('a picture of the album becomes the avatar at once', async ({ page, mock }) => {
  const url = '/banners/exact.svg'
  mock.answer(upload, { url, fullurl: url })
  mock.answer(saveProfile, { ...PROFILE, avatar: url })
  await page.goto('/baseinfo')
  await expect(page.getByText(PROFILE.username, { exact: true })).toBeVisible()
  const buffer = await page.screenshot()
  const file = page.locator('input[type=file]')
  await file.setInputFiles({ name: 'me.txt', mimeType: 'text/plain', buffer: Buffer.from('me') })
  await expectToast(page, 'This file is not an image that can be used')
  expect(mock.requestsOf(upload)).toEqual([])
  await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
  await expectToast(page, 'Avatar saved')
  expect(mock.requestsOf(saveProfile).at(-1)?.input).toEqual({ avatar: url })
  await expect(page.locator(`main img[src="${url}"]`)).toBeVisible()
})

test('a picture that the server refuses is reported in the server’s words', async ({
  page,
  mock,
}) => {
  mock.refuse(upload, { reason: 'fault', msg: 'The disk is full' })
  await page.goto('/baseinfo')
  await expect(page.getByText(PROFILE.username, { exact: true })).toBeVisible()
  const picture = await page.screenshot()
  const file = page.locator('input[type=file]')
  await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
  await expectToast(page, 'The disk is full')
})

test('a friend is invited by a QR code of 200 by 200 pixels, or by the link', async ({
  page,
  context,
  mock,
  url,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const link = `${url}/register?inviter_id=${MEMBER.id}`
  const none = { link, total: 0, page: 1, list: [] }
  mock.answer(invitees, none)
  await page.goto('/shareFriend')
  const code = page.getByRole('img', { name: 'QR code of your registration link' })
  const box = await code.boundingBox()
  expect([box?.width, box?.height]).toEqual([200, 200])
  await expect(page.getByText(link)).toBeVisible()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(link)
  await expect(page.getByText('Nobody yet')).toBeVisible()
  mock.answer(invitees, { ...none, total: 1, list: [{ username: 'br**ng', createtime: 1 }] })
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect(page.getByText('1 person')).toBeVisible()
})

test('the action centre shows three promo pictures', async ({ page }) => {
  await page.goto('/actionCenter')
  const pictures = page.locator('main figure img')
  await expect(pictures).toHaveCount(3)
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded()
    await expect
      .poll(() =>
        picture.evaluate((each) => (each as unknown as { naturalWidth: number }).naturalWidth),
      )
      .toBeGreaterThan(0)
  }
})

test('the deposit page shows only the available ways', async ({ page, mock }) => {
  const none = { money: '0.00', held: '0.00', version: '1', transfers: [] }
  const usdt = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
  mock.answer(recharge, { ...none, usdt })
  mock.answer(userInfo, { ...PROFILE, money: '0.00' })
  await page.goto('/recharge?group_id=1')
  await expect(page.getByRole('heading', { name: 'Deposit', exact: true })).toBeVisible()
  await expect(page.locator('main')).toContainText(/Total assets\s*0\.00\s*u/)
  await expect(page.locator('[translate=no]').filter({ hasText: usdt })).toBeVisible()
  await expect(page.getByText('TRC20', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('Bank transfer')).toHaveCount(0)

  const bank = { bankname: 'First Bank', banknum: '00 11 22', bankxm: 'Operator', reference: 'RF1' }
  mock.answer(recharge, { ...none, ...bank })
  await page.goto('/recharge?group_id=1')
  for (const words of ['Bank transfer', 'First Bank', 'Operator', '00 11 22', 'RF1']) {
    await expect(page.getByText(words, { exact: true })).toBeVisible()
  }
  await expect(page.getByText('TRC20', { exact: true })).toHaveCount(0)
})

for (const { path, chosen, call, none } of [
  {
    ...{ path: '/CapitalDetail', chosen: 'Withdrawal', call: quantityLogList },
    none: 'Nothing moved on these days',
  },
  {
    ...{ path: '/BetRecord', chosen: 'Refunded', call: orderList },
    none: 'No bets on these days',
  },
]) {
  test(`${path} filters by days and kind, shows when it is empty, and can be reloaded`, async ({
    page,
    mock,
  }) => {
    mock.answer(call, { list: [], total: 0, page: 1 })
    const requests = () => mock.requestsOf(call).map(({ input }) => input)
    await page.goto(path)
    await expect(page.getByText(none)).toBeVisible()
    // Also for the days that the list shows at first.
    await expect.poll(() => toastsSoFar(page)).toContain('None yet')
    await expect(toastOf(page)).toHaveText('')
    const seen = toastsSoFar(page).length
    expect(requests().at(-1)?.begin_date).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(requests().at(-1)?.end_date).toBe(requests().at(-1)?.begin_date)

    await labelOf(page, page.getByRole('radio', { name: chosen })).click()
    await expect.poll(() => toastsSoFar(page).slice(seen)).toContain('None yet')
    const { type, status } = { type: undefined, status: undefined, ...requests().at(-1) }
    expect([type, status].filter((kind) => kind !== undefined)).toHaveLength(1)

    await page.getByRole('button', { name: /^Days shown/ }).click()
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByLabel('From', { exact: true })).toHaveAttribute('min', '2018-01-01')
    await drawer.getByLabel('From', { exact: true }).fill('2026-01-02')
    await drawer.getByLabel('To', { exact: true }).fill('2026-01-03')
    await drawer.getByRole('button', { name: 'Show these days' }).click()
    await expect
      .poll(() => requests().at(-1))
      .toMatchObject({ begin_date: '2026-01-02', end_date: '2026-01-03' })

    const before = requests().length
    await page.getByRole('button', { name: 'Load again' }).click()
    await expect.poll(() => requests().length).toBeGreaterThan(before)

    // Choosing the present choice again also closes the drawer.
    for (const press of [1, 2]) {
      await page.getByRole('button', { name: /^Days shown/ }).click()
      await drawer.locator('label').filter({ hasText: '7 days' }).click()
      await expect(drawer, `after press ${press}`).toBeHidden()
    }
    await expect(page.getByRole('button', { name: 'Days shown: 7 days' })).toBeVisible()
  })
}

test('a bet in the history is pending, won or not profitable, and opens its own page', async ({
  page,
  mock,
}) => {
  mock.answer(orderTotals, {
    ...{ count: 3, quantity: '300.00', payout: '192.00', profit: '-8.00', pending: '100.00' },
    refunded: '0.00',
  })
  mock.refuse(orderInfo, { reason: 'fault', msg: 'Not today' })
  await page.goto('/BetRecord')
  const totals = page.locator('section, article, div', {
    has: page.getByRole('heading', { name: 'Total of these days' }),
  })
  for (const figure of ['3 bets', '300.00', '100.00', '192.00', '−8.00']) {
    await expect(totals.last().locator('xpath=..')).toContainText(figure)
  }
  const rows = page.getByRole('main').getByRole('link')
  await expect(rows).toHaveCount(4)
  await expect(rows.nth(0)).toContainText('Pending')
  await expect(rows.nth(0)).toContainText('----')
  await expect(rows.nth(0).getByRole('img', { name: /sum/ })).toHaveCount(0)
  await expect(rows.nth(1)).toContainText('+12,345.67')
  await expect(rows.nth(1).getByRole('img', { name: '9, 8, 7: sum 24' })).toBeVisible()
  await expect(rows.nth(2)).toContainText('Not profitable')
  await expect(rows.nth(3)).toContainText('Refunded')
  await rows.nth(1).click()
  await expect(page).toHaveURL(/\/betDetail\?item=/)
  await expect(page.getByText('Not today')).toBeVisible()
  const item = new URL(page.url()).searchParams.get('item') ?? ''
  expect(Object.keys(JSON.parse(item))).toEqual(['orderNo'])
})

test('the statement names each kind of movement and each state', async ({ page }) => {
  await page.goto('/CapitalDetail')
  await expect(page.getByRole('main').getByRole('listitem')).toContainText([
    /^Deposit.*\+1,000\.00/,
    /^Withdrawal\s*Waiting.*−100\.00/,
    /^Withdrawal\s*Approved.*−200\.00/,
    /^Withdrawal\s*Rejected.*−300\.00/,
    /^Purchase.*−10\.00/,
    /^Profit.*\+19\.123456/,
    /^Part of the stake back.*\+9\.123456/,
    /^Bonus.*\+5\.00/,
    /^Refund.*\+10\.00/,
  ])
})

for (const language of ['vi', 'ja', 'id'] as const) {
  test(`amounts of millions stay in their boxes on the smallest phone, in ${language}`, async ({
    page,
    context,
    mock,
  }) => {
    const large = '1234567.89'
    await page.setViewportSize({ width: 320, height: 568 })
    const money = { money: large, today_profit: `-${large}`, profit: large }
    mock.answer(userInfo, { ...PROFILE, ...money })
    mock.answer(orderInfo, {
      ...{ ...FULL_BET, quantity: large, profit: large, payout: '118518517.44' },
      ...{ before: large, after: large },
      selections: FULL_BET.selections.map((selection) => ({
        ...{ ...selection, stake: large },
        payout: selection.hit ? '118518517.44' : '0.00',
      })),
    })
    await speak(context, language)
    const { orderNo } = FULL_BET
    for (const path of ['/personal', `/betDetail?item=${JSON.stringify({ orderNo })}`]) {
      await page.goto(path)
      await expect(page.getByText(/1.234.567.89/).first()).toBeVisible()
      await expect(page.locator('#boot')).toHaveCount(0)
      expect(await cutOffText(page), path).toEqual([])
    }
  })
}
