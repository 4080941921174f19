/**
 * Pictures of every route in every state, and of what opens over them, from the built app on the contract's mock:
 * `npm run shots` makes one page of them. The clock of the page stands, so that two runs take the same pictures.
 * `SHOTS_FOLDER` is where they go, `SHOTS_OF` the routes and layers that are taken, as parts of their names.
 */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ALL_ROUTES, ALL_STREAMS } from '@sum28/contract/all-routes.ts'
import { config } from '@sum28/contract/index-routes.ts'
import type { ContractMock } from '../apps/web/src/testing/contract-mock.ts'
import { sampleOf } from '../apps/web/src/testing/sample-of.ts'
import { answerAsUsual } from '../apps/web/src/testing/usual-replies.ts'
import { addressesOf, followSystem, ROUTE_NAMES, switchLanguage } from './appearance.ts'
import { actAs, untilLoaded } from './browser.ts'
import { MEMBER, NOW } from './full-replies.ts'
import { JOURNEYS } from './layers.ts'
import { test } from './mocked.ts'

const FOLDER = process.env.SHOTS_FOLDER ?? ''
const WANTED = (process.env.SHOTS_OF ?? '').split(' ').map((part) => part.toLowerCase())

const PHONES = [
  { width: 390, height: 844 },
  { width: 320, height: 568 },
]
const SIZES = [...PHONES, { width: 1440, height: 900 }]
const PICTURED = ['vi', 'ja'] as const

/** After opening, in milliseconds of the page; then its clock stands. */
const STANDS_AFTER_MS = 15_000

const FRAME_MS = 100

/** How the mock, which answers fully, is changed for a state; without a network it answers nothing more. */
const STATES: Record<string, (mock: ContractMock) => void> = {
  full: () => {},
  empty: (mock) => {
    for (const route of ALL_ROUTES) mock.answer(route, sampleOf(route.reply) as never)
    for (const stream of ALL_STREAMS) mock.onOpen(stream, () => {})
    answerAsUsual(mock)
  },
  loading: (mock) => {
    for (const route of ALL_ROUTES) mock.hold(route)
    for (const stream of ALL_STREAMS) mock.onOpen(stream, () => {})
  },
  error: (mock) => {
    for (const route of ALL_ROUTES.filter((each) => each !== config)) {
      mock.refuse(route, { reason: 'fault', msg: 'The server has a fault. Please try again.' })
    }
    for (const stream of ALL_STREAMS) mock.cutOff(stream)
  },
  offline: () => {},
}

/** Takes the page as it is in each size, scheme and language; ends in English, as it was. */
async function take(page: Page, name: string, sizes: readonly { width: number; height: number }[]) {
  const before = page.viewportSize() ?? PHONES[0]
  for (const lang of PICTURED) {
    await switchLanguage(page, lang)
    for (const size of sizes) {
      await page.setViewportSize(size)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        // What is drawn in a frame waits for the clock.
        await page.clock.runFor(FRAME_MS)
        const file = `${name}~${size.width}~${colorScheme}~${lang}.png`
        await page.screenshot({
          path: join(FOLDER, file.replaceAll(/[ ,/?]+/g, '-')),
          animations: 'disabled',
        })
      }
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  if (before) await page.setViewportSize(before)
}

function isWanted(name: string): boolean {
  return WANTED.some((part) => name.toLowerCase().includes(part))
}

async function letStand(page: Page): Promise<void> {
  const reached = await page.evaluate<number>('Date.now()')
  await page.clock.pauseAt(Math.max(NOW * 1_000 + STANDS_AFTER_MS, reached + 1_000))
}

test.describe.configure({ timeout: 300_000 })

const PLACES = ROUTE_NAMES.filter(isWanted).flatMap((name) =>
  addressesOf(name).map((address, at) => ({ address, name: at === 0 ? name : `${name}${at + 1}` })),
)

for (const [state, make] of Object.entries(STATES)) {
  for (const { name, address } of PLACES) {
    test(`${name}, ${state}`, async ({ page, context, mock, console }) => {
      await actAs(context, MEMBER)
      await followSystem(context)
      make(mock)
      mock.setClockAhead(NOW * 1_000 - Date.now())
      await page.clock.install({ time: NOW * 1_000 })
      await page.goto(address)
      await page.locator('#boot').waitFor({ state: 'detached' })
      if (state !== 'loading') await untilLoaded(page)
      // The texts come before the network goes.
      for (const lang of PICTURED) await switchLanguage(page, lang)
      if (state === 'offline') await context.setOffline(true)
      await letStand(page)
      await take(page, `${name}~${state}`, SIZES)
      console.splice(0)
    })
  }
}

for (const [where, journey] of Object.entries(JOURNEYS).filter(([name]) => isWanted(name))) {
  test(`over ${where}`, async ({ page, context, mock }) => {
    await actAs(context, MEMBER)
    await followSystem(context)
    const seen = async (at: Page, part: string, shown: ReturnType<Page['locator']>) => {
      await shown.first().waitFor()
      await take(at, `over ${where}~${part}`, PHONES)
      await switchLanguage(at, 'en')
    }
    await journey(page, { seen }, mock)
  })
}
