/**
 * Goal: every screen opens for members, every open route for strangers, and what a visitor sees in place of a member's
 * screen: in each language, in light and dark and in large text, without console messages, findings of axe, sideways
 * scrolling or cut-off text on the narrowest phone; visitors and strangers in Vietnamese alone. Method: the addresses
 * are made from the app's own table of routes, with the query that each needs. All navigate inside the app from each to
 * the next, and for members the language is changed while it is open.
 */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { ROUTES, type RouteName, routeEntry } from '../../apps/web/src/navigation/routes.ts'
import { PROFILE } from '../../apps/web/src/testing/usual-replies.ts'
import {
  addressesOf,
  axeOf,
  followSystem,
  goOn,
  LANGUAGES,
  ROUTE_NAMES,
  type SeenIn,
  seenInEach,
  WHAT_IS_SEEN,
} from '../appearance.ts'
import { actAs, expect, type Language, speak, untilLoaded } from '../browser.ts'
import { MEMBER, VISITOR } from '../full-replies.ts'
import { test } from '../mocked.ts'

/** Other sizes are looked at in these alone: their words are long. */
const LONG_WORDED_LAST = [
  ...LANGUAGES.filter((lang) => lang !== 'id' && lang !== 'vi'),
  ...(['id', 'vi'] as const),
]

/** A member's second route to a screen that has another route. */
const SECOND_ROUTES: readonly RouteName[] = ['memberRules', 'rooms']

const SCREENS = ROUTE_NAMES.filter((name) => !SECOND_ROUTES.includes(name))

/** Screens that one test opens in every language. */
const SCREENS_A_TEST = 2

/** Titles, in a language, that must not appear in place of a screen. */
function stopGaps(lang: Language): string[] {
  const texts = ['shell', 'screens'].map((area) => {
    const file = new URL(`../../apps/web/src/locales/${lang}/${area}.json`, import.meta.url)
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  })
  return ['notFound.title', 'crash.title', 'error.title'].flatMap((key) =>
    texts.flatMap((each) => each[key] ?? []),
  )
}

/** Everything that is wrong with how a screen looks in a language. */
function faultsOf(page: Page, seen: SeenIn): string[] {
  const { lang, spoken, text, beyondPx, titleLines, cutOff } = seen
  return [
    ...stopGaps(lang).filter((stopGap) => text.includes(stopGap)),
    ...(spoken.startsWith(lang) ? [] : [`speaks ${spoken}`]),
    ...(beyondPx > 0 ? [`scrolls sideways by ${beyondPx} px`] : []),
    ...(titleLines > 1 ? [`has a title of ${titleLines} lines beside the chip of the days`] : []),
    ...cutOff,
  ].map((fault) => `${new URL(page.url()).pathname}, ${lang}: ${fault}`)
}

/** Everything that is wrong with how the open screen looks in the language that it has. */
async function faultsNow(page: Page, lang: Language): Promise<string[]> {
  return faultsOf(page, { lang, ...(await page.evaluate<Omit<SeenIn, 'lang'>>(WHAT_IS_SEEN)) })
}

/** The addresses of routes: of one route never two in succession, or the app would be loaded again between them. */
function addressesOfAll(names: readonly RouteName[]): string[] {
  const ofEach = names.map(addressesOf)
  return [
    ...ofEach.flatMap((addresses) => addresses.slice(1)),
    ...ofEach.map(([first = '']) => first),
  ]
}

const NARROW = { width: 320, height: 568 }

const PHONE = { width: 390, height: 844 }

/** What is wrong on the widths that most phones have, and that lie between those of a layout. */
async function faultsOnMostPhones(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const [width, lang] of [
    [375, 'vi'],
    [360, 'id'],
  ] as const) {
    await page.setViewportSize({ width, height: 740 })
    for (const seen of await seenInEach(page, [lang])) faults.push(...faultsOf(page, seen))
  }
  await page.setViewportSize(NARROW)
  return faults.map((fault) => `on most phones: ${fault}`)
}

/** What is wrong with text of twice the size on a phone; a field's label says what its hint says, and titles and words may wrap. */
async function faultsAtDouble(page: Page, lang: Language): Promise<string[]> {
  await page.setViewportSize(PHONE)
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  const faults = await faultsNow(page, lang)
  await page.evaluate(`document.documentElement.style.fontSize = ''`)
  await page.setViewportSize(NARROW)
  return faults
    .filter(
      (fault) =>
        !/px too long for its field|lines beside the chip of the days|on two lines/.test(fault),
    )
    .map((fault) => `at 200%: ${fault}`)
}

test.use({ viewport: NARROW })

for (let from = 0; from < SCREENS.length; from += SCREENS_A_TEST) {
  const names = SCREENS.slice(from, from + SCREENS_A_TEST)
  test(`in every language, opens for a member: ${names.join(', ')}`, async ({ page, context }) => {
    await actAs(context, MEMBER)
    await followSystem(context)
    const faults: string[] = []
    for (const [at, address] of addressesOfAll(names).entries()) {
      await (at === 0 ? page.goto(address) : goOn(page, address))
      await page.locator('h1').first().waitFor()
      await untilLoaded(page)
      faults.push(...(await axeOf(page)))
      for (const seen of await seenInEach(page, LONG_WORDED_LAST)) {
        faults.push(...faultsOf(page, seen))
      }
      faults.push(...(await faultsAtDouble(page, 'vi')))
      faults.push(...(await faultsOnMostPhones(page)))
    }
    expect(faults).toEqual([])
  })
}

test('every open route opens for a stranger', async ({ page, context }) => {
  await speak(context, 'vi')
  const faults: string[] = []
  await page.goto(ROUTES.rules.path)
  const open = ROUTE_NAMES.filter((name) => routeEntry(name).access === 'open')
  for (const address of addressesOfAll(open)) {
    await goOn(page, address)
    const { pathname: asked } = new URL(address, page.url())
    await page.waitForURL(({ pathname }) => pathname === asked)
    await page.locator('h1').first().waitFor()
    await untilLoaded(page)
    faults.push(...(await faultsNow(page, 'vi')))
  }
  expect(faults).toEqual([])
})

test('a visitor sees that he is one, and that he may not deposit and withdraw', async ({
  page,
  context,
  mock,
}) => {
  await actAs(context, VISITOR, 'vi')
  mock.answer(userInfo, { ...PROFILE, group_id: VISITOR.group_id })
  const faults: string[] = []
  await page.goto(ROUTES.rules.path)
  for (const [name, words] of [
    ['me', 'Khách'],
    ['profile', 'Khách'],
    ['deposit', 'Chỉ dành cho thành viên'],
    ['withdrawal', 'Chỉ dành cho thành viên'],
  ] as const) {
    await goOn(page, ROUTES[name].path)
    await page.getByText(words, { exact: true }).waitFor()
    await untilLoaded(page)
    faults.push(...(await faultsNow(page, 'vi')))
  }
  expect(faults).toEqual([])
})
