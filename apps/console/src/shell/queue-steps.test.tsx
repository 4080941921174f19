/** From row to row of a list, and from page to page, by keys. */
import { listPlayers, onePlayer } from '@sum28/contract/staff-players-routes.ts'
import { fireEvent, screen } from '@testing-library/react'
import { it } from 'vitest'
import { sample, sampleRow, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/players/player-list.tsx'
import '#src/areas/players/player-show.tsx'

it('keys go from row to row of a list, into a page, and to the next one', async () => {
  const player = (id: number) => ({ ...sampleRow(listPlayers), id, username: `player ${id}` })
  const { user } = await showConsole('/players', (mock) => {
    mock.answer(listPlayers, { list: [player(8), player(7)], next: null })
    mock.answer(onePlayer, ({ input: { user_id: id } }) => ({
      ...sample(onePlayer),
      id,
      username: `player ${id}`,
    }))
  })
  const press = (key: string) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, altKey: true })
  await screen.findByRole('link', { name: '8' })
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) press(key)
  await user.keyboard('{Enter}')
  await screen.findByRole('heading', { name: 'player 8' })
  press('ArrowDown')
  await screen.findByRole('heading', { name: 'player 7' })
  screen.getByText('2 of 2 of this page of the list')
  await user.click(screen.getByRole('button', { name: 'Before' }))
  await screen.findByRole('heading', { name: 'player 8' })
})
