/**
 * Goal: every route opens for members, visitors and strangers: the right screen (for a stranger, the login in place of
 * a protected one), in each language, in light and dark and in large text, without console messages, findings of axe,
 * sideways scrolling or cut-off text on the narrowest phone. Method: the addresses are made from the app's own table
 * of routes, with the query that each needs. Each is loaded as from a link, and its language is changed while it is
 * open; visitors and strangers navigate inside the app from each to the next.
 */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { ROUTES, routeEntry } from '../../apps/web/src/navigation/routes.ts'
import {
  addressesOf,
  axeOf,
  changeLanguage,
  followSystem,
  LANGUAGES,
  ROUTE_NAMES,
} from '../appearance.ts'
import { actAs, expect, type Language, speak, untilLoaded } from '../browser.ts'
import { cutOffForGood } from '../cut-off-text.ts'
import { MEMBER, VISITOR } from '../full-replies.ts'
import { test } from '../mocked.ts'

/** Routes that one test opens. */
const ROUTES_A_TEST = 3

/** Titles, in a language, that must not appear in place of a screen. */
function stopGaps(lang: Language): string[] {
  const file = new URL(`../../apps/web/src/locales/${lang}/shell.json`, import.meta.url)
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  return ['notFound.title', 'crash.title', 'error.title'].flatMap((key) => texts[key] ?? [])
}

/** Navigates to an address inside the app, without a reload; for the same screen with another query, loads it. */
async function goOn(page: Page, address: string): Promise<void> {
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

/** Everything that is wrong with how the open screen looks in a language. */
async function faultsOf(page: Page, lang: Language): Promise<string[]> {
  const seen = await page.locator('html').evaluate((html) => ({
    text: html.textContent,
    lang: html.lang,
    beyond: html.scrollWidth - html.clientWidth,
  }))
  return [
    ...stopGaps(lang).filter((text) => seen.text.includes(text)),
    ...(seen.lang.startsWith(lang) ? [] : [`speaks ${seen.lang}`]),
    ...(seen.beyond > 0 ? [`scrolls sideways by ${seen.beyond} px`] : []),
    ...(await cutOffForGood(page)),
  ].map((fault) => `${new URL(page.url()).pathname}, ${lang}: ${fault}`)
}

const NARROW = { width: 320, height: 568 }

const PHONE = { width: 390, height: 844 }

/** What is wrong with text of twice the size on a phone; a field's label says what its hint says. */
async function faultsAtDouble(page: Page, lang: Language): Promise<string[]> {
  await page.setViewportSize(PHONE)
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  const faults = await faultsOf(page, lang)
  await page.evaluate(`document.documentElement.style.fontSize = ''`)
  await page.setViewportSize(NARROW)
  return faults
    .filter((fault) => !fault.includes('px too long for its field'))
    .map((fault) => `at 200%: ${fault}`)
}

test.use({ viewport: NARROW })

test.describe('every route in every language', () => {
  for (let from = 0; from < ROUTE_NAMES.length; from += ROUTES_A_TEST) {
    const names = ROUTE_NAMES.slice(from, from + ROUTES_A_TEST)
    test(`opens for a member: ${names.join(', ')}`, async ({ page, context }) => {
      await actAs(context, MEMBER)
      await followSystem(context)
      const faults: string[] = []
      for (const address of names.flatMap(addressesOf)) {
        await page.goto(address)
        await page.locator('h1').first().waitFor()
        await untilLoaded(page)
        faults.push(...(await axeOf(page)))
        for (const lang of LANGUAGES) {
          await changeLanguage(page, lang)
          faults.push(...(await faultsOf(page, lang)))
          if (lang === 'vi') faults.push(...(await faultsAtDouble(page, lang)))
        }
      }
      expect(faults).toEqual([])
    })
  }
})

for (const [who, signedIn] of [
  ['a visitor', true],
  ['a stranger, or leads to the login', false],
] as const) {
  test(`every route opens for ${who}`, async ({ page, context }) => {
    await (signedIn ? actAs(context, VISITOR, 'vi') : speak(context, 'vi'))
    const faults: string[] = []
    await page.goto(ROUTES.rules.path)
    for (const name of ROUTE_NAMES) {
      const open = signedIn || routeEntry(name).access === 'open'
      for (const address of addressesOf(name)) {
        await goOn(page, address)
        const path = open ? ROUTES[name].path : ROUTES.login.path
        await page.waitForURL(({ pathname }) => pathname === path)
        // The login, in whose place it is, has its own turn.
        if (!open) continue
        await page.locator('h1').first().waitFor()
        await untilLoaded(page)
        faults.push(...(await faultsOf(page, 'vi')))
      }
    }
    expect(faults).toEqual([])
  })
}
