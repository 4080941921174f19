/**
 * Goal: the app can be installed on the home screen, opens without a network, announces a new build
 * and reloads only on request. Its worker never stores or answers a money call, or any other call of
 * the API. Method: the real build behind a proxy that the test closes, and that can
 * serve another build.
 */
import type { Page } from '@playwright/test'
import { changeLanguage, followSystem, OTHERS_THEN_ENGLISH } from '../appearance.ts'
import { actAs, expect, PASSWORD, speak } from '../browser.ts'
import { type Front, openFront } from '../front.ts'
import { MEMBER } from '../full-replies.ts'
import { test as mocked } from '../mocked.ts'

/** Paths that the worker must leave alone. */
const NOT_THE_WORKERS =
  /^\/(api|dev|uploads|tron|beacon|docs|openapi\.json|console|metrics|healthz|readyz)(\/|$)/

const test = mocked.extend<{ front: Front }>({
  front: async ({ url }, use) => {
    const front = await openFront(url)
    await use(front)
    await front.shut()
  },
  baseURL: async ({ front }, use) => use(front.url),
})

/** Has the page install its worker now, and not some seconds later; waits until it has stored the app and serves it. */
async function workerReady(page: Page): Promise<void> {
  await page.evaluate("navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })")
  await expect
    .poll(() => page.evaluate('navigator.serviceWorker.controller?.state'))
    .toBe('activated')
}

/**
 * Presses "Reload" until a page is of another build. If the network is slow, the worker answers once more from its
 * store, and the announcement comes again.
 */
async function reloadUntil(page: Page, isDone: () => Promise<boolean>): Promise<void> {
  await expect(async () => {
    const reload = page.getByRole('button', { name: 'Reload', exact: true })
    if (await reload.isVisible()) await reload.click({ timeout: 5_000 })
    await expect.poll(isDone, { timeout: 20_000 }).toBe(true)
  }).toPass()
}

/** Waits until the worker has stored the other build and has taken over. */
async function nextWorkerReady(page: Page): Promise<void> {
  const settled = `navigator.serviceWorker.getRegistration().then((registration) =>
    registration?.active?.state === 'activated' && !registration.installing && !registration.waiting)`
  await expect
    .poll(async () => ({
      settled: await page.evaluate(settled),
      builds: Object.keys(await cached(page)).length,
    }))
    .toEqual({ settled: true, builds: 2 })
}

/** Addresses in each of the page's caches. */
function cached(page: Page): Promise<Record<string, string[]>> {
  return page.evaluate(`(async () => {
    const paths = {}
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys()
      paths[name] = requests.map(({ url }) => new URL(url).pathname + new URL(url).search)
    }
    return paths
  })()`)
}

/** A page without a network may report that in its console, and nothing else. */
function forgiveNetworkErrors(console: string[]): void {
  const others = console.filter((message) => !/net::ERR_/.test(message))
  console.splice(0, console.length, ...others)
}

test.describe('with its worker, which all other tests are without', () => {
  test.use({ serviceWorkers: 'allow' })

  test('can be installed', async ({ page, context }) => {
    await page.goto('/')
    const browser = await context.newCDPSession(page)
    const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors')
    // Every context of a test is a private window, which cannot install apps.
    const errors = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')
    expect(errors).toEqual([])

    const manifest = await browser.send('Page.getAppManifest')
    expect(manifest.errors).toEqual([])
    const { name, start_url, display, icons } = JSON.parse(manifest.data ?? '') as {
      [member: string]: unknown
      icons: { src: string; sizes: string; type: string; purpose?: string }[]
    }
    expect({ name, start_url, display }).toEqual({
      name: 'Sum28',
      start_url: '/',
      display: 'standalone',
    })
    for (const { src, sizes, type } of icons.filter(({ sizes }) => sizes !== 'any')) {
      const reply = await page.request.get(src)
      expect(reply.headers()['content-type'], src).toBe(type)
      // Bytes 16 to 23 of a PNG are its width and height.
      const bytes = await reply.body()
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, src).toBe(sizes)
    }
    const purposes = icons.map(({ sizes, purpose = 'any' }) => `${sizes} ${purpose}`)
    expect(purposes).toEqual(
      expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']),
    )
  })

  test('stores the build and no answer of the server, opens without a network, and says so in the player’s language', async ({
    page,
    context,
    front,
    console,
  }) => {
    const answeredByWorker: string[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (response.fromServiceWorker() && NOT_THE_WORKERS.test(pathname)) {
        answeredByWorker.push(pathname)
      }
    })

    await test.step('while a player logs in and looks at his money', async () => {
      await page.goto('/login')
      await workerReady(page)
      await page.getByLabel('Username or email').fill('ann')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
      await expect(page).toHaveURL(`${front.url}/`)
      for (const path of [
        '/personal',
        '/recharge?group_id=1',
        '/withdraw?group_id=1',
        '/BetRecord',
      ]) {
        const answered = page.waitForResponse(/\/api\//)
        await page.goto(path)
        await answered
        await expect(page.getByRole('heading').first()).toBeVisible()
      }
      expect(answeredByWorker).toEqual([])
    })

    await test.step('the caches hold only files of the build', async () => {
      const caches = await cached(page)
      expect(Object.keys(caches)).toHaveLength(1)
      const paths = Object.values(caches).flat()
      expect(paths).toContain('/index.html')
      expect(paths.filter((path) => NOT_THE_WORKERS.test(path))).toEqual([])
      const strangers = paths.filter(
        (path) => !/^\/((assets|banners|promos|avatars)\/[\w.-]+|[\w-]+\.[a-z]+)$/.test(path),
      )
      expect(strangers).toEqual([])
    })

    await test.step('without a network none of those paths is answered', async () => {
      await front.shut()
      const answers = (await page.evaluate(`Promise.all(
        ['/api/index/config', '/api/index/index', '/dev/mail', '/uploads/a.webp', '/tron/wallet/getnowblock',
         '/beacon/info', '/docs', '/openapi.json', '/console', '/metrics', '/healthz']
          .map((path) => fetch(path).then(({ status }) => path + ' ' + status, () => 'none')))`)) as string[]
      expect(answers.filter((answer) => answer !== 'none')).toEqual([])
      await expect(page.goto('/console')).rejects.toThrow(/ERR_CONNECTION_REFUSED/)
    })

    await test.step('a screen never opened before, with texts never loaded, opens and says so', async () => {
      const bar = page.getByText('Bạn đang ngoại tuyến.')
      const unreachable = page.getByText('Không kết nối được với máy chủ.')
      await speak(context, 'vi')
      await context.setOffline(true)
      for (const path of ['/CapitalDetail', '/lottery', '/']) {
        await page.goto(path)
        await expect(page.locator('html')).toHaveAttribute('lang', 'vi')
        await expect(bar).toBeVisible()
        await expect(unreachable.first()).toBeVisible()
      }

      await front.open()
      await context.setOffline(false)
      await expect(bar).toBeHidden()
      // The games and, twice a minute, the rest are also fetched again without a press: then no button is left.
      await expect(async () => {
        const retry = page.getByRole('button', { name: 'Thử lại' }).first()
        if (await retry.isVisible()) await retry.click({ timeout: 5_000 })
        await expect(unreachable).toHaveCount(0, { timeout: 10_000 })
      }).toPass()
    })
    forgiveNetworkErrors(console)
  })

  test('announces a new build, and loads it only on request', async ({
    page,
    context,
    front,
    console,
  }) => {
    await actAs(context, MEMBER)
    const news = page.getByText('A new version of the app is ready')
    const entry = () => page.locator('script[src*="/index-"]').getAttribute('src')
    await page.clock.install()
    await page.goto('/')
    await workerReady(page)
    const first = await entry()
    // A mark on the page: it disappears on any reload.
    await page.evaluate('window.stillTheSame = true')
    await page.clock.fastForward(5_000)
    await page.evaluate("window.dispatchEvent(new Event('focus'))")
    await expect(news).toBeHidden()

    await test.step('nothing changes in a room where the player bets', async () => {
      await page.getByRole('link', { name: 'Play', exact: true }).click()
      await page.evaluate(`history.pushState(null, '', '/betRoom?id=41&game_id=4&name=BTC&title=Basic');
        window.dispatchEvent(new PopStateEvent('popstate'))`)
      await expect(page.getByRole('button', { name: 'Buy', exact: true })).toBeVisible()
      front.serveBuild('second')
      front.forgetFirstBuild()
      await page.clock.fastForward(5_000)
      const reply = page.waitForResponse((response) => new URL(response.url()).pathname === '/')
      await page.evaluate("window.dispatchEvent(new Event('focus'))")
      await reply
      await expect(page.getByRole('button', { name: 'Buy', exact: true })).toBeVisible()
      await expect(news).toBeHidden()
    })

    await test.step('the announcement waits for a screen with the tab bar', async () => {
      await page.evaluate('history.back()')
      await expect(news).toBeVisible()
      expect(await page.evaluate('window.stillTheSame')).toBe(true)
      expect(await entry()).toBe(first)
    })

    await test.step('the previous build goes on with files that the server no longer has', async () => {
      await page.getByRole('link', { name: 'News', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'News' })).toBeVisible()
      expect(await page.evaluate('window.stillTheSame')).toBe(true)
    })

    await test.step('a press loads the new build, and the announcement is gone', async () => {
      await reloadUntil(page, async () => (await entry()) !== first)
      await expect(page.getByRole('heading').first()).toBeVisible()
      await expect(news).toBeHidden()
    })

    await test.step('the new build is stored, and opens without a network', async () => {
      const second = (await entry()) ?? ''
      await nextWorkerReady(page)
      expect(Object.values(await cached(page)).flat()).toContain(second)
      await front.shut()
      await page.goto('/lottery')
      await expect(page.getByText('The server cannot be reached.').first()).toBeVisible()
      expect(await entry()).toBe(second)
    })
    // An open page would report the next failures too.
    await page.close()
    forgiveNetworkErrors(console)
  })

  test.describe('which has stored the first page', () => {
    test.use({ workerStores: 'the first page' })

    test('opens from its store while the server is down, and detects a new build at the start', async ({
      page,
      context,
      front,
    }) => {
      await speak(context, 'en')
      await page.goto('/')
      await workerReady(page)
      const entry = () => page.locator('script[src*="/index-"]').getAttribute('src')
      const first = await entry()
      front.serveBuild('second')
      // Too many requests come from the address that he shares; then the server is down.
      for (const status of [429, 503]) {
        front.breakPages(status)
        await page.goto('/')
        expect(await entry()).toBe(first)
      }
      await expect(page.getByText('A new version of the app is ready')).toBeVisible()

      front.breakPages(null)
      await reloadUntil(page, async () => (await entry()) !== first)
    })
  })
})

test('checks for a new build every fifteen minutes, and the notice fits the narrowest phone in every language and can be dismissed', async ({
  page,
  context,
  front,
}) => {
  await page.setViewportSize({ width: 320, height: 568 })
  await page.clock.install()
  await speak(context, 'en')
  await followSystem(context)
  // The first look for a new build is at the start.
  const looked = page.waitForResponse(
    (response) =>
      new URL(response.url()).pathname === '/' && response.request().resourceType() === 'fetch',
  )
  await page.goto('/')
  await expect(page.getByRole('heading').first()).toBeVisible()
  await looked
  front.serveBuild('second')
  await page.clock.fastForward('14:00')
  const news = page.getByRole('status').filter({ has: page.locator('button') })
  await expect(news).toBeHidden()
  await page.clock.fastForward('01:05')
  await expect(news).toContainText('A new version of the app is ready')
  const later = news.getByRole('button', { name: 'Later' })
  await expect(later).toBeVisible()
  for (const lang of OTHERS_THEN_ENGLISH) {
    await changeLanguage(page, lang)
    await expect(news).toBeVisible()
    const tooWide = await page
      .locator('html')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect.soft(tooWide, lang).toBeLessThanOrEqual(0)
  }
  await later.click()
  await expect(news).toBeHidden()
})
