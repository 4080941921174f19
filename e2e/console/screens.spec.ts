/** Every screen of the console, in the oldest browser: what axe finds there, and that an auditor may see all of it. */
import { STAFF_ROUTES } from '@sum28/contract/all-staff-routes.ts'
import { mayDo, type StaffAction } from '@sum28/contract/staff-actions.ts'
import { expect } from '../browser.ts'
import { axeOf, DESKTOP, goTo, openAs } from '../console-people.ts'
import { removeNewerApis } from '../old-browser.ts'
import { test } from '../stack.ts'

test.use(DESKTOP)

/** Screens that one test looks at: on a slow machine each takes some seconds. */
const SCREENS_A_TEST = 4

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

/** Calls of staff that an auditor may not make. */
const CLOSED_TO_AUDITORS: readonly string[] = STAFF_ROUTES.filter(
  ({ auth, action }) => auth === 'staff' && !mayDo('auditor', action as StaffAction),
).map(({ path }) => path)

for (let from = 0; from < SCREENS.length; from += SCREENS_A_TEST) {
  const screens = SCREENS.slice(from, from + SCREENS_A_TEST)
  test(`axe finds nothing on ${screens.join(' ')}`, async ({ page, stack }) => {
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
