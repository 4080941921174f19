/** A player's own account: his figures, a file with his data, and closing it. */
import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import { actAs, expect, PASSWORD } from '../browser.ts'
import { post, registerMember, seat, test } from '../stack.ts'

test('the figures show a deposit in this month, in twelve and in all', async ({ page, stack }) => {
  await actAs(page.context(), await seat(stack, { u: 512 }))
  await page.goto('/setting?type=2')
  await page.getByRole('link', { name: 'My figures' }).click()
  // The panel that is left is still there for a moment.
  const panel = (name: string) => page.getByRole('tabpanel', { name })
  await expect(panel('Last 12 months')).toContainText(/Deposited\s*512\.00/)
  await page.getByRole('tab', { name: 'All time' }).click()
  await expect(panel('All time')).toContainText(/Net deposits\s*512\.00/)
  await expect(page.getByRole('img', { name: /^Result by month/ })).toBeVisible()
})

test('a change of a limit is in the log of changes', async ({ page, stack }) => {
  const player = await seat(stack)
  await actAs(page.context(), player)
  const limit = { kind: 'stake', period: 'week', money: '250' }
  await post(stack, '/api/protection/setLimit', limit, player.token)
  await page.goto('/figures')
  await page.getByRole('link', { name: 'Log of changes' }).click()
  await expect(page.getByText('Weekly stakes · none → 250.00 u')).toBeVisible()
})

test('a player requests his data with his password, and downloads the file when it is ready', async ({
  page,
  stack,
}) => {
  const player = await registerMember(stack)
  await actAs(page.context(), player)
  await page.goto('/ownData')
  await page.getByLabel('Login password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Ask for my data' }).click()
  const fetch = page.getByRole('button', { name: /^Download/ })
  await expect(fetch).toBeVisible()
  const [download] = await Promise.all([page.waitForEvent('download'), fetch.click()])
  expect(download.suggestedFilename()).toMatch(/^sum28-data-\d+\.zip$/)
  const files = unzipSync(readFileSync(await download.path()))
  expect(new TextDecoder().decode(files['account.json'])).toContain(`${player.name}@example.org`)
})

test('an account with a balance cannot be closed, and an empty one is closed permanently', async ({
  page,
  stack,
}) => {
  await actAs(page.context(), await seat(stack, { u: 300 }))
  await page.goto('/closeAccount')
  await expect(page.getByText('Something is still open')).toBeVisible()
  await expect(page.getByText(/300\.00/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Withdraw the balance' })).toBeVisible()

  const player = await registerMember(stack)
  await actAs(page.context(), player)
  await page.goto('/closeAccount')
  await page.getByLabel('Login password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Close for good' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Close for good' }).click()
  await expect(page).toHaveURL(`${stack.url}/`)
  const again = { account: player.name, password: PASSWORD }
  expect(await post(stack, '/api/user/login', again)).toMatchObject({
    code: 0,
    data: { reason: 'account_closed' },
  })
})
