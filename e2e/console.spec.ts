/** The operator's console: enrolment, sign-in, the auditor's view, and every screen by axe. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { SECRET_KEY } from '../apps/server/testing/secret-key.ts'
import { axeOf, DESKTOP, openSearch, postAs, signIn } from './console-people.ts'
import { expect, freshCode, type Stack, test } from './stack.ts'

const COMMAND = fileURLToPath(
  new URL('../apps/server/src/commands/console-staff.ts', import.meta.url),
)

test.use(DESKTOP)

/** Makes a member at the machine and gives his first password. */
function invite({ dataDir, database }: Stack, name: string, role: string): Promise<string> {
  const args = ['--disable-warning=ExperimentalWarning', COMMAND, '--name', name, '--role', role]
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: database.ownerUrl, SECRET_KEY }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env }, (error, out) => {
      const password = /Password +(\S+)/.exec(out)?.[1]
      if (password) resolve(password)
      else reject(error ?? new Error(out))
    })
  })
}

test('a new member enrols at the first sign-in, signs out, and signs in with his own password', async ({
  page,
  stack,
}) => {
  const first = await invite(stack, 'newcomer', 'support')
  await page.goto('/console')
  await page.getByRole('button', { name: 'First sign-in' }).click()
  await page.getByLabel('Name').fill('newcomer')
  await page.getByLabel('First password').fill(first)
  await page.getByRole('button', { name: 'Continue' }).click()

  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  expect(await axeOf(page)).toEqual([])
  const secret = (await page.getByTestId('totp-secret').textContent()) ?? ''
  await page.getByLabel('Your new password', { exact: true }).fill('a passphrase of my own')
  await page.getByLabel('Your new password again').fill('another one')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('The two passwords are not the same.').first()).toBeVisible()
  await page.getByLabel('Your new password again').fill('a passphrase of my own')
  // At last: it is good for half a minute.
  await page.getByLabel('Code of your authenticator').fill(await freshCode(stack, secret))
  await page.getByRole('button', { name: 'Continue' }).click()

  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const recovery = (await codes.first().textContent()) ?? ''
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByRole('heading', { name: 'Start' })).toBeVisible()

  // No script can read the session, and it is sent to the calls of staff alone.
  const [cookie] = await page.context().cookies(`${stack.url}/api/staff`)
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/staff' })
  expect(await page.evaluate('document.cookie')).toBe('')

  await page.getByRole('button', { name: /newcomer/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Name').fill('newcomer')
  await page.getByLabel('Password').fill('a passphrase of my own')
  await page.getByLabel('Recovery code').fill(recovery)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Start' })).toBeVisible()
  await page.goto('/console/own')
  await expect(page.getByText('9 recovery codes are left.')).toBeVisible()
})

test('an auditor sees everything and has no button that changes anything', async ({
  page,
  stack,
}) => {
  test.setTimeout(120_000)
  await signIn(page, stack, 'auditor')
  for (const path of SCREENS) {
    await open(page, path)
    for (const name of ['Stop', 'Change', 'Freeze an account', 'Record a bank deposit']) {
      await expect(page.getByRole('button', { name, exact: true }), path).toHaveCount(0)
    }
  }
  // Nor may his session change anything by a call.
  const reply = await postAs(page, '/api/staff/stops/stop', {
    data: { scope: 'all', reason: 'fault' },
  })
  expect(reply.status()).toBe(403)
})

test('the search opens a page, only by the keyboard', async ({ page, stack }) => {
  await signIn(page, stack, 'support')
  await openSearch(page)
  await page.keyboard.type('bank dep')
  await expect(page.getByRole('button', { name: 'Bank deposits' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/console\/bank-deposits/)
})

test('axe finds nothing at the sign-in', async ({ page }) => {
  await page.goto('/console')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  expect(await axeOf(page)).toEqual([])
})

/** Screens that one test looks at. */
const SCREENS_A_TEST = 6

/** Every screen of the console, by its address. */
const SCREENS = [
  '/',
  '/players',
  '/signs',
  '/likenesses',
  '/code-resets',
  '/frozen-accounts',
  '/withdrawals',
  '/bank-batches',
  '/bank-deposits',
  '/unmatched-transfers',
  '/held-deposits',
  '/adjustments',
  '/books',
  '/chain-differences',
  '/bank-account',
  '/rounds',
  '/rooms',
  '/room-changes',
  '/articles',
  '/articles/1/show',
  '/announcements',
  '/announcements/1/show',
  '/banners',
  '/promos',
  '/about',
  '/reports',
  '/stops',
  '/robots',
  '/members',
  '/roles',
  '/audit',
  '/own',
]

for (const { colorScheme, width, height } of [
  { colorScheme: 'light', width: 1440, height: 900 },
  { colorScheme: 'dark', width: 1024, height: 768 },
] as const) {
  // A few screens a test: each takes seconds, on a busy machine many.
  for (let from = 0; from < SCREENS.length; from += SCREENS_A_TEST) {
    const screens = SCREENS.slice(from, from + SCREENS_A_TEST)
    test(`axe finds nothing on ${screens.join(' ')}, ${colorScheme}, ${width} wide`, async ({
      page,
      stack,
    }) => {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await signIn(page, stack, 'owner')
      for (const path of screens) {
        await open(page, path)
        expect(await axeOf(page), path).toEqual([])
      }
    })
  }
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`/console${path}`)
  await expect(page.getByRole('menuitem', { name: 'Roles' })).toBeVisible()
  await page.waitForLoadState('networkidle')
}
