/** Ending a stop of betting. */
import { openBetting, stops } from '@sum28/contract/staff-house-routes.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { sample, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/games/stops-page.tsx'

it('the dialog that opens betting shows the stop, and ends only the one that it shows', async () => {
  const stop = { id: 7, reason: 'fault' as const, note: 'draws', stopped_by: 'bob', stopped_at: 60 }
  const { mock, user } = await showConsole('/stops', (mock) =>
    mock.answer(stops, { ...sample(stops), stopped: true, stop, planned: [], games: [] }),
  )
  await user.click(await screen.findByRole('button', { name: 'Open again' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/draws · bob/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Open again' }))
  await waitFor(() => expect(mock.requestsOf(openBetting)).toHaveLength(1))
  expect(mock.requestsOf(openBetting)[0]?.input).toEqual({ scope: 'all', stop_id: 7 })
})
