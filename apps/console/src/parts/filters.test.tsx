import { listWithdrawals } from '@sum28/contract/staff-routes.ts'
import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/money/withdrawal-list.tsx'

it('a day that is emptied is no filter', async () => {
  const filter = JSON.stringify({ from_day: '2026-11-02' })
  const { mock } = await showConsole(
    `/withdrawals?filter=${encodeURIComponent(filter)}&displayedFilters=${encodeURIComponent('{"from_day":true}')}`,
    (mock) => mock.answer(listWithdrawals, { list: [], next: null }),
  )
  const asked = () => mock.requestsOf(listWithdrawals).map(({ input }) => input.from_day)
  await expect.poll(asked).toEqual(['2026-11-02'])
  const day = await screen.findByLabelText('Requested from')
  fireEvent.focus(day)
  fireEvent.change(day, { target: { value: '' } })
  fireEvent.blur(day)
  await expect.poll(asked).toEqual(['2026-11-02', undefined])
})
