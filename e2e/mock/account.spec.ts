/** Goal: the screens of an account do what needs a browser: pictures, colours, touch, the clipboard, and boxes of text. */
import type { Locator } from '@playwright/test'
import { invitees, orderInfo, saveProfile, upload, userInfo } from '@sum28/contract/user-routes.ts'
import { PROFILE } from '../../apps/web/src/testing/usual-replies.ts'
import { followSystem, seenInEach } from '../appearance.ts'
import { actAs, expect, expectToast, pullDown } from '../browser.ts'
import { FULL_BET, MEMBER } from '../full-replies.ts'
import { test } from '../mocked.ts'

test.beforeEach(({ context }) => actAs(context, MEMBER))

test('pulling the personal page down reloads it', async ({ page, mock }) => {
  await page.goto('/personal')
  await expect(page.getByText('123,456.78').first()).toBeVisible()
  mock.answer(userInfo, { ...PROFILE, money: '77.00' })
  await pullDown(page)
  await expect(page.getByText('77.00').first()).toBeVisible()
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
  await page.getByRole('button', { name: 'Light' }).click()
  // Not even by a browser that darkens pages.
  expect(await ground()).toBe('light only')
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

test('with the system’s colours alone, fields, boxes, switches, dialogs and links like buttons have a line around them', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  const outline = (part: Locator) =>
    part.evaluate((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return `${outlineWidth} ${outlineStyle}`
    })
  await page.goto('/setting?type=1')
  for (const [checked, line] of [
    [false, '1px solid'],
    [true, '3px solid'],
  ] as const) {
    expect(await outline(page.getByRole('checkbox', { checked }).first())).toBe(line)
  }
  await page.getByRole('button', { name: 'Log out' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toHaveCSS('border-top-width', '1px')
  // It has the focus, which a finger is not shown.
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  expect(await outline(dialog.getByRole('button', { name: 'Cancel' }))).toBe('1px solid')
  await page.goto('/system')
  expect(await outline(page.getByRole('switch').first())).toBe('1px solid')
  await page.goto('/addVirtualWallet')
  const field = page.getByLabel('Wallet address')
  expect(await outline(field.locator('..'))).toBe('1px solid')
  await field.focus()
  expect(await outline(field.locator('..'))).toBe('3px dashed')
  await page.goto('/no-such-page')
  expect(await outline(page.getByRole('link', { name: 'Go to home' }))).toBe('1px solid')
})

test('a picture of the album becomes the avatar at once, or is refused in the server’s words', async ({
  page,
  mock,
}) => {
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
  mock.refuse(upload, { reason: 'fault', msg: 'The disk is full' })
  await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
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
  mock.answer(invitees, { ...none, total: 1, list: [{ createtime: 1 }] })
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

test('amounts of millions stay in their boxes on the smallest phone, in the longest languages', async ({
  page,
  context,
  mock,
}) => {
  const large = '1234567.89'
  await page.setViewportSize({ width: 320, height: 568 })
  const money = { money: large, today_profit: `-${large}`, profit: large }
  mock.answer(userInfo, { ...PROFILE, ...money })
  mock.answer(orderInfo, {
    ...FULL_BET,
    quantity: large,
    profit: large,
    payout: '118518517.44',
    before: large,
    after: large,
    selections: FULL_BET.selections.map((selection) => ({
      ...selection,
      stake: large,
      payout: selection.hit ? '118518517.44' : '0.00',
    })),
  })
  await followSystem(context)
  const { orderNo } = FULL_BET
  for (const path of ['/personal', `/betDetail?item=${JSON.stringify({ orderNo })}`]) {
    await page.goto(path)
    await expect(page.getByText(/1.234.567.89/).first()).toBeVisible()
    await expect(page.locator('#boot')).toHaveCount(0)
    for (const { lang, text, cutOff } of await seenInEach(page, ['vi', 'ja', 'id'])) {
      expect(text, path).toMatch(/1.234.567.89/)
      expect(cutOff, `${path}, ${lang}`).toEqual([])
    }
  }
})

test.describe('with a mouse, on a page at 400%', () => {
  test.use({ viewport: { width: 320, height: 256 }, hasTouch: false, isMobile: false })

  test('each kind of movement in the statement can be pointed at, for a mouse scrolls no strip', async ({
    page,
  }) => {
    await page.goto('/CapitalDetail')
    const kinds = page.getByRole('radio')
    await expect(kinds).toHaveCount(6)
    const edges = await kinds.evaluateAll((all) =>
      all.map((each) => each.getBoundingClientRect().right),
    )
    expect(Math.max(...edges)).toBeLessThanOrEqual(320)
  })
})

declare function getComputedStyle(element: unknown): Record<'outlineStyle' | 'outlineWidth', string>
