/** The choice of a player in a dialog. */
import { listPlayers } from '@sum28/contract/staff-players-routes.ts'
import { fireEvent, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openDialog, sampleRow, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/players/frozen-account-list.tsx'

it('the player with exactly this name stands first, however many newer ones contain it, and these go on', async () => {
  const player = (id: number, username: string) => ({ ...sampleRow(listPlayers), id, username })
  const { user } = await showConsole('/frozen-accounts', (mock) =>
    mock.answer(listPlayers, ({ input: { match } }) =>
      match === 'whole'
        ? { list: [player(3, 'ann')], next: null }
        : { list: [8, 7, 6, 5, 4].map((id) => player(id, `ann${id}`)), next: 'more' },
    ),
  )
  const dialog = await openDialog(user, 'Freeze an account')
  const heard = dialog.getByRole('status')
  expect(heard.textContent).toBe('')
  // Sent before anybody is looked up, it says what to do.
  await user.click(dialog.getByRole('button', { name: 'Freeze an account' }))
  const whatToDo = dialog.getByText(/^Nobody is chosen yet/)
  fireEvent.change(dialog.getByLabelText(/Player/), { target: { value: 'ann' } })
  await dialog.findByText('And more: type more of it.')
  expect(dialog.getByRole('status')).toBe(heard)
  const names = within(heard)
    .getAllByRole('button', { name: /^ann/ })
    .map((each) => each.textContent)
  expect(names).toEqual(['ann · 3', ...[8, 7, 6, 5, 4].map((id) => `ann${id} · ${id}`)])
  await user.click(dialog.getByRole('button', { name: 'ann8 · 8' }))
  expect(document.activeElement).toBe(dialog.getByLabelText(/Player/))
  await within(heard).findByRole('link')
  expect(whatToDo.isConnected && whatToDo.textContent).not.toMatch(/^Nobody/)
})
