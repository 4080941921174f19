/** The page of one withdrawal. */
import { oneWithdrawal, withdrawalPayee } from '@sum28/contract/staff-routes.ts'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { OWNER, sample, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/money/withdrawal-show.tsx'

it('the number of a card that was asked for is read aloud', async () => {
  const { user } = await showConsole('/withdrawals/1/show', (mock) => {
    mock.answer(oneWithdrawal, {
      ...sample(oneWithdrawal),
      id: 1,
      state: 'to_pay',
      taken_by: OWNER.name,
      payee: { ...sample(oneWithdrawal).payee, kind: 'bank' },
    })
    mock.answer(withdrawalPayee, { ...sample(withdrawalPayee), number: '4242424242424242' })
  })
  const show = await screen.findByRole('button', { name: 'Show the whole number' })
  const heard = screen.getByRole('status')
  expect(heard.textContent).toBe('')
  await user.click(show)
  await screen.findByText('4242424242424242')
  expect(heard.textContent).toBe('4242424242424242')
})
