/** The form of a room. */
import { listRooms, proposeOdds, showRoom } from '@sum28/contract/staff-games-routes.ts'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { queryClient } from '#src/app/console.tsx'
import { openDialog, sample, showConsole } from '#src/testing/show-console.tsx'
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

it('the same odds are proposed for several rooms, as they were seen; limits are changed for one room at a time', async () => {
  const room = (id: number, title: string) => ({
    ...sample(showRoom),
    id,
    title,
    rules_version: id,
    waiting: null,
    stake_min: '100.00',
    stake_max: '1000.00',
    odds: [{ rule_id: 1, outcome: 'Long', ways: 500, odds: '1.90' }],
  })
  const { mock, user } = await showConsole('/rooms/11/show', (mock) => {
    mock.answer(showRoom, ({ input: { id } }) => room(id, `room ${id}`))
    mock.answer(listRooms, [room(11, 'room 11'), room(12, 'room 12')])
  })
  fireEvent.change(await screen.findByLabelText(/Long/), { target: { value: '1.85' } })
  const least = screen.getByLabelText('Least stake')
  fireEvent.change(least, { target: { value: '60' } })
  const others = within(screen.getByRole('group', { name: /^The same odds in other rooms/ }))
  const other = await others.findByRole<HTMLInputElement>('checkbox')
  expect(other.disabled).toBe(true)
  others.getByText('Limits are changed for one room at a time.')
  fireEvent.change(least, { target: { value: '100' } })
  await user.click(other)
  const dialog = await openDialog(user, 'Propose for 2 rooms')
  await expect
    .poll(() => dialog.getAllByRole('listitem').map(({ textContent }) => textContent))
    .toEqual([11, 12].map((id) => expect.stringMatching(`room ${id}: Long 1.90 → 1.85`)))
  await user.type(dialog.getByLabelText(/^Reason/), 'calmer')
  await user.click(dialog.getByRole('button', { name: 'Propose for 2 rooms' }))
  await expect
    .poll(() => mock.inputsOf(proposeOdds))
    .toEqual([
      {
        rooms: [11, 12].map((id) => ({ roomId: id, version: id })),
        odds: [{ ruleId: 1, oddsMilli: 1_850 }],
        note: 'calmer',
      },
    ])
})
