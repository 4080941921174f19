/**
 * Goal: a session begins and ends as the product says, with what the browser keeps of it. Method: by tapping, over the
 * real stack, and by reading the browser's storage and cookies.
 */
import type { Page } from '@playwright/test'
import { totpCodeOf } from '../../apps/server/src/secrets/one-time-codes.ts'
import { actAs, expect, expectToast, logIn, PASSWORD, stored } from '../browser.ts'
import { mailed, post, registerMember, type Stack, test } from '../stack.ts'

const DAY_S = 24 * 60 * 60

const SESSION_KEYS = ['avatar', 'group_id', 'id', 'idcard', 'money', 'token', 'userId']

test('a session is stored under the product’s names, and leaves nothing behind when it ends', async ({
  page,
  stack,
}) => {
  const member = await registerMember(stack)
  await logIn(page, member.name)
  await page.getByRole('link', { name: /^Me\b/ }).click()
  await expect(page.getByText(member.name)).toBeVisible()
  await expect
    .poll(async () => Object.keys(await stored(page, 'session')).sort())
    .toEqual(SESSION_KEYS)
  const session = await stored(page, 'session')
  expect(session).toMatchObject({
    userId: String(member.user_id),
    id: String(member.id),
    group_id: '1',
  })
  expect(session.money).toMatch(/^\d+\.\d{2,6}$/)

  await page.goto('/changeline')
  await page.getByText('Line 2').click()
  await expect.poll(async () => (await stored(page, 'session')).activeList).toBe('1')

  await page.goto('/setting?type=1')
  await page.getByText('Log out', { exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
  // The line belongs to the device, not to the player.
  await expect.poll(() => stored(page, 'session')).toEqual({ activeList: '1' })
  // The screen does not wait until the server knows.
  await expect
    .poll(async () => (await post(stack, '/api/user/userInfo', {}, session.token)).code)
    .toBe(50008)
})

test('remember-me signs in again for 14 days without a password, until the player logs out', async ({
  page,
  context,
  stack,
  console,
}) => {
  const member = await registerMember(stack)
  await logIn(page, member.name, { remember: true })

  const cookies = new Map((await context.cookies()).map((cookie) => [cookie.name, cookie]))
  for (const name of ['remember_name', 'remember_device', 'remember']) {
    const days = ((cookies.get(name)?.expires ?? 0) - Date.now() / 1000) / DAY_S
    expect(days, name).toBeGreaterThan(13.9)
    expect(days, name).toBeLessThanOrEqual(14)
    expect(cookies.get(name)?.sameSite, name).toBe('Strict')
  }
  expect(cookies.get('remember')?.httpOnly).toBe(true)
  expect(cookies.get('remember_name')?.value).toBe(member.name)
  const cookieText = [...cookies.values()].map(({ value }) => decodeURIComponent(value)).join(' ')
  expect(cookieText).not.toContain(PASSWORD)

  // A new tab has no session of its own.
  const later = await context.newPage()
  await later.goto('/personal')
  await expect(later.getByText(member.name)).toBeVisible()
  await expect(later).toHaveURL(/personal/)

  await later.goto('/setting?type=1')
  await later.getByText('Log out', { exact: true }).click()
  await later.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
  await expect.poll(() => stored(later, 'session')).toEqual({})
  const afterwards = await context.newPage()
  await afterwards.goto('/personal')
  await expect(afterwards).toHaveURL(/login/)
  await expect(afterwards.getByLabel('Username or email')).toHaveValue(member.name)
  await expect(afterwards.getByLabel('Password', { exact: true })).toHaveValue('')
  // The first tab learns of the end by its next call, and a browser reports every 401.
  expect(console.splice(0).filter((message) => !/ 401 /.test(message))).toEqual([])
})

test('without remember-me a new tab is signed out', async ({ page, context, stack }) => {
  const member = await registerMember(stack)
  await logIn(page, member.name)
  const kept = (await context.cookies()).filter(({ value }) => value !== '')
  // It says that the player has signed in here before, and signs nobody in.
  expect(kept).toMatchObject([{ name: 'device', httpOnly: true, sameSite: 'Strict' }])
  const later = await context.newPage()
  await later.goto('/personal')
  await expect(later).toHaveURL(/login/)
})

/** The link in the latest mail to an address that has these words: mails of several events have one. */
async function mailedLink(stack: Stack, email: string, words: RegExp): Promise<string> {
  return /http\S+\/takeBack#\S+/.exec(await mailed(stack, email, words))?.[0] ?? ''
}

async function confirmByPassword(page: Page) {
  const sheet = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await sheet.getByLabel('Login password').fill(PASSWORD)
  await sheet.getByRole('button', { name: 'Confirm' }).click()
  await expect(sheet).toBeHidden()
}

/** The instant at which the clock of these tests stands. */
async function instant({ database }: Stack): Promise<number> {
  const [clock] = await database.owner.query<{ now: number }>('select app.now() as now')
  return clock?.now ?? 0
}

test('a second factor is set up, and asked for on a new device', async ({
  page,
  anotherPage,
  stack,
}) => {
  const member = await registerMember(stack)
  await actAs(page.context(), member)
  await page.goto('/security')
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await confirmByPassword(page)
  const open = page.getByRole('link', { name: 'Open in an app on this device' })
  const secret = /secret=(\w+)/.exec((await open.getAttribute('href')) ?? '')?.[1] ?? ''
  const at = await instant(stack)
  // A step early: the app’s next code is then that of this moment.
  const first = totpCodeOf(secret, at - 30_000)
  await page.getByRole('dialog').getByRole('textbox').first().fill(first)
  await page.getByRole('button', { name: 'Switch on' }).click()
  const sheet = page.getByRole('dialog', { name: 'Your recovery codes' })
  await expect(sheet.getByRole('listitem')).toHaveCount(10)
  await sheet.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByText('Recovery codes left: 10')).toBeVisible()

  const phone = await anotherPage()
  await signInWith(phone, member.name)
  const field = phone.getByLabel('Code or recovery code')
  await field.fill(first)
  await phone.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(phone.getByText('This code has been used')).not.toHaveCount(0)
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await field.fill(totpCodeOf(secret, at))
  await phone.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(phone).not.toHaveURL(/login/)
})

test('a player who has lost his phone signs in by a recovery code, and switches the second factor off', async ({
  page,
  anotherPage,
  stack,
}) => {
  const { name, token } = await registerMember(stack)
  await post(stack, '/api/user/prove', { password: PASSWORD }, token)
  const { data } = await post(stack, '/api/user/authenticatorSetup', {}, token)
  const { secret, setup } = data as { secret: string; setup: string }
  const code = totpCodeOf(secret, await instant(stack))
  const on = await post(stack, '/api/user/switchFactorOn', { setup, code }, token)
  const { recovery_codes: codes } = on.data as { recovery_codes: [string, string] }
  await signInWith(page, name)
  await page.getByLabel('Code or recovery code').fill(codes[0])
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page).not.toHaveURL(/login/)
  await page.goto('/security')
  await expect(page.getByText('Recovery codes left: 9')).toBeVisible()
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Login password').fill(PASSWORD)
  await proof.getByLabel('Code or recovery code').fill(codes[1])
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await expectToast(page, 'Two-step login is off')
  const again = await anotherPage()
  await logIn(again, name)
})

test('a mail’s link acts by its button alone: it ends a sign-in on a new device, and asks for a new password', async ({
  page,
  anotherPage,
  stack,
}) => {
  const member = await registerMember(stack)
  const thief = await anotherPage()
  await logIn(thief, member.name)
  const { token = '' } = await stored(thief, 'session')
  const link = await mailedLink(stack, `${member.name}@example.org`, /new device/)
  const state = async () => (await post(stack, '/api/user/userInfo', {}, token)).code
  // As a program does that looks through mails.
  expect((await fetch(link)).status).toBe(200)
  await page.goto(link)
  const lock = page.getByRole('button', { name: 'It was not me: lock my account' })
  await expect(lock).toBeVisible()
  expect(await state()).toBe(1)
  await lock.click()
  await expect(page.getByRole('heading', { name: 'Your account is locked' })).toBeVisible()
  expect(await state()).toBe(50012)
  await page.goto(link)
  await page.reload()
  await lock.click()
  await expect(page.getByText('This link was used already')).toBeVisible()
  await page.getByRole('link', { name: 'Set a new password' }).click()
  await expect(page).toHaveURL(/forget/)
})

test('the address of an account changes by two mailed codes, and its earlier mailbox has the way back', async ({
  page,
  stack,
  console,
}) => {
  const member = await registerMember(stack)
  const [old, next] = [`${member.name}@example.org`, `${member.name}@example.com`]
  // The code of registering was a moment ago, and this clock stands still.
  await stack.database.owner.query(
    `update accounts.email_code set created_at = created_at - interval '61 seconds' where email_key = $1`,
    [old],
  )
  await actAs(page.context(), member)
  await page.goto('/security')
  await page.getByRole('button', { name: 'Change the address' }).click()
  await page.getByLabel('New email address').fill(next)
  await page.getByRole('button', { name: 'Send both codes' }).click()
  await confirmByPassword(page)
  for (const email of [old, next]) {
    const code = /is (\d{6})/.exec(await mailed(stack, email, /this address/))?.[1] ?? ''
    await page.getByLabel(`Code sent to ${email}`).getByRole('textbox').first().fill(code)
  }
  await page.getByRole('button', { name: 'Change the address' }).click()
  await expectToast(page, 'Email address changed')
  await expect(page.getByText(next)).toBeVisible()
  await page.goto(await mailedLink(stack, old, /was changed/))
  await page.reload()
  await page.getByRole('button', { name: 'It was not me: lock my account' }).click()
  await expect(page.getByText('has its earlier email address again')).toBeVisible()
  const reply = await post(stack, '/api/user/login', { account: old, password: PASSWORD })
  expect(reply).toMatchObject({ data: { reason: 'password_reset_required' } })
  // The device was signed in when it took the account back, and a browser reports every 401.
  expect(console.splice(0).filter((message) => !/ 401 /.test(message))).toEqual([])
})

async function signInWith(page: Page, name: string) {
  await page.goto('/login')
  await page.getByLabel('Username or email').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}
