/** The pictures of README.md: real screens of a real stack, in light and dark, and one round as a moving picture. */
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { openIssueFor } from '../apps/server/testing/product/play-round.ts'
import { betOf, enter, ROOM, roundNow } from './bet-room.ts'
import { actAs, expect, speak, untilLoaded } from './browser.ts'
import { DESKTOP, openAs } from './console-people.ts'
import { walkOfNewcomer } from './newcomer-walk.ts'
import { countRounds, type Player, type Stack, seat, startStack, test } from './stack.ts'

const sharp = createRequire(new URL('../apps/server/package.json', import.meta.url))('sharp')

const FOLDER = join(import.meta.dirname, '..', 'docs', 'pictures')

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true }

/** Milliseconds between two frames of the moving picture, and how many it has. */
const FRAME_MS = 250
const FRAMES = 40

/** Seconds that a round shows before its seal when the moving picture begins. */
const BEFORE_SEAL = 4

async function save(page: Page, name: string, width: number): Promise<void> {
  await untilLoaded(page)
  await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))')
  const shot = await page.screenshot({ animations: 'disabled' })
  await sharp(shot)
    .resize(width)
    .webp({ quality: 82 })
    .toFile(join(FOLDER, `readme-${name}.webp`))
}

/** A page of the app in which a player is signed in. */
async function phone(
  browser: Browser,
  stack: Stack,
  { player, dark }: { player: Player; dark: boolean },
): Promise<Page> {
  const context = await browser.newContext({
    ...PHONE,
    baseURL: stack.url,
    colorScheme: dark ? 'dark' : 'light',
  })
  await actAs(context, player)
  return context.newPage()
}

/** The last seconds of a round, its draw, and the first of the next one, as they are seen in the room. */
async function moving(page: Page, stack: Stack, player: Player): Promise<void> {
  await enter(page)
  await openIssueFor(stack, 8)
  await betOf(stack, player, 100, [1])
  await untilLoaded(page)
  await expect.poll(async () => (await roundNow(stack)).openTime1).toBeLessThanOrEqual(BEFORE_SEAL)
  const frames: Buffer[] = []
  for (let frame = 0, begin = performance.now(); frame < FRAMES; frame += 1) {
    const early = begin + frame * FRAME_MS - performance.now()
    if (early > 0) await page.waitForTimeout(early)
    frames.push(
      await sharp(await page.screenshot())
        .resize(300)
        .png()
        .toBuffer(),
    )
  }
  await sharp(frames, { join: { animated: true } })
    .webp({ quality: 60, effort: 6, delay: FRAME_MS, loop: 0 })
    .toFile(join(FOLDER, 'readme-round.webp'))
}

const LONG = 1
const SHORT = 2
const ODD = 3
const EVEN = 4

/** What others in the room bet each round: of each pair of outcomes one wins. */
const ORDERS = [
  { name: 'minh_tran', stake: 120, rules: [LONG] },
  { name: 'kenji_m', stake: 160, rules: [SHORT, 410] },
  { name: 'putri_sari', stake: 250, rules: [ODD] },
  { name: 'wei_chen', stake: 180, rules: [EVEN, 416] },
  { name: 'jisoo_k', stake: 150, rules: [SHORT] },
  { name: 'david_w', stake: 100, rules: [LONG, ODD] },
] as const

/** Bets of everybody at the table in the running round. */
async function betOfAll(stack: Stack, table: readonly Player[]): Promise<void> {
  for (const [at, { stake, rules }] of ORDERS.entries()) {
    await betOf(stack, table[at] as Player, stake, [...rules])
  }
}

async function stateOf({ database }: Stack, issue: string): Promise<string | undefined> {
  const [round] = await database.owner.query<{ state: string }>(
    'select state from rounds.round where game_id = $1 and issue = $2',
    [ROOM.game_id, issue],
  )
  return round?.state
}

test('the pictures of README.md', async ({ browser }) => {
  test.setTimeout(900_000)
  mkdirSync(FOLDER, { recursive: true })
  const stack = await startStack({ ROBOTS: 'on', ROUND_SECONDS: '24', SEAL_SECONDS: '6' })
  try {
    const player = await seat(stack, { u: 2_500, name: 'ann_lee' })
    const others = await Promise.all(ORDERS.map(({ name }) => seat(stack, { u: 5_000, name })))
    const issue = await openIssueFor(stack, 12)
    await betOf(stack, player, 100, [LONG, 413])
    await betOfAll(stack, others)
    // At its true pace, so that the witness signs it in time.
    await expect.poll(() => stateOf(stack, issue), { timeout: 60_000 }).toBe('settled')
    for (const dark of [false, true]) {
      const page = await phone(browser, stack, { player, dark })
      const name = (screen: string) => (dark ? `${screen}-dark` : screen)
      await page.goto('/')
      await save(page, name('home'), 390)
      await openIssueFor(stack, 12)
      await betOfAll(stack, others)
      await enter(page)
      await save(page, name('room'), 390)
      await page.goto('/BetRecord')
      await page.getByRole('link', { name: /Round/ }).first().click()
      await page.getByText('Check this bet').click()
      await expect(page.getByText('Fits, but is not proved', { exact: true })).toBeVisible()
      await save(page, name('check'), 390)
      if (!dark) await moving(page, stack, player)
      await page.context().close()
      const desk = await browser.newContext({
        ...DESKTOP,
        baseURL: stack.url,
        colorScheme: dark ? 'dark' : 'light',
      })
      const table = await desk.newPage()
      await table.setViewportSize({ width: 1180, height: 768 })
      await countRounds(stack)
      await openAs(table, stack, 'owner')
      await expect(table.getByText('Turnover').first()).toBeVisible()
      await save(table, name('console'), 800)
      await desk.close()
    }
  } finally {
    await stack.stop()
  }
})

/** Pixels of one screen of the walk, and between two. */
const STEP_WIDTH = 200
const STEP_GAP = 12

test('the pictures of docs/first-draw.md', async ({ browser }) => {
  test.setTimeout(900_000)
  const stack = await startStack({ ROBOTS: 'on' })
  try {
    const context = await browser.newContext({
      ...PHONE,
      baseURL: stack.url,
      reducedMotion: 'reduce',
    })
    await speak(context, 'en')
    const page = await context.newPage()
    const steps: Buffer[] = []
    await walkOfNewcomer(page, stack, async () => {
      await untilLoaded(page)
      const shot = await page.screenshot({ animations: 'disabled' })
      steps.push(await sharp(shot).resize(STEP_WIDTH).png().toBuffer())
    })
    const { height } = await sharp(steps[0]).metadata()
    const width = steps.length * (STEP_WIDTH + STEP_GAP) - STEP_GAP
    await sharp({ create: { width, height, channels: 4, background: '#0000' } })
      .composite(steps.map((input, at) => ({ input, left: at * (STEP_WIDTH + STEP_GAP), top: 0 })))
      .webp({ quality: 82 })
      .toFile(join(FOLDER, 'first-draw.webp'))
  } finally {
    await stack.stop()
  }
})
