/** Ending a stop of betting, and stopping what is stopped otherwise. */
import { openBetting, stopBetting, stops } from '@sum28/contract/staff-house-routes.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openDialog, sample, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/games/stops-page.tsx'

it('the dialog that opens betting shows the stop, and ends only the one that it shows', async () => {
  const stop = { id: 7, reason: 'fault' as const, note: 'draws', stopped_by: 'bob', stopped_at: 60 }
  const { mock, user } = await showConsole('/stops', (mock) =>
    mock.answer(stops, { ...sample(stops), stopped: true, stop, planned: [], games: [] }),
  )
  const dialog = await openDialog(user, 'Open again')
  expect(dialog.getByText(/draws · bob/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Open again' }))
  await waitFor(() => expect(mock.requestsOf(openBetting)).toHaveLength(1))
  expect(mock.requestsOf(openBetting)[0]?.input).toEqual({ scope: 'all', stop_id: 7 })
})

it.each([
  ['the clocks', { clocks_apart_since: 60 }, { reason: 'maintenance' }],
  [
    'a plan',
    {
      stopped: true,
      stop: { id: 7, reason: 'fault', note: 'disks', stopped_by: 'bob', stopped_at: 60 },
    },
    { reason: 'fault', note: 'disks' },
  ],
] as const)('what %s alone would open again, a person can stop too', async (_, state, sent) => {
  const { mock, user } = await showConsole('/stops', (mock) =>
    mock.answer(stops, { ...sample(stops), planned: [], games: [], ...state }),
  )
  const dialog = await openDialog(user, 'Stop')
  await user.click(dialog.getByRole('button', { name: 'Stop' }))
  await waitFor(() => expect(mock.requestsOf(stopBetting)).toHaveLength(1))
  expect(mock.requestsOf(stopBetting)[0]?.input).toEqual({ scope: 'all', ...sent })
})

it('while the clocks alone stop all betting, every page says so, and nothing is offered to be opened', async () => {
  await showConsole('/stops', (mock) =>
    mock.answer(stops, { ...sample(stops), clocks_apart_since: 60, planned: [], games: [] }),
  )
  expect(await screen.findByText(/^Betting is stopped: the clocks of database/)).toBeTruthy()
  expect(screen.queryByText(/^All betting is stopped\./)).toBeNull()
  expect(await screen.findByText('stopped')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Open again' })).toBeNull()
})
