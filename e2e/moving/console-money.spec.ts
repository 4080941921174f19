/** Money in the operator's console: actions of two persons, in a real browser over the real stack. */
import type { Locator, Page } from '@playwright/test'
import { demoPerson } from '../../apps/server/src/modules/staff/demo-staff.ts'
import { timeOf } from '../../apps/server/testing/product/play-round.ts'
import { type AnotherPage, actAs, expect } from '../browser.ts'
import { axeOf, codeNow, DESKTOP, goTo, openAs } from '../console-people.ts'
import { installClock, pass, stopClock } from '../exact-clock.ts'
import { type Player, post, type Stack, seat, sessionOfStaff, test } from '../stack.ts'

test.use(DESKTOP)

const SMALL = { viewport: { width: 1024, height: 768 } }

/** A window of 1440 × 900 at 150%. */
const ENLARGED = { width: 960, height: 600 }

/** A page on which another of the demo's people is signed in. */
async function pageOf(
  anotherPage: AnotherPage,
  stack: Stack,
  name: string,
  path?: string,
): Promise<Page> {
  const page = await anotherPage(SMALL)
  await openAs(page, stack, name, path)
  return page
}

/** Presses a button, fills the fields of its dialog, and presses the dialog's button of the same name. */
async function decide(
  page: Page,
  name: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value)
  // The player who is looked up is shown before anything is done to him.
  if (fields.Player) await expect(dialog.getByRole('link', { name: fields.Player })).toBeVisible()
  await dialog.getByRole('button', { name, exact: true }).click()
  await expect(dialog).toHaveCount(0)
}

/** Sees parts of a row without scrolling, in small windows too: no other column covers an end of them. */
async function expectInSight(page: Page, ...parts: Locator[]): Promise<void> {
  for (const size of [ENLARGED, SMALL.viewport]) {
    await page.setViewportSize(size)
    for (const part of parts) {
      const isOnTop = () =>
        part.evaluate((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect()
          return [left + 1, right - 1].every((x) =>
            element.contains(element.ownerDocument.elementFromPoint(x, (top + bottom) / 2)),
          )
        })
      await expect.poll(isOnTop, `${part} at ${size.width} px`).toBe(true)
    }
  }
}

const CODE = '271828'

/** Gives a player a security code and a bank card, and requests a withdrawal to it. */
async function requestWithdrawal(stack: Stack, { token }: Player, money: string): Promise<number> {
  await post(stack, '/api/user/setSafety', { new_code: CODE }, token)
  const card = { type: 0, acc: 'Ann Lee', acc_name: '4242424242424242', acc_bank: 'Hanoi' }
  const method = await post(stack, '/api/user/setPayInfo', card, token)
  const withdrawal = { pay_id: (method.data as { id: number }).id, money, security_code: CODE }
  const made = await post(stack, '/api/user/withdrawAction', withdrawal, token)
  return (made.data as { id: number }).id
}

test('a withdrawal that cannot be paid is returned by two persons', async ({
  page,
  anotherPage,
  stack,
}) => {
  const player = await seat(stack, { u: 300, name: 'unpaid_ann' })
  const money = async () => {
    const { data: info } = await post(stack, '/api/user/userInfo', {}, player.token)
    return (info as { money: string }).money
  }
  const id = await requestWithdrawal(stack, player, '120')
  await openAs(page, stack, 'finance', `/withdrawals/${id}/show`)
  await decide(page, 'Approve')
  const reason = 'Your bank has closed this account'
  await decide(page, 'Return unpaid', { Reason: reason })
  await expect(page.getByText('to return', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Withdraw', exact: true })).toBeVisible()
  await expect(page.getByText('waits: 1 of 2', { exact: true })).toBeVisible()
  await expect(page.getByText('Free balance: 180.00 u → 300.00 u')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Confirm', exact: true })).toHaveCount(0)
  expect(await axeOf(page)).toEqual([])
  // The start page leads another person there.
  const other = await pageOf(anotherPage, stack, 'cashier')
  await other
    .getByRole('link', { name: /Proposals/ })
    .first()
    .click()
  const row = other.getByRole('row').filter({ hasText: 'unpaid_ann' })
  await expect(row).toContainText(reason)
  const confirm = row.getByRole('button', { name: 'Confirm' })
  await expectInSight(other, row.getByText('waits: 1 of 2'), confirm)
  expect(await axeOf(other)).toEqual([])
  await row.getByRole('link', { name: 'unpaid_ann' }).click()
  await decide(other, 'Confirm')
  await expect(other.getByText('confirmed: 2 of 2', { exact: true })).toBeVisible()
  expect(await money()).toBe('300.00')

  const app = await anotherPage({ viewport: { width: 390, height: 844 } })
  await actAs(app.context(), player)
  await app.goto(`${stack.url}/CapitalDetail`)
  await expect(app.getByText('Withdrawal not paid, returned')).toBeVisible()
})

test('a large withdrawal with two persons, which the bank pays', async ({
  page,
  anotherPage,
  stack,
}) => {
  const player = await seat(stack, { name: 'large_bea', u: 20_000 })
  const id = await requestWithdrawal(stack, player, '15000')
  await openAs(page, stack, 'cashier', '/bank-batches')
  const finance = await pageOf(anotherPage, stack, 'finance', '/withdrawals')
  const owner = await pageOf(anotherPage, stack, 'owner', `/withdrawals/${id}/show`)
  await test.step('two persons approve it, and see what calls for a closer look', async () => {
    const row = finance.getByRole('row').filter({ hasText: 'large_bea' })
    const decisions = ['Approve', 'Reject'].map((name) => row.getByRole('button', { name }))
    await expectInSight(finance, row.getByText('waiting'), ...decisions)
    await row.getByText('first withdrawal').click()
    await expect(finance.getByText('No withdrawal of this player was approved')).toBeVisible()
    await expect(finance.getByText('Less was staked than deposited')).toContainText('20,000.00 u')
    expect(await axeOf(finance)).toEqual([])
    await finance.getByRole('button', { name: 'Show the whole number' }).click()
    await expect(finance.getByRole('status').getByText('4242424242424242')).toBeVisible()
    await decide(finance, 'Approve')
    await expect(finance.getByText('First approval by')).toBeVisible()
    await decide(owner, 'Approve')
    await expect(owner.getByText('to pay', { exact: true })).toBeVisible()
  })

  await test.step('another person exports it for the bank, and takes the answer', async () => {
    await decide(page, 'Export for the bank')
    await page.getByRole('row').filter({ hasText: '15,000.00 u' }).getByText('cashier').click()
    await expect(page.getByRole('button', { name: 'Download the file' })).toBeVisible()
    expect(await axeOf(page)).toEqual([])
    const began = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the file' }).click()
    expect((await began).suggestedFilename()).toMatch(/^batch-\d+\.csv$/)
    const send = (lines: string) =>
      page.locator('input[type=file]').setInputFiles({
        name: 'answer.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`withdrawal,amount,status,reference\n${lines}`),
      })
    await send(`${id},15000.01,paid,OUT 815`)
    await expect(page.getByText('Line 2: The amount is not that of the withdrawal.')).toBeVisible()
    await send(`${id},15000.00,paid,OUT 815`)
    await page.getByRole('button', { name: 'Record it', exact: true }).click()
    await expect(page.getByRole('cell', { name: 'OUT 815' })).toBeVisible()
    await expect(page.getByText('answered', { exact: true })).toBeVisible()
    expect(await axeOf(page)).toEqual([])
  })
  await goTo(page, `/withdrawals/${id}/show`)
  await expect(page.getByRole('definition').filter({ hasText: 'OUT 815' }).first()).toBeVisible()
})

/**
 * Counts the presses of the pointer on a page from now on. Not at the window, where Playwright ends a press whose target
 * has moved away, and then repeats it.
 */
async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`
    window.presses = 0
    document.addEventListener('pointerdown', () => { window.presses += 1 }, true)`)
  return () => page.evaluate<number>('window.presses')
}

/** The card of a need on the start page. */
const cardOf = (page: Page, text: string) => page.getByRole('link', { name: new RegExp(text) })

test('a sign-in takes four presses, and whose role may do nothing sees what waits for others', async ({
  anotherPage,
  stack,
}) => {
  // A clock that tests move leaves a witness no time to sign.
  await stack.database.owner.query('update public_log.name set asks_witnesses = false')
  const player = await seat(stack, { u: 300, name: 'waiting_wim' })
  await requestWithdrawal(stack, player, '150')
  const own = demoPerson(stack.dataDir, 'auditor')
  const page = await anotherPage()
  await page.goto(`${stack.url}/console`)
  const presses = await countPresses(page)
  await page.getByLabel('Name').click()
  await page.keyboard.type('auditor')
  await page.getByLabel('Password').click()
  await page.keyboard.type(own?.password ?? '')
  await page.getByLabel('Code of your authenticator').click()
  await page.keyboard.type(await codeNow(stack, own?.totp_secret ?? ''))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('Nothing waits for you.')).toBeVisible()
  expect(await presses()).toBe(4)
  await expect(cardOf(page, 'Withdrawals wait')).toBeVisible()
  expect(await axeOf(page)).toEqual([])
})

test('a small withdrawal takes three presses, with payee and hints in sight, and anything is found by one', async ({
  page,
  stack,
}) => {
  const player = await seat(stack, { u: 300, name: 'small_sam' })
  await requestWithdrawal(stack, player, '150')
  await openAs(page, stack, 'finance')
  const presses = await countPresses(page)
  await cardOf(page, 'Withdrawals wait').click()
  const row = page.getByRole('row').filter({ hasText: 'small_sam' })
  await row.getByRole('button', { name: 'Approve', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('150.00 u')
  await expect(dialog).toContainText('Ann Lee, Hanoi')
  await expect(dialog).toContainText('No withdrawal of this player was approved before.')
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(row).toHaveCount(0)
  expect(await presses()).toBe(3)

  await page.getByRole('button', { name: /^Search/ }).click()
  await page.keyboard.type('small_sa')
  await expect(page.getByRole('option', { name: /small_sam@example/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'small_sam' })).toBeVisible()
  expect(await presses()).toBe(4)
})

test('a bank deposit takes three presses, and two by another person', async ({
  page,
  anotherPage,
  stack,
}) => {
  await seat(stack, { name: 'banked_ben' })
  await openAs(page, stack, 'cashier')
  const presses = await countPresses(page)
  await page.getByRole('link', { name: 'Proposals', exact: true }).click()
  await page.getByRole('button', { name: 'Record a bank deposit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Player').fill('banked_b')
  await expect(dialog.getByRole('link', { name: 'banked_ben' })).toBeVisible()
  await dialog.getByLabel('Amount in u').fill('75')
  await dialog.getByLabel('The bank’s reference').fill('IN 75')
  await dialog.getByRole('button', { name: 'Record a bank deposit' }).click()
  await expect(dialog).toHaveCount(0)
  expect(await presses()).toBe(3)

  const other = await pageOf(anotherPage, stack, 'owner')
  await expect(other.getByText('IN 75')).toBeVisible()
  expect(await axeOf(other)).toEqual([])
  const pressesOfOther = await countPresses(other)
  await other.getByRole('button', { name: 'Confirm', exact: true }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(other.getByText('IN 75')).toHaveCount(0)
  expect(await pressesOfOther()).toBe(2)
})

test('an unmatched transfer takes three presses, and two by another person', async ({
  page,
  anotherPage,
  stack,
}) => {
  const player = await seat(stack, { name: 'wallet_wes' })
  const tx = 'c0ffee'.padEnd(64, '0')
  await stack.database.owner.query(
    `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount)
     values ($1, 0, 1, app.now(), 'TFrom', 'TTo', 25000000)`,
    [tx],
  )
  await openAs(page, stack, 'cashier')
  const presses = await countPresses(page)
  await cardOf(page, 'Transfers of no member').click()
  await page.getByRole('button', { name: 'Propose the owner' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('TFrom → TTo')
  await dialog.getByLabel('Player').fill(String(player.user_id))
  await expect(dialog.getByRole('link', { name: 'wallet_wes' })).toBeVisible()
  await dialog.getByLabel('Evidence').fill('He sent a picture of his wallet')
  await dialog.getByRole('button', { name: 'Propose the owner' }).click()
  await expect(dialog).toHaveCount(0)
  expect(await presses()).toBe(3)

  const other = await pageOf(anotherPage, stack, 'owner')
  const pressesOfOther = await countPresses(other)
  await other.getByRole('button', { name: 'Confirm', exact: true }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(other.getByText('He sent a picture of his wallet')).toHaveCount(0)
  expect(await pressesOfOther()).toBe(2)
})

test('a rejection can be undone for ten seconds, and is sent when its page is left or the network is back', async ({
  page,
  stack,
  console: messages,
}) => {
  const players: Player[] = []
  const ids: number[] = []
  for (const name of ['held_hal', 'held_ida', 'held_jan']) {
    const player = await seat(stack, { u: 300, name })
    players.push(player)
    ids.push(await requestWithdrawal(stack, player, '100'))
  }
  const money = async (at: number) => {
    const { data } = await post(stack, '/api/user/userInfo', {}, players[at]?.token ?? '')
    return (data as { money: string }).money
  }
  const held = page.getByRole('region', { name: 'What can still be undone' })
  const reject = { Reason: 'The name is not his' }
  await installClock(page)
  await openAs(page, stack, 'finance')
  /** Opens a withdrawal, and stops the page's clock before it is rejected. */
  const rejectOne = async (at: number) => {
    await page.clock.resume()
    await goTo(page, `/withdrawals/${ids[at]}/show`)
    await expect(page.getByRole('button', { name: 'Reject', exact: true })).toBeEnabled()
    await stopClock(page)
    await decide(page, 'Reject', reject)
  }
  await rejectOne(0)
  await expect(held).toContainText('“Reject” is sent in 10 seconds. held_hal')
  await expect(page.getByRole('button', { name: 'Reject', exact: true })).toBeDisabled()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Undone and not sent: “Reject”.')).toBeVisible()
  await pass(page, 20_000)
  expect(await money(0)).toBe('200.00')

  // It goes with the member to other pages.
  await decide(page, 'Reject', reject)
  await page.getByRole('link', { name: 'Stops', exact: true }).click()
  await pass(page, 9_000)
  await expect(page).toHaveURL(/\/console\/stops$/)
  await expect(held).toContainText('is sent in 1 second.')
  expect(await money(0)).toBe('200.00')
  await pass(page, 1_000)
  await expect.poll(() => money(0)).toBe('300.00')

  await rejectOne(1)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Send now' }).click()
  await expect(held).toContainText('“Reject” was not done. held_ida')
  expect(await money(1)).toBe('200.00')
  await page.context().setOffline(false)
  await page.clock.resume()
  expect(await axeOf(page)).toEqual([])
  const OFFLINE = /ERR_INTERNET_DISCONNECTED/
  messages.splice(0, messages.length, ...messages.filter((each) => !OFFLINE.test(each)))
  await held.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => money(1)).toBe('300.00')

  await rejectOne(2)
  await page.goto(stack.url)
  await expect.poll(() => money(2)).toBe('300.00')
})

test('a player proves his identity, is rejected with a reason, sends it again, and his withdrawal goes on', async ({
  page,
  anotherPage,
  stack,
}) => {
  const player = await seat(stack, { u: 900, name: 'proved_ann' })
  const owner = await pageOf(anotherPage, stack, 'owner', '/identities')
  await decide(owner, 'Set the sum', { 'Sum of all withdrawals': '500' })
  await expect(owner.getByText('500.00 u')).toBeVisible()
  await requestWithdrawal(stack, player, '600')

  const app = await anotherPage({ viewport: { width: 390, height: 844 } })
  await actAs(app.context(), player)
  const card = await app.screenshot()
  await app.goto(`${stack.url}/withdraw`)
  await expect(app.getByText('It waits until you have proved your identity')).toBeVisible()
  await app.getByRole('link', { name: 'Proof of identity' }).click()
  const send = async () => {
    const file = { name: 'card.png', mimeType: 'image/png', buffer: card }
    await app.locator('input[type=file]').setInputFiles(file)
    await expect(app.getByText('Pictures: 1 of 4')).toBeVisible()
    await app.getByLabel('Full name').fill('Ann Example')
    await app.getByLabel('Date of birth').fill('1990-02-28')
    await app.getByLabel('Identity document no.').fill('B1234567')
    await app.getByLabel('Address').fill('1 High Street, Example')
    await app.getByRole('button', { name: 'Send to be checked' }).click()
    await expect(app.getByRole('main').getByText('Your documents are being checked')).toBeVisible()
  }
  await send()

  await openAs(page, stack, 'finance', '/withdrawals')
  await page.getByRole('row').filter({ hasText: 'proved_ann' }).getByRole('link').first().click()
  await expect(page.getByText('It waits for the player’s identity')).toBeVisible()
  await page.locator('#main-content').getByRole('link', { name: 'Identity' }).click()
  await page.getByRole('button', { name: 'Show what he sent' }).click()
  await expect(page.getByText('Ann Example')).toBeVisible()
  const picture = page.getByRole('img', { name: 'Picture 1 of the documents' })
  await expect(picture).toHaveJSProperty('complete', true)
  expect(await axeOf(page)).toEqual([])
  await decide(page, 'Reject', { Reason: 'The picture shows no document' })
  await page.getByRole('button', { name: 'Send now' }).click()
  await expect(page.getByRole('button', { name: 'Send now' })).toHaveCount(0)

  await app.reload()
  await expect(app.getByText('The picture shows no document')).toBeVisible()
  await send()
  await goTo(page, '/identities')
  await page.getByRole('row').filter({ hasText: 'proved_ann' }).getByRole('link').last().click()
  await page.getByRole('button', { name: 'Show what he sent' }).click()
  await decide(page, 'Accept')
  await app.reload()
  await expect(app.getByText('Your identity is proved')).toBeVisible()
  await app.goto(`${stack.url}/withdraw`)
  await expect(app.getByText('It is paid out once the request has been approved')).toBeVisible()
  await decide(owner, 'Set the sum', { 'Sum of all withdrawals': '' })
})

test('each card of the start page leads to exactly the rows that it counts, the oldest first', async ({
  page,
  stack,
}) => {
  const { owner } = stack.database
  const tokens = {
    cashier: await sessionOfStaff(stack, 'cashier'),
    finance: await sessionOfStaff(stack, 'finance'),
  }
  const act = async (name: keyof typeof tokens, path: string, data: object) => {
    expect(await post(stack, `/api/staff/${path}`, data, tokens[name]), path).toMatchObject({
      code: 1,
    })
  }
  const counted: number[] = []
  // Two that wait, two that are to be paid, and one of each state that no card counts.
  for (const state of ['waiting', 'waiting', 'to_pay', 'to_pay', 'paid', 'rejected']) {
    const at = counted.length
    const player = await seat(stack, { u: 300, name: `counted_${at}` })
    counted.push(player.user_id)
    const id = await requestWithdrawal(stack, player, '120')
    if (state === 'rejected') await act('cashier', 'withdrawals/reject', { id, reason: 'A test' })
    if (['to_pay', 'paid'].includes(state)) await act('cashier', 'withdrawals/approve', { id })
    if (state === 'paid') {
      await act('finance', 'withdrawals/take', { id })
      await act('finance', 'withdrawals/payout', { id, reference: 'COUNTED 1' })
    }
    await act('cashier', 'bankDeposits/record', {
      user_id: player.user_id,
      money: '5',
      reference: `COUNTED ${at}`,
    })
    await owner.query(
      `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount)
       values ($1, 0, $2, app.now(), 'TFrom', 'TTo', 1000000)`,
      [`c0${at}`.padEnd(64, 'd'), 100 + at],
    )
    await owner.query(
      `insert into withdrawals.identity (player_id, state, version, encrypted_facts, key_id, sent_at, decided_by, decided_at)
       select $1, case when $2 then 'waiting' else 'accepted' end, 1, 'sealed', 'test', app.now(),
         case when not $2 then min(id) end, case when not $2 then app.now() end from staff.member`,
      [player.user_id, at % 2 === 0],
    )
    // What follows is later than what was.
    await stack.database.moveClock((await timeOf(stack)) + 60_000)
  }

  // The engine has caught up with the clock: while draws are late, a card says so, and is gone again.
  const late = 'select from rounds.round where draws_at <= app.now() and settled_at is null'
  await expect.poll(() => owner.query(late)).toEqual([])
  await openAs(page, stack, 'owner')
  await expect(cardOf(page, 'Identities to check')).toBeVisible()
  const cards = await page
    .getByRole('main')
    .locator('a[href*="filter="]:not(nav a)')
    .evaluateAll((links) =>
      links.map((link) => ({
        address: link.getAttribute('href') ?? '',
        count: Number(/^\d+/.exec(link.textContent ?? '')?.[0]),
      })),
    )
  const addresses = cards.map(({ address }) => address).join(' ')
  for (const list of ['withdrawals?', 'proposals?', 'unmatched-transfers?', 'identities?'])
    expect(addresses).toContain(list)
  for (const { address, count } of cards) {
    await page.getByRole('main').locator(`a[href='${address}']:not(nav a)`).click()
    // The start page has tables too.
    await expect(page.locator('figure')).toHaveCount(0)
    const rows = page.locator('tbody tr')
    await expect(rows, address).toHaveCount(count)
    const times = await rows.evaluateAll((all) =>
      all.map((row) => row.querySelector('time')?.getAttribute('datetime') ?? 'no time'),
    )
    expect(times, address).not.toContain('no time')
    expect(times, address).toEqual(times.toSorted())
    await goTo(page, '/')
  }
})
