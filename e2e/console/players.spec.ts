/** The console's players: the search, the notes and actions on a player's page, and the rest of a closed account. */
import type { Page } from '@playwright/test'
import { giveMoney } from '../../apps/server/testing/database/fixtures.ts'
import { type AnotherPage, actAs, expect, speak, untilTrue } from '../browser.ts'
import { axeOf, DESKTOP, goTo, openAs, openSearch, postAs } from '../console-people.ts'
import { post, registerMember, type Stack, seat, sessionOfStaff, test } from '../stack.ts'

test.use(DESKTOP)

test('support finds a player by keys, writes a note, ends his sessions and requires a new password', async ({
  page,
  stack,
}) => {
  const player = await seat(stack, { name: 'sought_player' })
  await openAs(page, stack, 'support')
  await openSearch(page)
  await page.keyboard.type('ught_pl')
  await expect(page.getByRole('option', { name: /sought_player@example/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/console/players/${player.user_id}/show`))
  await expect(page.getByText('sought_player@example.org')).toBeVisible()

  await page.getByRole('button', { name: 'Write a note' }).click()
  await page.getByRole('dialog').getByLabel('Note').fill('He called about his deposit.')
  await page.getByRole('dialog').getByRole('button', { name: 'Write a note' }).click()
  await page.getByRole('tab', { name: 'Notes' }).click()
  await expect(page.getByRole('cell', { name: 'He called about his deposit.' })).toBeVisible()
  // The log is for the owner and the auditor.
  await expect(page.getByRole('tab', { name: 'Staff actions' })).toHaveCount(0)

  await doTo(page, 'End all sessions')
  const asHe = () =>
    page.context().request.post('/api/user/userInfo', {
      headers: { Token: player.token },
      data: {},
    })
  await expect.poll(async () => (await asHe()).status()).toBe(401)
  await doTo(page, 'Require a new password')
  await expect(page.getByText('New password required since')).toBeVisible()

  // The search has pages too.
  await openSearch(page)
  await page.keyboard.type('held dep')
  await expect(page.getByRole('option', { name: 'Held deposits' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/console\/held-deposits/)
})

test('a part that is scrolled into view stays there, wherever the chosen part is', async ({
  page,
  stack,
}) => {
  const player = await seat(stack)
  await openAs(page, stack, 'support', `/players/${player.user_id}/show`)
  const notes = page.getByRole('tab', { name: 'Notes' })
  await notes.scrollIntoViewIfNeeded()
  // Something that moved the row back would do so by the frame after the next one.
  await page.evaluate(untilTrue('true'))
  await page.evaluate(untilTrue('true'))
  await expect(notes).toBeInViewport({ ratio: 0.99 })
})

/** The app on a phone, with a player signed in. */
async function phoneOf(anotherPage: AnotherPage, { url }: Stack, username: string): Promise<Page> {
  const app = await anotherPage({ viewport: { width: 390, height: 844 } })
  await speak(app.context(), 'en')
  await app.goto(`${url}/login`)
  await signInAs(app, username)
  await expect(app).not.toHaveURL(/login/)
  // A page of the app that learns of the end of its session reloads itself; an empty page is where the test leaves it.
  await app.goto('about:blank')
  return app
}

async function signInAs(app: Page, username: string): Promise<void> {
  await app.getByLabel('Username or email').fill(username)
  await app.getByLabel('Password', { exact: true }).fill('a long enough passphrase')
  await app.getByRole('button', { name: 'Log in', exact: true }).click()
}

/** Opens a screen with a session that has ended: the page loads itself anew, and then shows the login. */
async function toLoginByReload(app: Page, url: string): Promise<void> {
  let documents = 0
  app.on('domcontentloaded', () => {
    documents += 1
  })
  await app.goto(url)
  await expect.poll(() => documents).toBeGreaterThanOrEqual(2)
  await expect(app).toHaveURL(/login/)
}

/** Does to the player whose page is open what a button says, with a reason. */
async function doTo(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: action, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('a stranger used it')
  await dialog.getByRole('button', { name: action, exact: true }).click()
  await expect(dialog).toHaveCount(0)
}

test('a message is begun from a template in the player’s language, and is in the log as it was sent', async ({
  page,
  stack,
}) => {
  const player = await seat(stack, { name: 'told_tomo' })
  await stack.database.owner.query(`update accounts.player set lang = 'ja' where id = $1`, [
    player.user_id,
  ])
  await openAs(page, stack, 'support', '/templates')
  await page.getByRole('button', { name: 'Add a template' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name, for staff').fill('Card is checked')
  await dialog.getByLabel('Text in English').fill('Your card <Visa> is checked.')
  await dialog.getByLabel('Text in 日本語').fill('カードを確認しています。')
  await dialog.getByRole('button', { name: 'Add a template' }).click()
  const row = page.getByRole('row', { name: /Card is checked/ })
  await expect(row).toContainText('Your card <Visa> is checked.')
  await expect(row).toContainText('简体中文, 繁體中文, 한국어, Tiếng Việt, Bahasa Indonesia')
  await expect(dialog).toHaveCount(0)
  expect(await axeOf(page)).toEqual([])

  await goTo(page, `/players/${player.user_id}/show`)
  await page.getByRole('button', { name: 'Send a message' }).click()
  await expect(dialog).toContainText('told_tomo reads the app in this language: 日本語.')
  await dialog.getByLabel('Template').click()
  await page.getByRole('option', { name: 'Card is checked' }).click()
  const text = dialog.getByRole('textbox', { name: 'Message' })
  await expect(text).toHaveValue('カードを確認しています。')
  await expect(dialog).toContainText('In English: Your card <Visa> is checked.')
  await text.fill('カードを確認しています。少々お待ちください。')
  await expect(dialog.getByLabel('Template')).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByRole('button', { name: 'Send a message' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('tab', { name: 'Messages' }).click()
  await expect(page.getByText(/少々お待ちください/)).toBeVisible()
})

test('the next request of a frozen player fails, and his sign-in says that the account is locked', async ({
  page,
  anotherPage,
  stack,
}) => {
  const player = await registerMember(stack)
  const app = await phoneOf(anotherPage, stack, player.name)
  await openAs(page, stack, 'support', `/players/${player.user_id}/show`)
  await doTo(page, 'Freeze this account')
  await expect(page.getByText('a stranger used it (support)')).toBeVisible()

  await toLoginByReload(app, `${stack.url}/personal`)
  await signInAs(app, player.name)
  await expect(app.getByText('This account is locked. Please contact support')).toBeVisible()
})

for (const [half, from] of [
  ['first', 0],
  ['last', 6],
] as const)
  test(`axe finds nothing on the ${half} six parts of a player’s page, light and dark`, async ({
    page,
    stack,
  }) => {
    const player = await seat(stack, { name: `looked_at_${half}` })
    await openAs(page, stack, 'owner', `/players/${player.user_id}/show`)
    const tabs = page.getByRole('tab')
    await expect(tabs).toHaveCount(12)
    for (const tab of (await tabs.all()).slice(from, from + 6)) {
      await tab.click()
      const name = (await tab.textContent()) ?? ''
      const panel = page.getByRole('tabpanel', { name })
      await expect(panel).toBeVisible()
      await expect(panel.locator('[aria-busy=true]')).toHaveCount(0)
      expect(await axeOf(page), name).toEqual([])
    }
  })

/** Closes the account of the page's player, and leaves the rest booked: he has no pay method. */
async function closeWithRest(app: Page): Promise<void> {
  await app.goto('/closeAccount')
  await app.getByRole('radio', { name: 'Leave it in the account' }).click()
  await app.getByLabel('Login password').fill('a long enough passphrase')
  await app.getByRole('button', { name: 'Close for good' }).click()
  await app
    .getByRole('alertdialog')
    .getByRole('button', { name: 'Close for good', exact: true })
    .click()
  await expect(app).toHaveURL('/')
}

test('the rest of a closed account is requested to a payee, approved by another person, and paid', async ({
  page,
  anotherPage,
  stack,
}) => {
  // Less than the smallest withdrawal.
  const player = await registerMember(stack)
  await giveMoney(stack.database.owner, { playerId: player.user_id, u: 7.25 })
  await test.step('the player closes the account with a rest in it', async () => {
    const app = await anotherPage({ viewport: { width: 390, height: 844 } })
    await actAs(app.context(), player)
    await closeWithRest(app)
  })

  await test.step('a cashier requests it to the payee that the player has named', async () => {
    await openAs(page, stack, 'cashier', `/players/${player.user_id}/show`)
    await expect(page.getByText('closed by the player', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Pay the rest to another payee', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(`${player.name}: 7.25 u`)
    await dialog.getByLabel('Card number or TRON address').fill('4242 4242 4242 4242')
    await dialog.getByLabel('Holder of the card, or type of the wallet').fill('ANN LEE')
    await dialog.getByLabel('Bank (of a card)').fill('Bank of Hanoi')
    await dialog.getByLabel('Reason').fill('Told by mail from his address, number 12')
    await dialog.getByRole('button', { name: 'Pay the rest to another payee', exact: true }).click()
    await expect(dialog).toHaveCount(0)
    await goTo(page, `/withdrawals?filter={"user_id":${player.user_id}}`)
    const row = page.getByRole('row').filter({ hasText: player.name })
    await expect(row).toContainText('7.25 u')
    await row.getByText('waiting', { exact: true }).click()
    await expect(page.getByText('Requested by staff', { exact: true })).toBeVisible()
    // He asked for it: another person approves it.
    await expect(page.getByText('Another person approves it: you requested it.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)
    expect(await axeOf(page)).toEqual([])
  })

  const address = page.url()
  const id = Number(/withdrawals\/(\d+)/.exec(address)?.[1])
  await test.step('nor can he approve it by a call', async () => {
    const refused = await postAs(page, '/api/staff/withdrawals/approve', {
      data: { id },
      headers: { Origin: stack.url },
    })
    expect(await refused.json()).toMatchObject({
      code: 0,
      data: { reason: 'second_person_needed' },
    })
  })

  await test.step('another person approves it, and it is paid', async () => {
    const [finance, owner] = [
      await sessionOfStaff(stack, 'finance'),
      await sessionOfStaff(stack, 'owner'),
    ]
    for (const [path, given, by] of [
      ['approve', { id }, finance],
      ['take', { id }, owner],
      ['payout', { id, reference: 'REST 0815' }, owner],
    ] as const) {
      const reply = await post(stack, `/api/staff/withdrawals/${path}`, given, by)
      expect(reply, path).toMatchObject({ code: 1 })
    }
    await page.reload()
    await expect(page.getByRole('definition').filter({ hasText: 'REST 0815' })).toBeVisible()
    await goTo(page, `/players/${player.user_id}/show`)
    await expect(page.getByText('closed by the player', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Write a note', exact: true })).toBeVisible()
    // Nothing is left to pay.
    await expect(page.getByRole('button', { name: /the rest/ })).toHaveCount(0)
    await page.getByRole('tab', { name: 'Withdrawals', exact: true }).click()
    await expect(page.getByRole('tabpanel', { name: 'Withdrawals', exact: true })).toContainText(
      '7.25 u',
    )
    expect(await axeOf(page)).toEqual([])
  })
})
