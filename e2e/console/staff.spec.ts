/** The console's staff: a new member from the proposal to the first sign-in, own account, and alerts. */

import { codeOfTimeStep, staffToken } from '../../apps/server/testing/people/staff.ts'
import { timeOf } from '../../apps/server/testing/product/play-round.ts'
import { axeOf } from '../appearance.ts'
import { expect } from '../browser.ts'
import { DESKTOP, goTo, openAs, postAs } from '../console-people.ts'
import { test } from '../stack.ts'

test.use(DESKTOP)

test('two owners add a member, whose mail leads to the first sign-in', async ({ page, stack }) => {
  const second = await staffToken(stack.database)
  await openAs(page, stack, 'owner', '/members')
  await page.getByRole('button', { name: 'Add a member' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('dora')
  await dialog.getByLabel('Role').click()
  await page.getByRole('option', { name: 'finance' }).click()
  await dialog.getByLabel('E-mail address').fill('dora@example.org')
  await dialog.getByLabel('Reason').fill('pays from Monday on')
  expect(await axeOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add a member' }).click()
  // What waits stands below the list, and its maker can only withdraw it.
  await expect(page.getByText('waits: 1 of 2')).toBeVisible()
  await expect(page.getByText('owner proposes it: pays from Monday on')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Confirm' })).toHaveCount(0)

  const headers = { Token: second }
  const { data } = await (
    await postAs(page, '/api/staff/proposals', { data: { kind: 'member' }, headers })
  ).json()
  const [{ id }] = data.list
  await postAs(page, '/api/staff/proposals/confirm', { data: { id }, headers })
  await page.reload()
  await expect(page.getByRole('cell', { name: /dora/ }).first()).toBeVisible()

  let link: string | undefined
  await expect(async () => {
    const mails = (await (await fetch(`${stack.url}/dev/mail`)).json()) as {
      to: string
      text: string
    }[]
    const mail = mails.find(({ to }) => to === 'dora@example.org')
    link = /\/console\/login#\S+/.exec(mail?.text ?? '')?.[0]
    expect(link).toBeDefined()
  }).toPass()
  // The owner’s page would ask once more, without a session.
  await page.goto(`${stack.url}/dev/mail`)
  await page.context().clearCookies()
  await page.goto(`${stack.url}${link}`)
  await expect(page.getByLabel('Name')).toHaveValue('dora')
  expect(page.url()).not.toContain('first')
  await page.getByRole('button', { name: 'Continue' }).click()
  const secret = (await page.getByTestId('totp-secret').textContent()) ?? ''
  await page.getByLabel('Your new password', { exact: true }).fill('a passphrase of her own')
  await page.getByLabel('Your new password again').fill('a passphrase of her own')
  const step = Math.floor((await timeOf(stack)) / 30_000)
  await page.getByLabel('Code of your authenticator').fill(codeOfTimeStep(secret, step))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByRole('heading', { name: 'Start' })).toBeVisible()
  await expect(page.getByRole('button', { name: /dora/ })).toBeVisible()
})

test('an owner sees and ends a colleague’s session', async ({ page, stack }) => {
  const token = await staffToken(stack.database, { name: 'auditor' })
  await openAs(page, stack, 'owner', '/members')
  const row = page.getByRole('row', { name: /auditor/ })
  await row.getByRole('button', { name: /^\d+$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Sessions of auditor' })
  await expect(dialog.getByRole('button', { name: 'End session' }).first()).toBeVisible()
  expect(await axeOf(page)).toEqual([])
  const own = () => postAs(page, '/api/staff/own/session', { data: {}, headers: { Token: token } })
  expect((await own()).status()).toBe(200)
  await dialog.getByRole('button', { name: 'End session' }).first().click()
  await page
    .getByRole('dialog', { name: 'End session' })
    .getByRole('button', { name: 'End session' })
    .click()
  await expect.poll(async () => (await own()).status()).toBe(401)
})

test('a member chooses alerts, and an owner adds and removes a webhook', async ({
  page,
  stack,
  console,
}) => {
  await openAs(page, stack, 'owner', '/own')
  await goTo(page, '/alerts')
  await expect(page.getByText('No e-mail address')).toBeVisible()
  await page.getByLabel('A check failed').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your choice is saved.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('A check failed')).not.toBeChecked()
  await expect(page.getByLabel('Betting is stopped')).toBeChecked()

  await page.getByRole('button', { name: 'Add an address' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill('ftp://alerts.example.org')
  await dialog.getByRole('button', { name: 'Add an address' }).click()
  await expect(dialog.getByText('must be an https address of the internet')).toBeVisible()
  expect(console.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')])
  await dialog.getByLabel('Address').fill('https://alerts.example.org/in')
  await dialog.getByRole('button', { name: 'Add an address' }).click()
  await expect(dialog.getByText('It is not shown again')).toBeVisible()
  expect(await axeOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Alerts are sent to no address.')).toBeVisible()
})
