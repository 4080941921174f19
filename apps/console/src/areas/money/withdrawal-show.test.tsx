/** The page of one withdrawal. */
import { listWithdrawals, oneWithdrawal, withdrawalPayee } from '@sum28/contract/staff-routes.ts'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { OWNER, openDialog, sample, sampleRow, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/money/withdrawal-list.tsx'
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

it('an approval shows the newest note about the player, and the list that it came since the request', async () => {
  const { user } = await showConsole('/withdrawals', (mock) => {
    const waiting = { ...sampleRow(listWithdrawals), state: 'waiting', requested_at: 100 } as const
    const noted = { ...waiting, id: 1, yours: true, note: 'Wants no withdrawal', noted_at: 101 }
    const before = { ...waiting, id: 2, yours: false, note: 'Called', noted_at: 99 }
    mock.answer(listWithdrawals, { list: [noted, before], next: null })
    mock.answer(oneWithdrawal, noted)
  })
  const [first, second] = (await screen.findAllByRole('row')).slice(1)
  within(first as HTMLElement).getByText('note since the request')
  expect(within(second as HTMLElement).queryByText('note since the request')).toBeNull()
  await (await openDialog(user, 'Approve')).findByText('Wants no withdrawal')
})
