/** The console's players: the search, and the notes, actions and parts of a player's page. */
import type { Page } from '@playwright/test'
import { expect, untilTrue } from '../browser.ts'
import { axeOf, DESKTOP, openAs, openSearch } from '../console-people.ts'
import { seat, test } from '../stack.ts'

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

/** Does to the player whose page is open what a button says, with a reason. */
async function doTo(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: action, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('a stranger used it')
  await dialog.getByRole('button', { name: action, exact: true }).click()
  await expect(dialog).toHaveCount(0)
}

/** What stands above the parts of a player's page, and is the same with each. */
const AROUND_PARTS = 'section > :not(:has([role=tabpanel]))'

test('axe finds nothing on the twelve parts of a player’s page, light and dark', async ({
  page,
  stack,
}) => {
  test.slow()
  const player = await seat(stack)
  await openAs(page, stack, 'owner', `/players/${player.user_id}/show`)
  const tabs = page.getByRole('tab')
  await expect(tabs).toHaveCount(12)
  for (const tab of await tabs.all()) {
    await tab.click()
    const name = (await tab.textContent()) ?? ''
    const panel = page.getByRole('tabpanel', { name })
    await expect(panel).toBeVisible()
    await expect(panel.locator('[aria-busy=true]')).toHaveCount(0)
    expect(await axeOf(page, AROUND_PARTS), name).toEqual([])
  }
})
