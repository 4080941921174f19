/** The form of a room. */
import { showRoom } from '@sum28/contract/staff-games-routes.ts'
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { queryClient } from '#src/app/console.tsx'
import { sample, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/games/rooms.tsx'

it('what is typed stays while a colleague’s proposal waits, and is locked until that is decided', async () => {
  const room = (waiting: 'proposed' | null) => ({
    ...sample(showRoom),
    id: 11,
    waiting,
    stake_min: '1.00',
    stake_max: '100.00',
    entry_min: '1.00',
    odds: [{ rule_id: 1, outcome: 'Long', ways: 500, odds: '1.90' }],
  })
  const { mock } = await showConsole('/rooms/11/show', (mock) => mock.answer(showRoom, room(null)))
  const refetch = () => act(() => queryClient.refetchQueries())
  const fields = () =>
    [/Long/, /Greatest stake/].map((name) => screen.getByLabelText<HTMLInputElement>(name))
  await screen.findByLabelText(/Long/)
  for (const [at, value] of ['1.80', '200'].entries()) {
    fireEvent.change(fields()[at] as HTMLElement, { target: { value } })
  }
  const shown = () => fields().map(({ value, disabled }) => [value, disabled])
  mock.answer(showRoom, room('proposed'))
  await refetch()
  await screen.findByText(/was proposed meanwhile/)
  expect(shown()).toEqual([
    ...[
      ['1.80', true],
      ['200', true],
    ],
  ])
  mock.answer(showRoom, room(null))
  await refetch()
  await expect.poll(shown).toEqual([
    ...[
      ['1.80', false],
      ['200', false],
    ],
  ])
})
