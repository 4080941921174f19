/**
 * Goal: a session begins and ends as the product says, with what the browser keeps of it. Method: by tapping, over the
 * real stack, and by reading the browser's storage and cookies.
 */
import { expect, logIn, PASSWORD, stored } from '../browser.ts'
import { post, registerMember, test } from '../stack.ts'

const DAY_S = 24 * 60 * 60

const SESSION_KEYS = ['avatar', 'group_id', 'id', 'idcard', 'money', 'token', 'userId']

test('a session is stored under the product’s names, and leaves nothing behind when it ends', async ({
  page,
  stack,
}) => {
  const member = await registerMember(stack)
  await logIn(page, member.name)
  await page.getByRole('link', { name: 'Me', exact: true }).click()
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
  expect((await context.cookies()).filter(({ value }) => value !== '')).toEqual([])
  const later = await context.newPage()
  await later.goto('/personal')
  await expect(later).toHaveURL(/login/)
})

test('a token that the server does not know ends the session', async ({ page, stack, console }) => {
  const member = await registerMember(stack)
  await logIn(page, member.name)
  const { token } = await stored(page, 'session')
  // The page reloads itself; a click before that would be lost.
  await page.evaluate('window.stillTheSame = true')
  await post(stack, '/api/user/logout', {}, token)
  await expect(async () => {
    expect(await page.evaluate('window.stillTheSame')).toBeUndefined()
  }).toPass()
  await page.getByRole('link', { name: 'Me', exact: true }).click()
  await expect(page).toHaveURL(/login/)
  expect(await stored(page, 'session')).toEqual({})
  // The browser itself reports a refused call; nothing else may be reported.
  const others = console.filter((message) => !/status of 401/.test(message))
  console.splice(0, console.length, ...others)
})
