/**
 * Goal: every route opens for members in all seven languages, and for visitors and strangers in one: the right
 * screen (for a stranger, the login in place of a protected one), in the requested language,
 * without console messages, sideways scrolling or cut-off text on the narrowest phone. Method: the
 * addresses are made from the app's own table of routes, with the query that each needs. In English
 * each is loaded as from a link; in the other languages the test navigates inside the app from each
 * to the next, as players do. A few run at a time.
 */
import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from '@playwright/test'
import { openIssueFor } from '../apps/server/testing/play-round.ts'
import { href, ROUTES, type RouteName, routeEntry } from '../apps/web/src/app/routes.ts'
import { cutOffForGood } from './cut-off-text.ts'
import {
  actAs,
  consoleOf,
  expect,
  type Language,
  LOCALE_TYPES,
  type Player,
  post,
  registerVisitor,
  richMember,
  type Stack,
  speak,
  test,
  untilLoaded,
} from './stack.ts'

const LANGUAGES = Object.keys(LOCALE_TYPES) as Language[]
const NAMES = Object.keys(ROUTES) as RouteName[]
const PAGES_AT_ONCE = 3

type World = { member: Player; visitor: Player; orderNo: string; articleId: number }

let world: World | undefined

/** A member with a bet and pay methods, a visitor, and an article. Made once. */
async function worldOf(stack: Stack): Promise<World> {
  if (world) return world
  const member = await richMember(stack, 'route_walker', 500)
  const visitor = await registerVisitor(stack, 'guest_walker')
  const articles = await fetch(`${stack.url}/api/index/articleList`)
  const { tops } = ((await articles.json()) as { data: { tops: { id: number }[] } }).data
  const orderNo = await placedBet(stack, member)
  const card = { type: 0, acc: 'Ann Lee', acc_name: '4111111111111111', acc_bank: 'First Bank' }
  const wallet = { type: 1, acc: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH', acc_name: 'USDT' }
  for (const saved of [card, wallet]) {
    expect(await post(stack, '/api/user/setPayInfo', saved, member.token)).toMatchObject({
      code: 1,
    })
  }
  world = { member, visitor, orderNo, articleId: tops[0]?.id ?? 1 }
  return world
}

/** Bets in the open round, and returns the order's number. */
async function placedBet(stack: Stack, player: Player): Promise<string> {
  const issue = await openIssueFor(stack, 10)
  const bet = { plan_id: 41, game_id: 4, issue, play_type: '[1]', money: '100' }
  const { data } = await post(stack, '/api/Lottery/playOrder', bet, player.token)
  return (data as { orderNo: string }).orderNo
}

/** The addresses that open a route. */
function addressesOf(name: RouteName, { member, orderNo, articleId }: World): string[] {
  const game = { game_id: '1', name: 'DOT' }
  switch (name) {
    case 'settings':
      return [href('settings', { type: '1' }), href('settings', { type: '2' })]
    case 'payMethods':
      return [href('payMethods', { type: '0' }), href('payMethods', { type: '1' })]
    case 'securityCode':
      return (['true', 'false'] as const).map((isTrue) => href('securityCode', { isTrue }))
    case 'profile':
      return [href('profile', { name: 'route_walker', id: String(member.id) })]
    case 'register':
      return [href('register', { inviter_id: String(member.id) })]
    case 'bet':
      return [href('bet', { item: JSON.stringify({ orderNo }) }), ROUTES.bet.path]
    case 'article':
      return [href('article', { news: JSON.stringify({ id: articleId }) })]
    case 'room':
      return [href('room', { ...game, id: '11', title: 'Basic' })]
    case 'pastRounds':
      return [href('pastRounds', game)]
    case 'trend':
      return [href('trend', game)]
    case 'fairness':
      return [href('fairness'), href('fairness', { game_id: '1' })]
    default:
      return [ROUTES[name].path]
  }
}

/** Titles, in a language, that must not appear in place of a screen. */
function stopGaps(lang: Language): string[] {
  const file = new URL(`../apps/web/src/locales/${lang}/shell.json`, import.meta.url)
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  return ['notFound.title', 'crash.title', 'error.title'].flatMap((key) => texts[key] ?? [])
}

/**
 * Navigates to an address inside the app, without a reload. With no screen open, or for the same
 * screen with another query, loads it.
 */
async function goOn(page: Page, address: string): Promise<void> {
  const here = new URL(page.url()).pathname
  if (here === 'blank' || here === new URL(address, 'http://app').pathname) {
    await page.goto(address)
    return
  }
  // The old screen stays until the next one is ready, so the test must distinguish the two.
  await page
    .locator('h1')
    .first()
    .evaluate((h1) => h1.setAttribute('data-before', ''))
  await page.evaluate(`
    history.pushState(null, '', ${JSON.stringify(address)})
    dispatchEvent(new PopStateEvent('popstate'))
  `)
  await page.locator('h1[data-before]').waitFor({ state: 'detached' })
}

type Visit = { address: string; landsOn: string; lang: Language }

/** Opens an address and returns everything that is wrong with the screen. */
async function faultsOf(page: Page, { address, landsOn, lang }: Visit): Promise<string[]> {
  const faults: string[] = []
  try {
    await (lang === 'en' ? page.goto(address) : goOn(page, address))
    await page.waitForURL(({ pathname }) => pathname.toLowerCase() === landsOn.toLowerCase())
    await page.locator('h1').first().waitFor()
    await untilLoaded(page)
    const seen = await page.locator('html').evaluate((html) => ({
      text: html.textContent,
      lang: html.lang,
      beyond: html.scrollWidth - html.clientWidth,
    }))
    faults.push(...stopGaps(lang).filter((text) => seen.text.includes(text)))
    if (!seen.lang.startsWith(lang)) faults.push(`speaks ${seen.lang}`)
    if (seen.beyond > 0) faults.push(`scrolls sideways by ${seen.beyond} px`)
    faults.push(...(await cutOffForGood(page)))
  } catch (error) {
    const where = new URL(page.url()).pathname
    faults.push(`not shown, at ${where}: ${String(error).split('\n', 1)[0]}`)
  }
  return faults.map((fault) => `${address}: ${fault}`)
}

/** Opens every route in a context; none may have a fault. */
async function expectRoutesOpen(
  context: BrowserContext,
  plan: { lang: Language; signedIn: boolean; world: World },
): Promise<void> {
  const visits = NAMES.flatMap((name) => {
    const open = plan.signedIn || routeEntry(name).access === 'open'
    const landsOn = open ? ROUTES[name].path : ROUTES.login.path
    return addressesOf(name, plan.world).map((address) => ({ address, landsOn, lang: plan.lang }))
  })
  const faults: string[] = []
  const next = visits.values()
  await Promise.all(
    Array.from({ length: PAGES_AT_ONCE }, async () => {
      const page = await context.newPage()
      const messages = consoleOf(page)
      for (const visit of next) {
        faults.push(...(await faultsOf(page, visit)))
        faults.push(...messages.splice(0).map((complaint) => `${visit.address}: ${complaint}`))
      }
      await page.close()
    }),
  )
  expect(faults.sort()).toEqual([])
}

test.use({
  viewport: { width: 320, height: 568 },
  // Otherwise each of the many contexts would store the whole app again.
  serviceWorkers: 'block',
  // Otherwise the tests would have to wait for animations.
  contextOptions: { reducedMotion: 'reduce' },
})

// A walk over all forty-four routes is one of the longest journeys.
test.beforeEach(() => test.setTimeout(120_000))

test.beforeAll(async ({ stack }) => {
  await worldOf(stack)
})

for (const lang of LANGUAGES) {
  test.describe(`every route in ${lang}`, () => {
    test('opens for a member', async ({ context, stack }) => {
      const world = await worldOf(stack)
      await actAs(context, world.member, lang)
      await expectRoutesOpen(context, { lang, signedIn: true, world })
    })
  })
}

test.describe('every route in one language', () => {
  const lang = 'vi'

  test('opens for a visitor', async ({ context, stack }) => {
    const world = await worldOf(stack)
    await actAs(context, world.visitor, lang)
    // A visitor may not see another player's order, only that page without an order.
    await expectRoutesOpen(context, { lang, signedIn: true, world: { ...world, orderNo: '' } })
  })

  test('opens for a stranger, or leads to the login', async ({ context, stack }) => {
    const world = await worldOf(stack)
    await speak(context, lang)
    await expectRoutesOpen(context, { lang, signedIn: false, world })
  })
})

test('every route is found in any letter case and with a slash at its end', async ({
  page,
  context,
  stack,
}) => {
  const { member } = await worldOf(stack)
  await actAs(context, member, 'en')
  for (const name of NAMES) {
    await page.goto(`${ROUTES[name].path.toUpperCase()}/`.replace('//', '/'))
    await page.locator('h1').first().waitFor()
    await untilLoaded(page)
    await expect(page.getByText('There is no such page'), name).toBeHidden()
    await expect(page.getByText('This page is not built yet'), name).toBeHidden()
  }
})
