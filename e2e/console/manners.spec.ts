/** The console on all pages: sign-in and its end, unsaved text, keys, addresses of filtered lists. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Secret, TOTP } from 'otpauth'
import { timeOf } from '../../apps/server/testing/product/play-round.ts'
import { SECRET_KEY } from '../../apps/server/testing/product/secret-key.ts'
import { expect, giveAuthenticator } from '../browser.ts'
import { axeOf, DESKTOP, goTo, openAs } from '../console-people.ts'
import { type Stack, seat, test } from '../stack.ts'

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

test('an owner requires a passkey at the sign-in of a role', async ({ page, stack }) => {
  await openAs(page, stack, 'owner', '/roles')
  const auditors = page.getByRole('row', { name: /^auditor/ }).first()
  await auditors.getByRole('button', { name: 'Require a passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Require a passkey' }).click()
  await expect(auditors).toContainText('with a passkey alone')
  expect(await axeOf(page)).toEqual([])
})

test('a new member whose role requires a passkey enrols with one, and signs in with it', async ({
  page,
  stack,
}) => {
  await stack.database.owner.query(
    `insert into staff.passkey_role values ('editor') on conflict do nothing`,
  )
  const first = await invite(stack, 'scribe', 'editor')
  await giveAuthenticator(page)
  await page.goto('/console')
  await page.getByRole('button', { name: 'First sign-in' }).click()
  await page.getByLabel('Name').fill('scribe')
  await page.getByLabel('First password').fill(first)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Your role requires a passkey')).toBeVisible()
  expect(await axeOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Make a passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Start' })).toBeVisible()

  await page.getByRole('button', { name: /scribe/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Start' })).toBeVisible()

  // He has no password: what asks others for it and a code asks him for his passkey.
  await goTo(page, '/own')
  await page.getByRole('button', { name: 'Change the address' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail address').fill('scribe@example.org')
  await expect(dialog.getByLabel('Password')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Change the address' }).click()
  await expect(page.getByText('scribe@example.org')).toBeVisible()
})

test('a member adds a passkey, and removes it after it proved that it is him', async ({
  page,
  stack,
}) => {
  await giveAuthenticator(page)
  await openAs(page, stack, 'cashier', '/own')
  await page.getByLabel('Name of the new passkey').fill('A key')
  const add = page.getByRole('button', { name: 'Add a passkey' })
  await add.click()
  const key = page.getByRole('row', { name: 'A key' })
  await expect(key).toContainText('not used yet')
  await add.click()
  await expect(page.getByText('This device has a passkey for your account already.')).toBeVisible()
  expect(await axeOf(page)).toEqual([])

  // A proof counts for five minutes, and this clock stands still.
  await stack.database.owner.query(
    `update staff.session set confirmed_at = 'epoch'
     where staff_id = (select id from staff.member where name = 'cashier')`,
  )
  await key.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click()
  await expect(key).toHaveCount(0)
})

test('a page with unsaved text is left only after a confirmation', async ({ page, stack }) => {
  await openAs(page, stack, 'owner', '/about')
  await page.getByRole('button', { name: 'As HTML' }).click()
  const html = page.getByRole('textbox', { name: /HTML/ })
  const before = await html.inputValue()
  await html.fill('<p>Half a sentence</p>')
  await page.getByRole('link', { name: 'Stops', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(question).toHaveCount(0)
  await expect(html).toHaveValue('<p>Half a sentence</p>')
  await page.getByRole('link', { name: 'Stops', exact: true }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/console\/stops$/)
  // Nothing is left to ask about.
  await page.getByRole('link', { name: 'Roles', exact: true }).click()
  await expect(page).toHaveURL(/\/console\/roles$/)
  await goTo(page, '/about')
  await expect(html).toHaveValue(before)
})

test('keys go from row to row of a list, into a page, and to the next one', async ({
  page,
  stack,
}) => {
  for (const name of ['in_turn_a', 'in_turn_b']) await seat(stack, { name })
  await openAs(page, stack, 'support', '/players')
  await page.getByLabel(/^Name, e-mail, number, /).fill('in_turn_')
  await expect(page.getByRole('row')).toHaveCount(3)
  expect(await axeOf(page)).toEqual([])
  // The address says what is filtered, for whoever gets it.
  await expect(page).toHaveURL(/in_turn_/)
  const address = page.url()
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'in_turn_b' })).toBeVisible()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page.getByRole('heading', { name: 'in_turn_a' })).toBeVisible()
  await expect(page.getByText('2 of 2 of this page of the list')).toBeVisible()
  await page.getByRole('button', { name: 'Before', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'in_turn_b' })).toBeVisible()
  await goTo(page, '/players')
  await expect(page.getByLabel(/^Name, e-mail, number, /)).toHaveValue('')
  await page.goto(address)
  await expect(page.getByRole('row')).toHaveCount(3)
})

test('without a session, a page of the console leads to the sign-in page in one step, not in hundreds', async ({
  page,
}) => {
  await page.addInitScript(`
    window.steps = []
    for (const name of ['pushState', 'replaceState']) {
      const original = history[name].bind(history)
      history[name] = (state, title, url) => {
        if (String(url).endsWith('/login')) steps.push(String(url))
        original(state, title, url)
      }
    }`)
  await page.goto('/console/players')
  await page.getByLabel('Name').fill('owner')
  expect(await page.evaluate('steps')).toEqual(['/console/login'])
  expect(await axeOf(page)).toEqual([])
})

test('before a session ends, staff are warned, whichever end is near, and a sign-out is final', async ({
  page,
  stack,
  console,
}) => {
  let ends = {}
  let hold: Promise<void> | undefined
  let onHeld: () => void = () => {}
  await page.route('**/api/staff/own/session', async (route) => {
    const response = await route.fetch()
    const reply = await response.json()
    if (hold) onHeld()
    await hold
    Object.assign(reply.data, ends)
    await route.fulfill({ response, json: reply })
  })
  // Its longest time is nearly over, though the person is there: what he types can still be saved.
  ends = { idle_seconds_left: 900, seconds_left: 100 }
  await openAs(page, stack, 'auditor')
  await expect(page.getByRole('alert').filter({ hasText: 'session ends' })).toBeVisible()
  await page.getByRole('link', { name: 'Roles' }).click()
  await expect(page).toHaveURL(/roles/)

  ends = { idle_seconds_left: 100, seconds_left: 900 }
  await page.reload()
  const warning = page.getByRole('dialog', { name: 'Are you still there?' })
  await expect(warning).toBeVisible()
  const answered = page.waitForResponse('**/api/staff/own/session')
  await warning.getByRole('button', { name: 'Stay signed in' }).click()
  await answered
  await expect(warning).toBeVisible()

  const released = Promise.withResolvers<void>()
  hold = released.promise
  const held = new Promise<void>((done) => {
    onHeld = done
  })
  await warning.getByRole('button', { name: 'Stay signed in' }).click()
  // The server has answered, and the page does not know it yet.
  await held
  await warning.getByRole('button', { name: 'Logout' }).click()
  const form = page.getByLabel('Code of your authenticator')
  await expect(form).toBeVisible()
  const late = page.waitForResponse('**/api/staff/own/session')
  released.resolve()
  await late
  await page.goBack()
  await expect(form).toBeVisible()
  await expect(page.getByRole('link', { name: 'Roles' })).toHaveCount(0)
  // On a slow machine the held call is given up and made again, after the end of the session.
  expect(console.splice(0).filter((message) => !/ 401 /.test(message))).toEqual([])
})

test('a window that becomes as narrow as a phone shows its page to readers, and its menu when asked', async ({
  page,
  stack,
}) => {
  await openAs(page, stack, 'owner', '/withdrawals')
  await expect(page.getByRole('link', { name: 'Withdrawals' })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  // By their roles, as readers find them.
  const open = page.getByRole('button', { name: 'Open menu' })
  await open.click()
  await expect(page.getByRole('link', { name: 'Withdrawals' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(open).toBeVisible()
})
