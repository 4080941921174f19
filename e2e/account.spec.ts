/**
 * Goal: the screens of an account show and do what the product says. Method: a member's session is
 * put into the browser over the real stack; data that a player cannot cause in a minute (profits, a
 * bank account) is put into the server's answers.
 */
import type { Locator, Page } from '@playwright/test'
import {
  actAs,
  expect,
  expectToast,
  type Player,
  post,
  registerMember,
  registerVisitor,
  type Stack,
  test,
  toastsSoFar,
} from './stack.ts'

async function member(page: Page, stack: Stack, name: string): Promise<Player> {
  const player = await registerMember(stack, name)
  await actAs(page.context(), player, 'en')
  return player
}

/** Adds fields to the data of each answer to a call. */
async function answerWith(page: Page, call: RegExp, fields: object): Promise<void> {
  await page.route(call, async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { ...reply, data: { ...reply.data, ...fields } } })
  })
}

/** The label to tap for a control whose own box is hidden. */
const labelOf = (page: Page, control: Locator) => page.locator('label').filter({ has: control })

const toastOf = (page: Page) => page.locator('[role=status][aria-live=polite]')

/** Moves a finger down from the middle of the screen. */
async function pullDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const at = (y: number) => [{ x: 195, y }]
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(300) })
  for (let y = 320; y <= 560; y += 20) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(y) })
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

test('the personal page shows the player and his balance, and links to every screen', async ({
  page,
  stack,
}) => {
  const player = await member(page, stack, 'me_myself')
  await answerWith(page, /user\/userInfo/, {
    ...{ money: '1234.50', today_profit: '12.34', profit: '-56.78' },
  })
  await page.goto('/personal')
  await expect(page.getByRole('link', { name: /me_myself/ })).toContainText(`ID ${player.id}`)
  await expect(page.getByRole('link', { name: /me_myself/ }).locator('svg, img')).not.toHaveCount(0)
  const main = page.locator('body')
  await expect(main).toContainText(/Total assets\s*1,234\.50/)
  await expect(main).toContainText(/Profit today\s*\+12\.34/)
  await expect(main).toContainText(/Profit yesterday\s*−56\.78/)
  for (const [name, to] of [
    ['Withdraw', '/withdraw?group_id=1'],
    ['Account info', '/setting?type=2'],
    ['Bet history', '/BetRecord'],
    ['Fund details', '/CapitalDetail'],
    ['Notices', '/Notice'],
    ['About', '/about'],
  ] as const) {
    await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('href', to)
  }
  await expect(page.getByRole('button', { name: 'Support' })).toBeVisible()

  await page.getByRole('button', { name: 'Deposit' }).click()
  await expect(page.getByRole('dialog')).toContainText('Through support')
  await page.getByText('Deposit by yourself').click()
  await expect(page).toHaveURL(/\/recharge\?group_id=1$/)
})

test('pulling the personal page down reloads it', async ({ page, stack }) => {
  await member(page, stack, 'puller')
  let money = '1.00'
  await page.route(/user\/userInfo/, async (route) => {
    const response = await route.fetch()
    const reply = await response.json()
    await route.fulfill({ response, json: { ...reply, data: { ...reply.data, money } } })
  })
  await page.goto('/personal')
  await expect(page.getByText('1.00').first()).toBeVisible()
  money = '77.00'
  // When the page is slow to answer a touch, the browser handles the gesture itself; then pull again.
  await expect(async () => {
    await pullDown(page)
    await expect(page.getByText('77.00').first()).toBeVisible({ timeout: 10_000 })
  }).toPass()
})

test('the settings have line, language, system, about and logging out', async ({ page, stack }) => {
  await member(page, stack, 'setter')
  await page.goto('/setting?type=1')
  for (const [name, to] of [
    [/^Line/, '/changeline'],
    [/^Language/, '/language'],
    ['System settings', '/system'],
    ['About', '/about'],
  ] as const) {
    await expect(page.getByRole('link', { name })).toHaveAttribute('href', to)
  }
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()

  await page.goto('/setting?type=2')
  for (const [name, to] of [
    ['Bank card', '/bankCardManage?type=0'],
    ['Virtual wallet', '/bankCardManage?type=1'],
    [/^Security code/, '/setSecurityCode?isTrue=false'],
    ['Login password', '/changePassword'],
  ] as const) {
    await expect(page.getByRole('link', { name })).toHaveAttribute('href', to)
  }
})

test('a line shows its round trip, line 2 is marked best, and switching returns to the screen before', async ({
  page,
  stack,
}) => {
  await member(page, stack, 'liner')
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

test('the vibration switch is reset by a reload', async ({ page, stack }) => {
  await member(page, stack, 'shaker')
  await page.addInitScript('navigator.vibrate = () => true')
  await page.goto('/system')
  const vibration = page.getByRole('switch')
  await expect(vibration).not.toBeChecked()
  await labelOf(page, vibration).click()
  await expect(vibration).toBeChecked()
  await page.reload()
  await expect(vibration).not.toBeChecked()
})

test('the profile comes from the server, and its picture from the album or one of eight', async ({
  page,
  stack,
}) => {
  const player = await member(page, stack, 'portrait')
  await page.goto('/baseinfo?name=Somebody_else&id=1&email=a@b.cc&avatar=preset:4')
  await expect(page.getByText('portrait', { exact: true })).toBeVisible()
  await expect(page.getByText('portrait@example.org')).toBeVisible()
  await expect(page.getByText(String(player.id), { exact: true })).toBeVisible()
  await expect(page.getByText('Somebody_else')).toHaveCount(0)

  await test.step('from the eight', async () => {
    await page.getByRole('button', { name: 'Change avatar' }).click()
    await expect(page.getByRole('button', { name: /Upload from album/ })).toBeVisible()
    await page.getByRole('button', { name: /Default avatars/ }).click()
    await expect(page).toHaveURL(/\/defaultAvatar$/)
    await expect(page.getByRole('radio', { name: /^Avatar \d$/ })).toHaveCount(8)
    await labelOf(page, page.getByRole('radio', { name: 'Avatar 5' })).click()
    await page.getByRole('button', { name: 'Use this avatar' }).click()
    await expectToast(page, 'Avatar saved')
    await expect(page).toHaveURL(/\/baseinfo/)
    expect(await avatarOf(stack, player)).toBe('preset:5')
  })

  await test.step('from the album', async () => {
    const file = page.locator('input[type=file]')
    await file.setInputFiles({
      ...{ name: 'no.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('this is no picture') },
    })
    await expectToast(page, 'This file is not an image that can be used')
    const picture = await page.screenshot()
    await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
    await page.getByRole('button', { name: 'Use picture' }).click()
    await expectToast(page, 'Avatar saved')
    expect(await avatarOf(stack, player)).toMatch(/^\/uploads\/.+\.webp$/)
  })

  await test.step('refused with the server’s text', async () => {
    await page.route(/user\/profile|Common\/upload/, (route) =>
      route.fulfill({ json: { code: 0, msg: 'Not today', time: '0', data: { reason: 'x' } } }),
    )
    await page.goto('/defaultAvatar')
    const second = page.getByRole('radio', { name: 'Avatar 2' })
    await labelOf(page, second).click()
    await expect(second).toBeChecked()
    await page.getByRole('button', { name: 'Use this avatar' }).click()
    await expectToast(page, 'Not today')
    await expect(page).toHaveURL(/\/defaultAvatar$/)
  })
})

test('a picture that the server refuses is reported in the server’s words', async ({
  page,
  stack,
}) => {
  await member(page, stack, 'picture_less')
  await page.route('**/api/Common/upload*', (route) =>
    route.fulfill({ json: { code: 0, msg: 'The disk is full', time: '0', data: { reason: 'x' } } }),
  )
  await page.goto('/baseinfo')
  await expect(page.getByText('picture_less', { exact: true })).toBeVisible()
  const picture = await page.screenshot()
  const file = page.locator('input[type=file]')
  await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
  await page.getByRole('button', { name: 'Use picture' }).click()
  await expectToast(page, 'The disk is full')
})

async function avatarOf(stack: Stack, player: Player): Promise<string> {
  const { data } = await post(stack, '/api/user/userInfo', {}, player.token)
  return (data as { avatar: string }).avatar
}

test('a friend is invited by a QR code of 200 by 200 pixels, or by the link', async ({
  page,
  context,
  stack,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const player = await member(page, stack, 'generous')
  await page.goto('/shareFriend')
  const code = page.getByRole('img', { name: 'QR code of your registration link' })
  const box = await code.boundingBox()
  expect([box?.width, box?.height]).toEqual([200, 200])
  const link = `${stack.url}/register?inviter_id=${player.id}`
  await expect(page.getByText(link)).toBeVisible()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(link)
  await expect(page.getByText('Nobody yet')).toBeVisible()
  await registerVisitor(stack, 'on_his_own')
  await post(stack, '/api/user/register', {
    ...{ username: 'followed_him', password: 'qwhzxv', group_id: 2, inviter_id: player.id },
  })
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect(page.getByText('1 person')).toBeVisible()
})

test('the action centre shows three promo pictures', async ({ page, stack }) => {
  await member(page, stack, 'bargain')
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

test('the deposit page shows only the available ways', async ({ page, stack }) => {
  const player = await member(page, stack, 'depositor')
  const { data } = await post(stack, '/api/user/recharge', {}, player.token)
  const { usdt } = data as { usdt: string }
  await page.goto('/recharge?group_id=1')
  await expect(page.getByRole('heading', { name: 'Deposit', exact: true })).toBeVisible()
  await expect(page.locator('main')).toContainText(/Total assets\s*0\.00\s*u/)
  await expect(page.locator('[translate=no]').filter({ hasText: usdt })).toBeVisible()
  await expect(page.getByText('TRC20', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('Bank transfer')).toHaveCount(0)

  const bank = { bankname: 'First Bank', banknum: '00 11 22', bankxm: 'Operator', reference: 'RF1' }
  await answerWith(page, /user\/recharge/, { ...bank, usdt: undefined })
  await page.goto('/recharge?group_id=1')
  for (const words of ['Bank transfer', 'First Bank', 'Operator', '00 11 22', 'RF1']) {
    await expect(page.getByText(words, { exact: true })).toBeVisible()
  }
  await expect(page.getByText('TRC20', { exact: true })).toHaveCount(0)
})

for (const { path, chosen, call, none } of [
  {
    ...{ path: '/CapitalDetail', chosen: 'Withdrawal', call: /quantityLogList/ },
    none: 'Nothing moved on these days',
  },
  {
    ...{ path: '/BetRecord', chosen: 'Refunded', call: /orderList/ },
    none: 'No bets on these days',
  },
]) {
  test(`${path} filters by days and kind, shows when it is empty, and can be reloaded`, async ({
    page,
    stack,
  }) => {
    await member(page, stack, `no_news_${path.slice(1, 4)}`)
    const requests: Record<string, unknown>[] = []
    page.on('request', (request) => {
      if (call.test(request.url())) requests.push(request.postDataJSON() as Record<string, unknown>)
    })
    await page.goto(path)
    await expect(page.getByText(none)).toBeVisible()
    // Also for the days that the list shows at first.
    await expect.poll(() => toastsSoFar(page)).toContain('None yet')
    await expect(toastOf(page)).toHaveText('')
    const seen = toastsSoFar(page).length
    expect(requests.at(-1)?.begin_date).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(requests.at(-1)?.end_date).toBe(requests.at(-1)?.begin_date)
    expect(requests.at(-1)).toMatchObject({ lang: 'en', host: expect.any(String) })

    await labelOf(page, page.getByRole('radio', { name: chosen })).click()
    await expect.poll(() => toastsSoFar(page).slice(seen)).toContain('None yet')
    const kinds = ['type', 'status'].map((field) => requests.at(-1)?.[field])
    expect(kinds.filter((kind) => kind !== undefined)).toHaveLength(1)

    await page.getByRole('button', { name: /^Days shown/ }).click()
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByLabel('From', { exact: true })).toHaveAttribute('min', '2018-01-01')
    await drawer.getByLabel('From', { exact: true }).fill('2026-01-02')
    await drawer.getByLabel('To', { exact: true }).fill('2026-01-03')
    await drawer.getByRole('button', { name: 'Show these days' }).click()
    await expect
      .poll(() => requests.at(-1))
      .toMatchObject({ begin_date: '2026-01-02', end_date: '2026-01-03' })

    const before = requests.length
    await page.getByRole('button', { name: 'Load again' }).click()
    await expect.poll(() => requests.length).toBeGreaterThan(before)

    // Choosing the present choice again also closes the drawer.
    for (const press of [1, 2]) {
      await page.getByRole('button', { name: /^Days shown/ }).click()
      await drawer.locator('label').filter({ hasText: '7 days' }).click()
      await expect(drawer, `after press ${press}`).toBeHidden()
    }
    await expect(page.getByRole('button', { name: 'Days shown: 7 days' })).toBeVisible()
  })
}

const BET = {
  createtime: 1_767_312_000,
  name: 'BTC',
  plan_name: 'Basic',
  issue: '20260102001',
  quantity: '100.00',
  play_method: 'long',
  play_type: '[1]',
}

test('a bet in the history is pending, won or not profitable, and opens its own page', async ({
  page,
  stack,
}) => {
  await member(page, stack, 'historian')
  const drawn = { ...BET, status: 1, lottery_code: '9 8 7 24' }
  const list = [
    { ...BET, orderNo: '30', status: 0, whether_hit: 0, profit: '0.00', lottery_code: '' },
    { ...drawn, orderNo: '20', whether_hit: 1, profit: '92.00' },
    { ...drawn, orderNo: '10', whether_hit: 0, profit: '-100.00', lottery_code: '0 1 2 3' },
    { ...BET, orderNo: '05', status: 2, whether_hit: 0, profit: '0.00', lottery_code: '' },
  ]
  await page.route(/user\/orderList/, (route) =>
    route.fulfill({
      json: { code: 1, msg: '', time: '0', data: { list, total: list.length, page: 1 } },
    }),
  )
  // The server has none of these bets, and would say so with an error in the console.
  await page.route(/user\/orderInfo/, (route) =>
    route.fulfill({ json: { code: 0, msg: 'Not today', time: '0', data: { reason: 'x' } } }),
  )
  await answerWith(page, /user\/orderTotals/, {
    ...{ count: 3, quantity: '300.00', payout: '192.00', profit: '-8.00', pending: '100.00' },
  })
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
  await expect(rows.nth(1)).toContainText('+92.00')
  await expect(rows.nth(1).getByRole('img', { name: '9, 8, 7: sum 24' })).toBeVisible()
  await expect(rows.nth(2)).toContainText('Not profitable')
  await expect(rows.nth(3)).toContainText('Refunded')
  await rows.nth(1).click()
  await expect(page).toHaveURL(/\/betDetail\?item=/)
  await expect(page.getByText('Not today')).toBeVisible()
  const item = new URL(page.url()).searchParams.get('item') ?? ''
  expect(JSON.parse(item)).toEqual({ orderNo: '20' })
})

test('the statement names each kind of movement and each state', async ({ page, stack }) => {
  await member(page, stack, 'accountant')
  const moved = { createtime: 1_767_312_000, mark: '', over: '500.00' }
  const list = [
    { ...moved, id: 8, type: 0, status: 1, quantity: '1000.00' },
    { ...moved, id: 7, type: 1, status: 0, quantity: '-100.00' },
    { ...moved, id: 6, type: 1, status: 1, quantity: '-200.00' },
    { ...moved, id: 5, type: 1, status: 2, quantity: '-300.00' },
    { ...moved, id: 4, type: 2, status: 1, quantity: '-10.00' },
    { ...moved, id: 3, type: 3, status: 1, quantity: '19.123456' },
    { ...moved, id: 2, type: 4, status: 1, quantity: '5.00' },
    { ...moved, id: 1, type: 2, status: 1, quantity: '10.00', mark: 'refund' },
  ]
  await page.route(/user\/quantityLogList/, (route) =>
    route.fulfill({
      json: { code: 1, msg: '', time: '0', data: { list, total: list.length, page: 1 } },
    }),
  )
  await page.goto('/CapitalDetail')
  await expect(page.getByRole('main').getByRole('listitem')).toContainText([
    /^Deposit.*\+1,000\.00/,
    /^Withdrawal\s*Waiting.*−100\.00/,
    /^Withdrawal\s*Approved.*−200\.00/,
    /^Withdrawal\s*Rejected.*−300\.00/,
    /^Purchase.*−10\.00/,
    /^Profit.*\+19\.123456/,
    /^Bonus.*\+5\.00/,
    /^Refund.*\+10\.00/,
  ])
})
