/** The console's pages in a document without a browser, on the mock that is made from the contract. */
import {
  listWithdrawals,
  oneWithdrawal,
  withdrawalPayee,
} from '@sum28/contract/staff-routes.ts'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sample, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/money/withdrawal-list.tsx'
import '#src/areas/money/withdrawal-show.tsx'

test('the page of the next withdrawal does not show the number of the one before', async () => {
  const withdrawal = (id: number) => ({ ...sample(oneWithdrawal), id, username: `player ${id}` })
  const { user } = await showConsole('/withdrawals', (mock) => {
    mock.answer(listWithdrawals, { list: [withdrawal(1), withdrawal(2)], next: null })
    mock.answer(oneWithdrawal, ({ input }) => withdrawal(input.id))
    mock.answer(withdrawalPayee, ({ input }) => ({ number: `number of ${input.id}` }))
  })
  await user.click(await screen.findByRole('link', { name: '1' }))
  await user.click(await screen.findByRole('button', { name: 'Next' }))
  await user.click(await screen.findByRole('button', { name: 'Show the whole number' }))
  await screen.findByText('number of 2')
  await user.click(screen.getByRole('button', { name: 'Before' }))
  await screen.findByRole('link', { name: 'player 1' })
  expect(screen.queryByText('number of 2')).toBeNull()
  expect(screen.getByRole('button', { name: 'Show the whole number' })).toBeTruthy()
})
