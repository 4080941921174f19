/**
 * Goal: every route opens for members, visitors and strangers: the right screen (for a stranger, the login in place of
 * a protected one), in each language, in light and dark and in large text, without console messages, findings of axe,
 * sideways scrolling or cut-off text on the narrowest phone. Method: the addresses are made from the app's own table
 * of routes, with the query that each needs. A visitor loads each as from a link; members and strangers navigate inside the
 * app from each to the next, and for members the language is changed while it is open.
 */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { ROUTES, routeEntry } from '../../apps/web/src/navigation/routes.ts'
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

/** Text of twice the size is looked at in Vietnamese, whose words are long. */
const VIETNAMESE_LAST = [...LANGUAGES.filter((lang) => lang !== 'vi'), 'vi'] as const

/** Routes that one test opens in every language, and in one. */
const ROUTES_A_TEST = 5
const LOADS_A_TEST = 12

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
function faultsOf(page: Page, { lang, spoken, text, beyondPx, cutOff }: SeenIn): string[] {
  return [
    ...stopGaps(lang).filter((stopGap) => text.includes(stopGap)),
    ...(spoken.startsWith(lang) ? [] : [`speaks ${spoken}`]),
    ...(beyondPx > 0 ? [`scrolls sideways by ${beyondPx} px`] : []),
    ...cutOff,
  ].map((fault) => `${new URL(page.url()).pathname}, ${lang}: ${fault}`)
}

/** Everything that is wrong with how the open screen looks in the language that it has. */
async function faultsNow(page: Page, lang: Language): Promise<string[]> {
  return faultsOf(page, { lang, ...(await page.evaluate<Omit<SeenIn, 'lang'>>(WHAT_IS_SEEN)) })
}

const NARROW = { width: 320, height: 568 }

const PHONE = { width: 390, height: 844 }

/** What is wrong with text of twice the size on a phone; a field's label says what its hint says. */
async function faultsAtDouble(page: Page, lang: Language): Promise<string[]> {
  await page.setViewportSize(PHONE)
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  const faults = await faultsNow(page, lang)
  await page.evaluate(`document.documentElement.style.fontSize = ''`)
  await page.setViewportSize(NARROW)
  return faults
    .filter((fault) => !fault.includes('px too long for its field'))
    .map((fault) => `at 200%: ${fault}`)
}

test.use({ viewport: NARROW })

for (let from = 0; from < ROUTE_NAMES.length; from += ROUTES_A_TEST) {
  const names = ROUTE_NAMES.slice(from, from + ROUTES_A_TEST)
  test(`in every language, opens for a member: ${names.join(', ')}`, async ({ page, context }) => {
    await actAs(context, MEMBER)
    await followSystem(context)
    const faults: string[] = []
    for (const [at, address] of names.flatMap(addressesOf).entries()) {
      await (at === 0 ? page.goto(address) : goOn(page, address))
      await page.locator('h1').first().waitFor()
      await untilLoaded(page)
      faults.push(...(await axeOf(page)))
      for (const seen of await seenInEach(page, VIETNAMESE_LAST)) {
        faults.push(...faultsOf(page, seen))
      }
      faults.push(...(await faultsAtDouble(page, 'vi')))
    }
    expect(faults).toEqual([])
  })
}

for (let from = 0; from < ROUTE_NAMES.length; from += LOADS_A_TEST) {
  const names = ROUTE_NAMES.slice(from, from + LOADS_A_TEST)
  test.describe(`from ${names[0]}`, () => {
    for (const [who, signedIn] of [
      ['a visitor', true],
      ['a stranger, or leads to the login', false],
    ] as const) {
      test(`every route opens for ${who}`, async ({ page, context }) => {
        await (signedIn ? actAs(context, VISITOR, 'vi') : speak(context, 'vi'))
        const faults: string[] = []
        await page.goto(ROUTES.rules.path)
        for (const name of names) {
          const open = signedIn || routeEntry(name).access === 'open'
          for (const address of addressesOf(name)) {
            await (signedIn ? page.goto(address) : goOn(page, address))
            const path = open ? ROUTES[name].path : ROUTES.login.path
            await page.waitForURL(({ pathname }) => pathname === path)
            // The login, in whose place it is, has its own turn.
            if (!open) continue
            await page.locator('h1').first().waitFor()
            await untilLoaded(page)
            faults.push(...(await faultsNow(page, 'vi')))
          }
        }
        expect(faults).toEqual([])
      })
    }
  })
}
