/** The page of one withdrawal. */
import {
  listWithdrawals,
  oneWithdrawal,
  type StaffWithdrawal,
  withdrawalPayee,
} from '@sum28/contract/staff-routes.ts'
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

const CLOSED: StaffWithdrawal = {
  ...sample(oneWithdrawal),
  id: 1,
  user_id: 7,
  username: 'dee',
  frozen: false,
  closed: true,
  taken_by: null,
}

const showClosed = (change: Partial<StaffWithdrawal>) =>
  showConsole('/withdrawals/1/show', (mock) => mock.answer(oneWithdrawal, { ...CLOSED, ...change }))

it.each([
  ['waiting', 'Reject'],
  ['to_pay', 'Return unpaid'],
] as const)(
  'before one of a closed account (%s) is given back, it is said that the money stays booked',
  async (state, name) => {
    const { user } = await showClosed({ state })
    const dialog = await openDialog(user, name)
    const says = within(
      dialog.getByText(/^The account is closed/).closest('[role=alert]') as HTMLElement,
    )
    const toPlayer = says.getByRole('link', { name: 'dee' })
    expect(toPlayer.getAttribute('href')).toMatch(/\/players\/7\/show$/)
  },
)

it.each(['rejected', 'reversing', 'reversed'] as const)('and on its page (%s)', async (state) => {
  await showClosed({ state })
  await screen.findByText(/^The account is closed/)
})

it('but not of an account that is open', async () => {
  await showClosed({ state: 'rejected', closed: false })
  await screen.findByText('rejected')
  expect(screen.queryByText(/^The account is closed/)).toBeNull()
})
