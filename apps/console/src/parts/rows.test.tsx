import { listWithdrawals, oneWithdrawal } from '@sum28/contract/staff-routes.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { queryClient } from '#src/app/console.tsx'
import { sample, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/money/withdrawal-list.tsx'

it('the rows of a list are a region with its name, which keys can scroll; without rows it is none', async () => {
  const { mock } = await showConsole('/withdrawals', (mock) =>
    mock.answer(listWithdrawals, { list: [{ ...sample(oneWithdrawal), id: 1 }], next: null }),
  )
  expect((await screen.findByRole('region', { name: 'Withdrawals' })).tabIndex).toBe(0)
  mock.answer(listWithdrawals, { list: [], next: null })
  await act(() => queryClient.refetchQueries())
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Withdrawals' })).toBeNull())
})
