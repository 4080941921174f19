/** How a page looks in each language, in light and dark, and what axe finds there. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from '@playwright/test'
import { href, ROUTES, type RouteName } from '../apps/web/src/navigation/routes.ts'
import {
  expect,
  type Language,
  LOCALE_TYPES,
  NOTHING_LOADS,
  untilLoaded,
  untilTrue,
} from './browser.ts'
import { CUT_OFF_FOR_GOOD } from './cut-off-text.ts'

export const LANGUAGES = Object.keys(LOCALE_TYPES) as Language[]

/** What goes on afterwards finds its words in English. */
export const OTHERS_THEN_ENGLISH = [...LANGUAGES.filter((lang) => lang !== 'en'), 'en'] as const

export const ROUTE_NAMES = Object.keys(ROUTES) as RouteName[]

/** The addresses that open a route, in a game that all replies of the mock have. */
export function addressesOf(name: RouteName): string[] {
  const game = { game_id: '2', name: 'BCH' }
  switch (name) {
    case 'settings':
      return [href('settings', { type: '1' }), href('settings', { type: '2' })]
    case 'payMethods':
      return [href('payMethods', { type: '0' }), href('payMethods', { type: '1' })]
    case 'securityCode':
      return (['true', 'false'] as const).map((isTrue) => href('securityCode', { isTrue }))
    case 'profile':
      return [href('profile', { name: 'route_walker', id: '7' })]
    case 'register':
      return [href('register', { inviter_id: '7' })]
    case 'bet':
      return [href('bet', { item: JSON.stringify({ orderNo: 'B1' }) }), ROUTES.bet.path]
    case 'article':
      return [href('article', { news: JSON.stringify({ id: 1 }) })]
    case 'room':
      return [href('room', { ...game, id: '21', title: 'Basic' })]
    case 'watch':
      return [href('watch', { id: '21', game_id: '2' })]
    case 'pastRounds':
      return [href('pastRounds', game)]
    case 'trend':
      return [href('trend', game)]
    case 'fairness':
      return [href('fairness'), href('fairness', { game_id: '2' })]
    default:
      return [ROUTES[name].path]
  }
}

/** Makes the app follow the system's language, so that it can change while a page is open. */
export async function followSystem(context: BrowserContext): Promise<void> {
  await context.addInitScript(`
    localStorage.setItem('localetype', '0')
    window.systemLanguage = 'en'
    Object.defineProperty(navigator, 'languages', { get: () => [window.systemLanguage] })`)
}

/** Changes the system's language while a page is open, and waits until all is loaded. */
export async function changeLanguage(page: Page, lang: Language): Promise<void> {
  await switchLanguage(page, lang)
  await untilLoaded(page)
}

/** Changes the system's language while a page is open. */
export async function switchLanguage(page: Page, lang: Language): Promise<void> {
  await page.evaluate(`
    window.systemLanguage = '${lang}'
    window.dispatchEvent(new Event('languagechange'))`)
  await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${lang}`))
}

/** Goes to an address inside the app, without loading it again; for the same screen with another query, loads it. */
export async function goOn(page: Page, address: string): Promise<void> {
  if (new URL(page.url()).pathname === new URL(address, 'http://app').pathname) {
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

/** What a page shows in a language. */
export type SeenIn = {
  lang: Language
  /** The language that the page says it speaks. */
  spoken: string
  text: string
  /** How far it scrolls sideways. */
  beyondPx: number
  /** Lines of its title beside a chip of the days; 0 if it has no such chip. */
  titleLines: number
  cutOff: string[]
}

/** Changes the system's language while a page is open, to one after the other, and looks at the page in each. */
export function seenInEach(page: Page, languages: readonly Language[]): Promise<SeenIn[]> {
  return page.evaluate<SeenIn[]>(`(async () => {
    const seen = []
    for (const lang of ${JSON.stringify(languages)}) {
      window.systemLanguage = lang
      dispatchEvent(new Event('languagechange'))
      await ${untilTrue(`document.documentElement.lang.startsWith(lang) && ${NOTHING_LOADS}`)}
      seen.push({ lang, ...(await ${WHAT_IS_SEEN}) })
    }
    return seen
  })()`)
}

/** A program for a page, whose value is what it shows now. */
export const WHAT_IS_SEEN = `${CUT_OFF_FOR_GOOD}.then((cutOff) => {
  const { lang: spoken, textContent: text, scrollWidth, clientWidth } = document.documentElement
  const titles = document.querySelector('header [aria-haspopup=dialog]') ? document.querySelectorAll('h1') : []
  const titleLines = Math.max(0, ...[...titles].map((title) =>
    Math.round(title.getBoundingClientRect().height / parseFloat(getComputedStyle(title).lineHeight))))
  return { spoken, text, beyondPx: scrollWidth - clientWidth, titleLines, cutOff }
})`

/** As it is in a page; each document compiles it again, and this is the small one. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * What axe finds on the page, in light and dark: each as its rule and the places.
 *
 * @param besides `never`: what is not looked at; `once`: what is the same until the page is loaded again, and is looked
 *   at the first time alone
 */
export async function axeOf(
  page: Page,
  besides: { never?: string; once?: string } = {},
): Promise<string[]> {
  const faults: string[] = []
  const isFirst = await page.evaluate<boolean>('!window.axe')
  if (isFirst) await page.evaluate(`${AXE};${STILL}`)
  const exclude = [besides.never, isFirst ? undefined : besides.once].filter(Boolean)
  for (const colorScheme of ['light', 'dark'] as const) {
    if (colorScheme === 'dark') await page.emulateMedia({ colorScheme })
    // What a page consists of is the same in the dark.
    const rules = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {}
    const places = await page.evaluate<string[]>(`
      axe.run(${JSON.stringify({ exclude })}, ${JSON.stringify({ ...OPTIONS, ...rules })}).then(({ violations }) =>
        violations.map(({ id, nodes }) =>
          id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`)
    faults.push(
      ...places.map((place) => `${new URL(page.url()).pathname}, ${colorScheme}: ${place}`),
    )
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return faults
}

/** Colours change at once with the scheme, and not from parent to child, one a frame. */
const STILL = `{
  const still = new CSSStyleSheet()
  still.replaceSync('* { transition: none !important }')
  document.adoptedStyleSheets.push(still)
}`

/** No rule that runs reads the style sheets, which axe would copy. */
const OPTIONS = { resultTypes: ['violations'], iframes: false, preload: { assets: ['media'] } }
