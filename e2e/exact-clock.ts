/**
 * Times are tested on a clock of the page that advances only when a test tells it to, so that they
 * are exact to the millisecond on a machine of any speed.
 */
import { expect, type Page } from '@playwright/test'

/** Call it before a page is opened; the clock runs normally until it is stopped. */
export async function installClock(page: Page): Promise<void> {
  await page.clock.install()
}

/** Stops the page's clock at the present time. */
export async function stopClock(page: Page): Promise<void> {
  // If the second has passed on the way, the clock stands already, and the next try stops it ahead of its time.
  await expect(async () => {
    const now = await page.evaluate<number>('Date.now()')
    await page.clock.pauseAt(now + 1_000)
  }).toPass()
  await settle(page)
}

/** Advances the clock by so many milliseconds, and lets the page draw what was due. */
export async function pass(page: Page, ms: number): Promise<void> {
  await page.clock.runFor(ms)
  await settle(page)
}

/** Checks that something changes by itself every so many milliseconds, no sooner and no later. */
export async function expectChangeEvery(
  page: Page,
  everyMs: number,
  read: () => Promise<unknown>,
): Promise<void> {
  await passUntilChanged(page, { stepMs: 100, mostMs: everyMs + 100, read })
  // The step of this change is known; the next change is measured to the millisecond.
  await pass(page, everyMs - 101)
  await passUntilChanged(page, { stepMs: 1, mostMs: 202, read })
  for (let round = 0; round < 2; round += 1) {
    const before = await read()
    await pass(page, everyMs - 1)
    expect(await read()).toEqual(before)
    await pass(page, 1)
    expect(await read()).not.toEqual(before)
  }
}

type Passing = { stepMs: number; mostMs: number; read: () => Promise<unknown> }

async function passUntilChanged(page: Page, { stepMs, mostMs, read }: Passing): Promise<void> {
  const before = JSON.stringify(await read())
  for (let passedMs = 0; passedMs < mostMs; passedMs += stepMs) {
    await pass(page, stepMs)
    if (JSON.stringify(await read()) !== before) return
  }
  throw new Error(`nothing has changed in ${mostMs} ms`)
}

/** React draws in a message to itself, which the clock does not stop; two messages later it is done. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (let n = 0; n < 3; n += 1) {
      await new Promise((done) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = done
        port2.postMessage(0)
      })
    }
  })()`)
}
