/** Every screen of the console, in the oldest browser: what axe finds there, and that an auditor may see all of it. */
import { STAFF_ROUTES } from '@sum28/contract/all-staff-routes.ts'
import { mayDo, type StaffAction } from '@sum28/contract/staff-actions.ts'
import { expect } from '../browser.ts'
import { axeOf, DESKTOP, goTo, openAs } from '../console-people.ts'
import { removeNewerApis } from '../old-browser.ts'
import { test } from '../stack.ts'

test.use(DESKTOP)

/** Screens that one test looks at; each test loads the console anew. */
const SCREENS_A_TEST = 10

/** Its transaction. */
const TRANSFER = 'c0ffee'.padEnd(64, '0')

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
  `/unmatched-transfers/${TRANSFER}-0/show`,
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

/** Calls of staff that an auditor may not make. */
const CLOSED_TO_AUDITORS: readonly string[] = STAFF_ROUTES.filter(
  ({ auth, action }) => auth === 'staff' && !mayDo('auditor', action as StaffAction),
).map(({ path }) => path)

test.beforeAll(async ({ stack }) => {
  await stack.database.owner.query(
    `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount)
     values ($1, 0, 1, app.now(), 'TFrom', 'TTo', 25000000) on conflict do nothing`,
    [TRANSFER],
  )
})

for (let from = 0; from < SCREENS.length; from += SCREENS_A_TEST) {
  const screens = SCREENS.slice(from, from + SCREENS_A_TEST)
  test(`axe finds nothing on the screens from ${screens[0]} to ${screens.at(-1)}`, async ({
    page,
    stack,
  }) => {
    test.slow()
    const called: string[] = []
    page.on('request', (request) => called.push(new URL(request.url()).pathname))
    // In the oldest browser that is named.
    await removeNewerApis(page)
    await openAs(page, stack, 'owner', screens[0])
    for (const path of screens) {
      if (path !== screens[0]) await goTo(page, path)
      expect(await axeOf(page)).toEqual([])
    }
    // To show a screen calls nothing that would fail for an auditor.
    expect(called.filter((path) => CLOSED_TO_AUDITORS.includes(path))).toEqual([])
  })
}
