/** The console on all pages: how members come, sign in and prove themselves, and its width. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { staffToken } from '../../apps/server/testing/people/staff.ts'
import { SECRET_KEY } from '../../apps/server/testing/product/secret-key.ts'
import { axeOf as axeWithDialog } from '../appearance.ts'
import { expect, giveAuthenticator } from '../browser.ts'
import { axeOf, codeNow, DESKTOP, goTo, openAs } from '../console-people.ts'
import { mailed, post, type Stack, test } from '../stack.ts'

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

test('two owners add a member, whose mail leads to the first sign-in; he signs out, and in with his own password', async ({
  page,
  stack,
}) => {
  const second = await staffToken(stack.database)
  await openAs(page, stack, 'owner', '/members')
  await page.getByRole('button', { name: 'Add a member' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('dora')
  await dialog.getByLabel('Role').click()
  await page.getByRole('option', { name: 'finance' }).click()
  await dialog.getByLabel('E-mail address').fill('dora@example.org')
  await dialog.getByLabel('Reason').fill('pays from Monday on')
  expect(await axeWithDialog(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add a member' }).click()
  // What waits stands below the list, and its maker can only withdraw it.
  await expect(page.getByText('waits: 1 of 2')).toBeVisible()
  await expect(page.getByText('owner proposes it: pays from Monday on')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Confirm' })).toHaveCount(0)

  const { data } = await post(stack, '/api/staff/proposals', { kind: 'member' }, second)
  const [{ id }] = (data as { list: [{ id: number }] }).list
  await post(stack, '/api/staff/proposals/confirm', { id }, second)
  await page.reload()
  await expect(page.getByRole('cell', { name: /dora/ }).first()).toBeVisible()
  const mail = await mailed(stack, 'dora@example.org', /console/)
  // The owner’s page would ask once more, without a session.
  await page.goto(`${stack.url}/dev/mail`)
  await page.context().clearCookies()
  await page.goto(`${stack.url}${/\/console\/login#\S+/.exec(mail)?.[0]}`)
  await expect(page.getByLabel('Name')).toHaveValue('dora')
  expect(page.url()).not.toContain('first')
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

  await page.getByRole('button', { name: /dora/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Name').fill('dora')
  await page.getByLabel('Password').fill('a passphrase of my own')
  await page.getByLabel('Recovery code').fill(recovery)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Start' })).toBeVisible()
  await goTo(page, '/own')
  await expect(page.getByText('9 recovery codes are left.')).toBeVisible()
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

test('on a tablet the menu leaves its room to the lists until it is opened, and in a wide window it is open', async ({
  page,
  stack,
}) => {
  await openAs(page, stack, 'owner', '/withdrawals')
  const area = page.getByRole('button', { name: 'Money', exact: true })
  await expect(area).toBeVisible()
  await page.setViewportSize({ width: 768, height: 1024 })
  await expect(area).toHaveCount(0)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(area).toBeVisible()
  await page.getByRole('link', { name: 'Deposits', exact: true }).click()
  await expect(area).toHaveCount(0)
  await page.setViewportSize(DESKTOP.viewport)
  await expect(area).toBeVisible()
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
