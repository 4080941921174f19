/** The operator's console: enrolment, sign-in, and the search. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Secret, TOTP } from 'otpauth'
import { timeOf } from '../../apps/server/testing/play-round.ts'
import { SECRET_KEY } from '../../apps/server/testing/secret-key.ts'
import { expect } from '../browser.ts'
import { axeOf, DESKTOP, goTo, openAs, openSearch } from '../console-people.ts'
import { type Stack, test } from '../stack.ts'

const COMMAND = fileURLToPath(
  new URL('../../apps/server/src/commands/console-staff.ts', import.meta.url),
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

/** The code that an authenticator shows at the product's time. */
async function codeNow(stack: Stack, secret: string): Promise<string> {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: await timeOf(stack) })
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
  await page.getByLabel('Code of your authenticator').fill(await codeNow(stack, secret))
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
  await goTo(page, '/own')
  await expect(page.getByText('9 recovery codes are left.')).toBeVisible()
})

test('the search opens a page, only by the keyboard', async ({ page, stack }) => {
  await openAs(page, stack, 'support')
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
