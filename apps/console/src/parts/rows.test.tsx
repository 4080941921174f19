import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { listWithdrawals, oneWithdrawal } from '@sum28/contract/staff-routes.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { queryClient } from '#src/app/console.tsx'
import { sample, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/money/withdrawal-list.tsx'
import '#src/areas/staff/audit-list.tsx'

it('the rows of a list are a region with its name, which keys can scroll; without rows it is none', async () => {
  const { mock } = await showConsole('/withdrawals', (mock) =>
    mock.answer(listWithdrawals, { list: [{ ...sample(oneWithdrawal), id: 1 }], next: null }),
  )
  expect((await screen.findByRole('region', { name: 'Withdrawals' })).tabIndex).toBe(0)
  mock.answer(listWithdrawals, { list: [], next: null })
  await act(() => queryClient.refetchQueries())
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Withdrawals' })).toBeNull())
})

it('a list whose filter is refused says why, and not that nothing is found', async () => {
  const filter = encodeURIComponent(JSON.stringify({ staff: 'an' }))
  const { mock } = await showConsole(`/audit?filter=${filter}`, (mock) =>
    mock.refuse(listAuditRows, {
      reason: 'invalid_input',
      msg: 'Please check what you entered',
      data: { fields: { staff: 'Please choose one of the list' } },
    }),
  )
  await screen.findByText('Who: Please choose one of the list')
  expect(screen.queryByText(/^1-25 of/)).toBeNull()
  expect(screen.queryByText('Nothing is found.')).toBeNull()
  expect(screen.queryByText('Please check what you entered')).toBeNull()
  mock.answer(listAuditRows, { list: [], next: null })
  await act(() => queryClient.refetchQueries())
  await screen.findByText('Nothing is found.')
  expect(screen.queryByText(/Please choose one of the list/)).toBeNull()
})
