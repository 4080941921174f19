/** The console's players: found from anywhere, with a page on which staff write and act. */
import { axeOf, DESKTOP, signIn } from './console-people.ts'
import { expect, registerMember, test } from './stack.ts'

test.use(DESKTOP)

test('support finds a player by keys, writes a note, and ends his sessions', async ({
  page,
  stack,
}) => {
  const player = await registerMember(stack, 'sought_player')
  await signIn(page, stack, 'support')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('sought_pl')
  await expect(page.getByRole('button', { name: /sought_player@example/ })).toBeVisible()
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

  await page.getByRole('button', { name: 'End all sessions' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('a lost phone')
  await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click()
  const asHe = () =>
    page.context().request.post('/api/user/userInfo', {
      headers: { Token: player.token },
      data: {},
    })
  await expect.poll(async () => (await asHe()).status()).toBe(401)
})

test('axe finds nothing on the list of players and on each part of a page', async ({
  page,
  stack,
}) => {
  const player = await registerMember(stack, 'looked_at_player')
  await signIn(page, stack, 'owner')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto('/console/players')
    await expect(page.getByRole('cell', { name: 'looked_at_player', exact: true })).toBeVisible()
    expect(await axeOf(page), `the list, ${colorScheme}`).toEqual([])
    await page.goto(`/console/players/${player.user_id}/show`)
    await expect(page.getByRole('tab')).toHaveCount(9)
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      const panel = page.getByRole('tabpanel', { name: (await tab.textContent()) ?? '' })
      await expect(panel).toBeVisible()
      await expect(panel.locator('[aria-busy=true]')).toHaveCount(0)
      expect(await axeOf(page), `${await tab.textContent()}, ${colorScheme}`).toEqual([])
    }
  }
})
