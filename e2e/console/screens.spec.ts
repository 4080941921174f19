/** Every screen of the console: what axe finds there, and what an auditor may do there. */
import type { Page } from '@playwright/test'
import { expect } from '../browser.ts'
import { axeOf, DESKTOP, goTo, openAs, postAs } from '../console-people.ts'
import { removeNewerApis } from '../old-browser.ts'
import { test } from '../stack.ts'

test.use(DESKTOP)

/** Screens that one test looks at. */
const SCREENS_A_TEST = 8

/** Every screen of the console, by its address. */
const SCREENS = [
  '/',
  '/shift-notes',
  '/players',
  '/signs',
  '/protection',
  '/likenesses',
  '/identities',
  '/frozen-accounts',
  '/templates',
  '/withdrawals',
  '/deposits',
  '/bank-batches',
  '/unmatched-transfers',
  '/held-deposits',
  '/books',
  '/chain-differences',
  '/bank-account',
  '/rounds',
  '/bets',
  '/rooms',
  '/proposals',
  '/articles',
  '/articles/1/show',
  '/announcements',
  '/announcements/1/show',
  '/banners',
  '/promos',
  '/about',
  '/reports',
  '/activity',
  '/stops',
  '/robots',
  '/members',
  '/roles',
  '/alerts',
  '/settings',
  '/audit',
  '/own',
]

/** Visits screens, the first by loading it and the others from one to the next. */
async function visit(
  page: Page,
  paths: readonly string[],
  look: (path: string) => Promise<void>,
): Promise<void> {
  for (const path of paths) {
    if (path !== paths[0]) await goTo(page, path)
    await look(path)
  }
}

for (let from = 0; from < SCREENS.length; from += SCREENS_A_TEST) {
  const screens = SCREENS.slice(from, from + SCREENS_A_TEST)
  test(`axe finds nothing on ${screens.join(' ')}`, async ({ page, stack }) => {
    await openAs(page, stack, 'owner', screens[0])
    await visit(page, screens, async () => {
      expect(await axeOf(page)).toEqual([])
    })
  })
}

test('an auditor sees everything and has no button that changes anything', async ({
  page,
  stack,
}) => {
  // In the oldest browser that is named.
  await removeNewerApis(page)
  await openAs(page, stack, 'auditor', SCREENS[0])
  await visit(page, SCREENS, async (path) => {
    for (const name of ['Stop', 'Change', 'Freeze an account', 'Record a bank deposit']) {
      await expect(page.getByRole('button', { name, exact: true }), path).toHaveCount(0)
    }
  })
  // Nor may his session change anything by a call.
  const reply = await postAs(page, '/api/staff/stops/stop', {
    data: { scope: 'all', reason: 'fault' },
  })
  expect(reply.status()).toBe(403)
})
