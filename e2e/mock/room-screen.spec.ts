/** Goal: the parts of a room around a bet work: quick amounts, the panel, the rules of the feed, the beat. */
import type { Locator, Page } from '@playwright/test'
import { config } from '@sum28/contract/index-routes.ts'
import { heart, lobby } from '@sum28/contract/lottery-routes.ts'
import { protectionState } from '@sum28/contract/protection-routes.ts'
import { stream } from '@sum28/contract/stream.ts'
import type { ContractMock } from '../../apps/web/src/testing/contract-mock.ts'
import { CONFIG, protectionReply } from '../../apps/web/src/testing/usual-replies.ts'
import { changeLanguage, followSystem, LANGUAGES } from '../appearance.ts'
import { actAs, expect, expectToast } from '../browser.ts'
import { installClock, pass, stopClock } from '../exact-clock.ts'
import { feedEntry, GAMES, HEART, MEMBER, NOW } from '../full-replies.ts'
import { test } from '../mocked.ts'

const ADDRESS = '/betRoom?id=21&game_id=2&name=BCH&title=Basic'

async function enter(page: Page): Promise<void> {
  await actAs(page.context(), MEMBER)
  await page.goto(ADDRESS)
  await expect(page.getByRole('button', { name: 'Buy', exact: true })).toBeVisible()
  await expect(page.getByText('to seal')).toBeVisible()
}

/** Makes the room use beats only, whose answers the test may change; of its own, the app sends one every two seconds. */
function useBeats(
  mock: ContractMock,
  differing: () => Partial<typeof HEART> = () => ({}),
  { everyMs = 300 } = {},
): void {
  const data = { retry_after: 600 }
  mock.refuse(stream, { reason: 'too_many_requests', msg: 'By beats', data })
  mock.answer(config, { ...CONFIG, heartbeat_ms: everyMs })
  mock.answer(heart, () => ({ ...HEART, ...differing() }))
}

test('the time lies above its ring, also in the last seconds, when the ring is filled', async ({
  page,
  mock,
}) => {
  useBeats(mock, () => ({ issue: { ...HEART.issue, openTime1: 9 } }))
  await enter(page)
  const time = page.getByRole('timer').getByText(/^0?0:0\d$/)
  await time.first().waitFor()
  const isAbove = time.first().evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const [above] = element.ownerDocument.elementsFromPoint(left + width / 2, top + height / 2)
    return above === element
  })
  expect(await isAbove).toBe(true)
})

test('on a wide screen the placeholder of a room has the shape of the room', async ({
  page,
  mock,
}) => {
  await page.setViewportSize({ width: 1_300, height: 800 })
  let tell = () => {}
  mock.onOpen(stream, ({ send }) => {
    tell = () => {
      const { game_status, issue, last_issue, user_quantity, message } = HEART
      send('round', { game_status, issue, last_issue })
      send('money', user_quantity)
      send('feed', message)
    }
  })
  mock.hold(heart)
  await actAs(page.context(), MEMBER)
  await page.goto(ADDRESS)
  const shape = () =>
    page.evaluate(`['main > section', 'aside'].map((part) => {
      const { left, top, width, height } = document.querySelector(part).getBoundingClientRect()
      return [left, top, width, height]
    })`)
  await expect(page.locator('[aria-busy=true] > aside')).toBeVisible()
  await expect(page.getByRole('heading', { name: /BCH/ })).toBeVisible()
  const before = await shape()
  tell()
  await expect(page.getByText('to seal')).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  expect(await shape()).toEqual(before)
})

test('the panel has both grids with odds, the quick amounts, and three fifths of the height', async ({
  page,
}) => {
  await enter(page)
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  const panel = page.getByRole('dialog')
  await expect(panel.getByRole('button', { name: /^Long [\d.]+$/ })).toBeVisible()
  const named = panel.getByRole('group', { name: 'Regular play' }).getByRole('button')
  await expect(named).toHaveText([
    /^Long\s*1\.92/,
    /^Short\s*1\.92/,
    /^Odd\s*1\.92/,
    /^Even\s*1\.92/,
    /^Long-odd\s*4\.155/,
    /^Long-even\s*3\.568/,
    /^Short-odd\s*3\.568/,
    /^Short-even\s*4\.155/,
  ])
  await expect(panel.getByRole('button', { name: /^\d+ [\d.]+$/ })).toHaveCount(28)
  await expect(panel.getByRole('tab', { name: 'Regular play' })).toBeVisible()
  const quick = await panel.getByRole('button', { name: /^\+\d+ Add/ }).allTextContents()
  expect(quick).toEqual(['+5', '+10', '+50', '+300', '+500'])
  await expect(panel.getByRole('button', { name: 'All in' })).toBeVisible()
  await expect(panel.getByLabel('Amount on each outcome')).toHaveAttribute('inputmode', 'decimal')
  await expect
    .poll(async () => Math.round((100 * ((await panel.boundingBox())?.height ?? 0)) / 844))
    .toBe(60)
})

test('with a limit too, the panel shows all outcomes and sums in every language, and no text touches their boxes', async ({
  page,
  mock,
}) => {
  const left = { own: '200000.00', amount: '200000.00', by: 'player', left: '123456.78' } as const
  mock.answer(
    protectionState,
    protectionReply({ limits: [{ kind: 'loss', period: 'month', ...left }] }),
  )
  await actAs(page.context(), MEMBER)
  await followSystem(page.context())
  await page.goto(ADDRESS)
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  const panel = page.getByRole('dialog')
  await expect(panel.getByText('Monthly loss limit: 123,456.78')).toBeVisible()
  for (const lang of LANGUAGES) {
    await changeLanguage(page, lang)
    expect(await hiddenOrTouching(panel), lang).toEqual([])
  }
})

/** The outcomes of a panel that its foot hides, and those with a text that comes within a pixel of their sides. */
function hiddenOrTouching(panel: Locator): Promise<string[]> {
  return panel.evaluate((root) => {
    const footTop = root.lastElementChild?.getBoundingClientRect().top ?? 0
    const texts = root.ownerDocument.createRange()
    return [...root.querySelectorAll('[aria-pressed]')].flatMap((pick) => {
      const box = pick.getBoundingClientRect()
      const touches = [...pick.querySelectorAll('span')].some((span) => {
        texts.selectNodeContents(span)
        const { left, right, top, bottom } = texts.getBoundingClientRect()
        return left < box.left + 1 || right > box.right - 1 || top < box.top || bottom > box.bottom
      })
      if (touches) return [`${pick.textContent} touches its box`]
      return box.bottom > footTop
        ? [`${pick.textContent} ends ${box.bottom - footTop} px too low`]
        : []
    })
  })
}

for (const height of [170, 256]) {
  test(`at 400% of a small screen, of 320 × ${height} pixels, an outcome is chosen and bought with what is seen`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 320, height })
    await enter(page)
    await page.getByRole('button', { name: 'Buy', exact: true }).press('Enter')
    const panel = page.getByRole('dialog')
    await expect(panel).toBeFocused()
    const buy = panel.getByRole('button', { name: /^Buy 1 for/ })
    for (const [part, key] of [
      [panel.getByRole('button', { name: /^Long [\d.]+$/ }), 'Space'],
      [panel.getByRole('button', { name: /^27 [\d.]+$/ }), 'Space'],
      [panel.getByRole('button', { name: /^27 [\d.]+$/ }), 'Space'],
      [panel.getByLabel('Amount on each outcome'), 'Tab'],
      [panel.getByRole('button', { name: '+300 Add to the amount' }), 'Space'],
      [buy, 'Enter'],
    ] as const) {
      await part.focus()
      await expect(part).toBeInViewport({ ratio: 1 })
      await page.keyboard.press(key)
    }
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(height)
    await expectToast(page, /^Bet placed/)
  })
}

test('the panel keeps the focus, makes the room inert, and can be closed in four ways', async ({
  page,
}) => {
  await enter(page)
  const buy = page.getByRole('button', { name: 'Buy', exact: true })
  const panel = page.getByRole('dialog')
  const more = page.locator('button[aria-label="More"]')
  const outOfReach = () =>
    more.evaluate((button) => button.closest('[inert], [aria-hidden="true"]') !== null)
  const panelTakesFocus = () =>
    page.evaluate(`
      [...document.querySelectorAll('[role=dialog] button, [role=dialog] input')].some((each) => {
        each.focus()
        return document.activeElement === each
      })`)
  async function open() {
    await buy.click()
    await expect(panel).toBeFocused()
    await expect(panel).toHaveAccessibleName(/^Round \d{11,}$/)
    await expect.poll(outOfReach).toBe(true)
    // It has slid in.
    await page.evaluate(`Promise.all(
      document.querySelector('[role=dialog]').getAnimations().map(({ finished }) => finished),
    ).then(() => {})`)
  }
  async function expectClosed() {
    await expect(panel).toBeHidden()
    await expect(buy).toBeFocused()
    expect(await outOfReach()).toBe(false)
    expect(await panelTakesFocus()).toBe(false)
  }

  await expect(page.locator('[role=dialog]')).toBeAttached()
  expect(await panelTakesFocus()).toBe(false)
  await open()
  await page.keyboard.press('Tab')
  await expect(panel.getByRole('button', { name: 'Close' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expectClosed()

  await open()
  await panel.getByRole('button', { name: 'Close' }).click()
  await expectClosed()

  await open()
  await page.mouse.click(195, 40)
  await expectClosed()

  await open()
  const box = await panel.boundingBox()
  const session = await page.context().newCDPSession(page)
  const at = (y: number) => ({ touchPoints: [{ x: 150, y: (box?.y ?? 0) + y }] })
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(20) })
  // Well beyond the half from which it closes, however late the first move is noticed.
  for (let y = 30; y <= 450; y += 30) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(y) })
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await expectClosed()

  // The choice is kept.
  await open()
  await panel.getByRole('button', { name: /^Long [\d.]+$/ }).click()
  await page.keyboard.press('Escape')
  await expectClosed()
  await open()
  await expect(panel.getByRole('button', { name: /^Long [\d.]+$/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  expect(await panelTakesFocus()).toBe(true)
})

test('the first stop of the keyboard leads to Buy, on a wide screen into the panel beside the feed', async ({
  page,
}) => {
  await enter(page)
  const skip = page.getByRole('button', { name: 'Skip to Buy' })
  const buy = page.getByRole('button', { name: 'Buy', exact: true })
  await page.locator('h1').focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(skip).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(buy).toBeFocused()

  await page.setViewportSize({ width: 1000, height: 800 })
  await expect(buy).toBeHidden()
  const panel = page.getByRole('complementary')
  const long = panel.getByRole('button', { name: /^Long [\d.]+$/ })
  await skip.focus()
  await page.keyboard.press('Enter')
  await expect(long).toBeFocused()
  await long.press('Enter')
  await panel.getByRole('button', { name: '+300 Add to the amount', exact: true }).click()
  await panel.getByRole('button', { name: /^Buy 1 for 300/ }).click()
  await expectToast(page, /^Bet placed/)
  const [feed, beside] = await Promise.all(
    [page.getByRole('region', { name: 'Bets in this room' }), panel].map((part) =>
      part.boundingBox(),
    ),
  )
  expect((feed?.x ?? 0) + (feed?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0)
})

test('the choice of the feed has a text of 16 px, or iOS zooms into it, and is as wide as its column', async ({
  page,
}) => {
  await enter(page)
  const choice = page.getByRole('combobox', { name: 'Whose bets are shown' })
  await expect(choice).toHaveCSS('font-size', '16px')
  expect((await choice.boundingBox())?.width).toBeCloseTo(64, 1)
})

test('the feed follows new bets until the player scrolls away, and hides Chinese names', async ({
  page,
  mock,
}) => {
  let count = 30
  useBeats(mock, () => ({
    message: Array.from({ length: count }, (_, at) =>
      feedEntry(1_000_000 + at, {
        nickname: at === 3 ? '王***ee' : `an***${at}`,
        robot: at === 5,
      }),
    ),
  }))
  await enter(page)
  const rows = page.getByRole('row').filter({ hasText: 'an***' })
  await expect(rows).toHaveCount(29)
  await expect(page.getByText('王***ee')).toHaveCount(0)
  for (const heading of [/^Player\s*, Round$/, /^Play$/, /^Total$/, /^Action$/]) {
    await expect(page.getByRole('columnheader', { name: heading })).toHaveCount(1)
  }
  await expect(page.getByRole('row').filter({ hasText: 'robot' })).toHaveCount(1)
  await expect(rows.filter({ hasText: 'robot' })).toContainText('an***5')
  await expect(rows.last()).toBeInViewport()
  await expect(rows.last().getByRole('button', { name: /^Follow/ })).toBeVisible()
  count = 31
  await expect(rows).toHaveCount(30)
  await expect(rows.last()).toBeInViewport()

  await rows.first().scrollIntoViewIfNeeded()
  await expect(page.getByRole('button', { name: 'Newest' })).toBeVisible()
  count = 32
  await expect(rows).toHaveCount(31)
  await expect(rows.last()).not.toBeInViewport()
  await page.getByRole('button', { name: /new bet/ }).click()
  await expect(rows.last()).toBeInViewport()
})

for (const [width, height] of [
  [390, 844],
  [320, 568],
] as const) {
  test(`a planned stop of betting covers no bet on a screen of ${width} × ${height}`, async ({
    page,
    mock,
  }) => {
    await page.setViewportSize({ width, height })
    useBeats(mock, () => ({
      message: Array.from({ length: 9 }, (_, at) => feedEntry(1_000_000 + at)),
    }))
    const text = 'The servers get new disks.'
    const pause = { plan_id: null, begins_at: NOW + 3_600, ends_at: NOW + 7_200, text }
    mock.answer(lobby, { gameList: GAMES.map((game) => ({ ...game, pauses: [pause] })) })
    await enter(page)
    await expect(page.getByText(text)).toBeInViewport({ ratio: 1 })
    const follow = page.getByRole('button', { name: 'Follow an***1000008' })
    const isOnTop = follow.evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      return button.ownerDocument.elementFromPoint(x, y) === button
    })
    expect(await isOnTop).toBe(true)
  })
}

test('a feed that began empty stays at its newest bet under banners, unfolded draws and a lost connection', async ({
  page,
  mock,
}) => {
  let count = 0
  useBeats(mock, () => ({
    message: Array.from({ length: count }, (_, at) => feedEntry(1_000_000 + at)),
  }))
  await enter(page)
  await expect(page.getByText('No bets here yet')).toBeVisible()
  const rows = page.getByRole('row').filter({ hasText: 'an***' })
  const expectEnd = async (shown: number) => {
    count = shown
    await expect(rows).toHaveCount(shown)
    const list = page.getByRole('table').locator('..')
    const belowPx = () =>
      list.evaluate((each) => each.scrollHeight - each.scrollTop - each.clientHeight)
    await expect.poll(belowPx).toBeLessThan(2)
    await expect(page.getByRole('button', { name: 'Newest' })).toHaveCount(0)
  }
  await expectEnd(30)
  const setOnline = (isOnline: boolean) =>
    page.evaluate(`
      Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => ${isOnline} })
      dispatchEvent(new Event('${isOnline ? 'online' : 'offline'}'))`)
  await setOnline(false)
  await expect(page.getByText(/offline/i).first()).toBeVisible()
  await expectEnd(30)
  await page.getByRole('button', { name: 'Earlier draws' }).click()
  await expectEnd(90)
  await setOnline(true)
  await expect(page.getByText(/offline/i)).toHaveCount(0)
  await expectEnd(140)
})

test('a room without a stream sends a beat every two seconds, and polls the balance as often', async ({
  page,
  mock,
}) => {
  await installClock(page)
  useBeats(mock, undefined, { everyMs: 2_000 })
  // Counted where the page sends them. What is open is a request, or an answer that is being read.
  await page.addInitScript(`
    window.calls = { beats: 0, profiles: 0, open: 0 }
    const opened = (work) => {
      window.calls.open += 1
      return work.finally(() => { window.calls.open -= 1 })
    }
    for (const read of ['arrayBuffer', 'json']) {
      const plain = Response.prototype[read]
      Response.prototype[read] = function () { return opened(plain.call(this)) }
    }
    const send = window.fetch
    window.fetch = (...request) => {
      const url = String(request[0]?.url ?? request[0])
      if (url.endsWith('/Lottery/heart')) window.calls.beats += 1
      if (url.endsWith('/user/userInfo')) window.calls.profiles += 1
      return opened(send(...request))
    }`)
  await enter(page)
  const calls = () => page.evaluate<Calls>('({ ...window.calls })')
  const answered = () => expect.poll(async () => (await calls()).open).toBe(0)
  await answered()
  await stopClock(page)
  await answered()
  for (let at = 1; at <= 5; at += 1) {
    const { beats, profiles } = await calls()
    await pass(page, 2_000)
    expect(await calls()).toMatchObject({ beats: beats + 1, profiles: profiles + 1 })
    await answered()
  }
})

type Calls = { beats: number; profiles: number; open: number }

test('an amount is composed by an input method, which nothing interrupts, and is read in its digits', async ({
  page,
}) => {
  await enter(page)
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: /^Long [\d.]+$/ }).click()
  const amount = panel.getByLabel('Amount on each outcome')
  await amount.focus()
  const devTools = await page.context().newCDPSession(page)
  for (const text of ['１', '１２', '１２０']) {
    const end = { selectionStart: text.length, selectionEnd: text.length }
    await devTools.send('Input.imeSetComposition', { text, ...end })
    await expect(amount).toHaveValue(text)
  }
  await expect(panel.getByRole('button', { name: /^Buy 1 for 120\.00\su/ })).toBeVisible()
  await devTools.send('Input.insertText', { text: '１２０' })
  await expect(amount).toHaveValue('120')
  await expect(panel.getByRole('button', { name: /^Buy 1 for 120\.00\su/ })).toBeVisible()
})
