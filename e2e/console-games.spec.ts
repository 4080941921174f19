/** Rooms in the operator's console: a change that the guard refuses, and one that two persons make. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expect, type Stack, test } from './stack.ts'

test.use({ viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false })

type Person = { name: string; password: string; totp_secret: string }

async function signIn(page: Page, { url, dataDir }: Stack, name: string): Promise<void> {
  const file = JSON.parse(readFileSync(join(dataDir, 'demo-staff.json'), 'utf8')) as Person & {
    others: Person[]
  }
  const person = [file, ...file.others].find((each) => each.name === name)
  if (!person) throw new Error(`demo-staff.json has no ${name}`)
  await page.goto(`${url}/console`)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(person.password)
  const code = new TOTP({ secret: Secret.fromBase32(person.totp_secret) }).generate()
  await page.getByLabel('Code of your authenticator').fill(code)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Rooms', exact: true })).toBeVisible()
}

async function expectNoFaultOfAxe(page: Page): Promise<void> {
  // While a dialog closes, the page behind it is hidden from readers.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // The bar with the page's heading is hidden while one scrolls down.
  await page.evaluate('window.scrollTo(0, 0)')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const { violations } = await new AxeBuilder({ page }).analyze()
  const told = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  )
  expect(told, page.url()).toEqual([])
}

test('odds change by two persons, within the guard, from the next round on', async ({
  page,
  browser,
  stack,
}) => {
  await signIn(page, stack, 'owner')
  await page.getByRole('menuitem', { name: 'Rooms', exact: true }).click()
  await page.getByRole('cell', { name: 'DOT' }).first().click()
  const odds = page.getByRole('textbox', { name: 'Odds of long', exact: true })
  const long = page.getByRole('row').filter({ has: odds })
  const propose = page.getByRole('button', { name: 'Propose the change' })
  await odds.fill('2.001')
  await expect(long).toContainText('1.0005')
  await expect(propose).toBeDisabled()
  await odds.fill('1.8')
  await expect(long).toContainText('0.9000')
  await expectNoFaultOfAxe(page)
  await propose.click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('a calmer room')
  await page.getByRole('dialog').getByRole('button', { name: 'Propose the change' }).click()
  await expect(page.getByRole('heading', { name: 'A change waits' })).toBeVisible()
  await expectNoFaultOfAxe(page)

  const colleague = await browser.newContext({ viewport: { width: 1024, height: 768 } })
  const other = await colleague.newPage()
  await signIn(other, stack, 'finance')
  await other.goto(`${stack.url}/console/room-changes`)
  await other.getByRole('button', { name: 'Confirm the change' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Confirm the change' }).click()
  await expect(
    other.getByText('Confirmed. It becomes effective with the next round.'),
  ).toBeVisible()
  await expect(other.getByRole('cell', { name: 'effective', exact: true })).toBeVisible()
  await expectNoFaultOfAxe(other)
  await other.goto(`${stack.url}/console/rooms`)
  await expect(other.getByRole('cell', { name: 'DOT' }).first()).toBeVisible()
  await expectNoFaultOfAxe(other)
  await colleague.close()

  await expect(odds).toHaveValue('1.8')
})
