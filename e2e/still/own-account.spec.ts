/** A player's own account: his withdrawals, a file with his data, and closing it. */

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import {
  actAs,
  expect,
  expectToast,
  givePushService,
  PASSWORD,
  pushEndpointIn,
} from '../browser.ts'
import {
  type Player,
  post,
  registerMember,
  type Stack,
  seat,
  sessionOfStaff,
  test,
} from '../stack.ts'

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
  await fetch.click()
  await page.getByRole('dialog').getByLabel('Login password').fill(PASSWORD)
  const confirm = page.getByRole('button', { name: 'Confirm', exact: true })
  const [download] = await Promise.all([page.waitForEvent('download'), confirm.click()])
  expect(download.suggestedFilename()).toMatch(/^sum28-data-\d+\.zip$/)
  const files = unzipSync(readFileSync(await download.path()))
  expect(new TextDecoder().decode(files['account.json'])).toContain(`${player.name}@example.org`)
})

test('an account with a balance cannot be closed, and an empty one is closed permanently', async ({
  page,
  stack,
  console,
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
  // A call may get the end of the session before the page has the reply, and a browser reports every 401.
  expect(console.splice(0).filter((message) => !/ 401 /.test(message))).toEqual([])
})

const CODE = '271828'
const WALLET = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'

/** The player's withdrawal that waits: others of the stack wait too. */
async function waitingId({ database }: Stack, { id }: Pick<Player, 'id'>): Promise<number> {
  const [waiting] = await database.owner.query<{ id: bigint }>(
    `select id from withdrawals.withdrawal where player_id = $1 and state = 'waiting'`,
    [id],
  )
  if (!waiting) throw new Error('no withdrawal of the player waits')
  return Number(waiting.id)
}

async function requestWithdrawal(page: Page, amount: string): Promise<void> {
  await page.goto('/withdraw?group_id=1')
  await page.getByLabel('Amount').fill(amount)
  await page
    .locator('label', { has: page.getByRole('radio') })
    .first()
    .click()
  await page.getByRole('button', { name: 'Continue' }).click()
  const review = page.getByRole('dialog')
  await expect(review).toContainText(`${amount}.00`)
  await expect(review).toContainText('You receive')
  await review.locator('input').first().click()
  await page.keyboard.type(CODE)
  await expect(page.getByText('Withdrawal requested')).toBeVisible()
}

test('a member saves a wallet, sets a code, withdraws, and staff decide', async ({
  page,
  context,
  stack,
}) => {
  const member = await seat(stack, { u: 1_000 })
  await actAs(context, member)
  const staff = await sessionOfStaff(stack, 'owner')

  await test.step('saves a wallet, and sets a code', async () => {
    await page.goto('/addVirtualWallet')
    await page.getByLabel('Wallet address').fill(WALLET)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveURL(/bankCardManage/i)
    await page.goto('/setSecurityCode?isTrue=false')
    await page.locator('main input').first().click()
    // The second field gets the focus once the first is full.
    await page.keyboard.type(CODE + CODE)
    await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toBeVisible()
  })

  await test.step('withdraws, and it is approved', async () => {
    await requestWithdrawal(page, '300')
    const id = await waitingId(stack, member)
    expect((await post(stack, '/api/staff/withdrawals/approve', { id }, staff)).code).toBe(1)
    const paid = { id, reference: randomBytes(32).toString('hex') }
    // The person who approved may not record the payout.
    const finance = await sessionOfStaff(stack, 'finance')
    expect((await post(stack, '/api/staff/withdrawals/take', { id }, finance)).code).toBe(1)
    expect((await post(stack, '/api/staff/withdrawals/payout', paid, finance)).code).toBe(1)
  })

  await test.step('another withdrawal is rejected, and the money returns', async () => {
    const another = { type: 1, money: '200', security_code: CODE }
    expect((await post(stack, '/api/user/withdrawAction', another, member.token)).code).toBe(1)
    const id = await waitingId(stack, member)
    const rejected = { id, reason: 'The journey asks for it' }
    expect((await post(stack, '/api/staff/withdrawals/reject', rejected, staff)).code).toBe(1)
    await page.goto('/CapitalDetail')
    await expect(page.getByText('−300.00').first()).toBeVisible()
    await expect(page.getByText('−200.00').first()).toBeVisible()
    await expect(page.getByText('+200.00').first()).toBeVisible()
    await page.goto('/personal')
    await expect(page.getByText('700.00').first()).toBeVisible()
  })

  await test.step('finds each step in the inbox', async () => {
    await page.goto('/Notice')
    await page.getByRole('tab').first().click()
    for (const title of ['requested', 'approved', 'rejected']) {
      await expect(page.getByText(new RegExp(`Withdrawal of .* ${title}`)).first()).toBeVisible()
    }
  })
})

test.describe('in a browser with a push service', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a player who has requested a withdrawal is offered to be told of its decision, which is queued, until he logs out', async ({
    page,
    context,
    stack,
  }) => {
    const { owner } = stack.database
    const member = await seat(stack, { u: 1_000 })
    const wallet = { type: 1, acc: WALLET, acc_name: 'TRC20' }
    await post(stack, '/api/user/setPayInfo', wallet, member.token)
    await post(stack, '/api/user/setSafety', { new_code: CODE }, member.token)
    await givePushService(context)
    await actAs(context, member)
    await requestWithdrawal(page, '300')
    // A browser subscribes once it has stored the app.
    await page.evaluate(
      `navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)`,
    )
    const done = page.getByRole('alertdialog')
    await done.getByText('Tell me on this device when it is decided').click()
    await expectToast(page, 'Notifications are on')
    const endpoint = await pushEndpointIn(page)
    expect(
      await owner.query(
        `select endpoint, topics, amounts from inbox.push_choice join inbox.push_subscription using (player_id)
         where player_id = $1`,
        [member.id],
      ),
    ).toEqual([{ endpoint, topics: ['withdrawal'], amounts: false }])

    const staff = await sessionOfStaff(stack, 'owner')
    const id = await waitingId(stack, member)
    expect((await post(stack, '/api/staff/withdrawals/approve', { id }, staff)).code).toBe(1)
    // To a push service that no name leads to: it stays in the queue, to be tried again.
    const queued = await owner.query<{ kind: string }>(
      `select message ->> 'kind' as kind from graphile_worker._private_jobs
         cross join json_array_elements(case json_typeof(payload) when 'array' then payload else '[]' end) message
         join inbox.push_subscription subscription on message ->> 'subscription' = subscription.id::text
       where player_id = $1`,
      [member.id],
    )
    expect(queued).toEqual([{ kind: 'withdrawal_approved' }])

    await page.goto('/changes')
    await expect(page.getByText('Notifications turned on').first()).toBeVisible()
    await page.goto('/setting?type=1')
    await expect(page.getByLabel('Withdrawals: approved, rejected or paid')).toBeChecked()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
    await expect.poll(() => pushEndpointIn(page)).toBeNull()
    const sessions = `select from accounts.session where player_id = $1 and ended_at is null`
    await expect.poll(() => owner.query(sessions, [member.id])).toEqual([])
  })
})
