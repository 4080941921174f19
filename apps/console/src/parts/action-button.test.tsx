/** The dialogs in which staff decide. */
import { approveWithdrawal, listWithdrawals, oneWithdrawal } from '@sum28/contract/staff-routes.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { sample, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/money/withdrawal-list.tsx'

const withdrawal = (id: number) => ({
  ...{ ...sample(oneWithdrawal), id, username: `player ${id}`, state: 'waiting' as const },
  ...{ yours: true, frozen: false, waits_for_identity: false, requested_by: null },
})

it('a decision waits until what it decides about is on the screen, also after it failed to load', async () => {
  let release = () => {}
  const { mock, user } = await showConsole('/withdrawals', (mock) => {
    mock.answer(listWithdrawals, { list: [withdrawal(1)], next: null })
    mock.refuse(oneWithdrawal, { reason: 'fault', msg: 'The server is broken' })
    release = mock.hold(oneWithdrawal)
  })
  await user.click(await screen.findByRole('button', { name: 'Approve' }))
  const dialog = within(await screen.findByRole('dialog'))
  const approve = () => dialog.getByRole<HTMLButtonElement>('button', { name: 'Approve' })
  expect(approve().disabled).toBe(true)
  release()
  await dialog.findByText('The server is broken')
  expect(approve().disabled).toBe(true)
  mock.answer(oneWithdrawal, withdrawal(1))
  await user.click(dialog.getByRole('button', { name: 'Try again' }))
  await dialog.findByText('player 1')
  expect(approve().disabled).toBe(false)
  await user.click(approve())
  await waitFor(() => expect(mock.requestsOf(approveWithdrawal)).toHaveLength(1))
})

async function chooseThree() {
  const shown = await showConsole('/withdrawals', (mock) =>
    mock.answer(listWithdrawals, {
      list: [withdrawal(1), withdrawal(2), withdrawal(3)],
      next: null,
    }),
  )
  const { user } = shown
  for (const box of (await screen.findAllByRole('checkbox')).slice(-3)) await user.click(box)
  await user.click(await screen.findByRole('button', { name: 'Approve 3 withdrawals' }))
  return { ...shown, dialog: within(await screen.findByRole('dialog')) }
}

it('the approvals of several stop at the first that gets no answer', async () => {
  const { mock, user, dialog } = await chooseThree()
  mock.cutOff(approveWithdrawal)
  await user.click(dialog.getByRole('button', { name: 'Approve 3 withdrawals' }))
  await dialog.findByText(/server does not answer/)
  await waitFor(() => expect(dialog.queryByRole('button', { name: 'Stop here' })).toBeNull())
  const tried = mock.requestsOf(approveWithdrawal).map(({ input }) => input.id)
  expect(new Set(tried).size).toBe(1)
})

it('the approvals of several can be stopped, and go on after that', async () => {
  const { mock, user, dialog } = await chooseThree()
  const release = mock.hold(approveWithdrawal)
  await user.click(dialog.getByRole('button', { name: 'Approve 3 withdrawals' }))
  await user.click(await dialog.findByRole('button', { name: 'Stop here' }))
  release()
  await user.click(await dialog.findByRole('button', { name: 'Approve 2 withdrawals' }))
  await dialog.findByText('3 of 3 approvals are recorded.')
  expect(mock.requestsOf(approveWithdrawal).map(({ input }) => input.id)).toEqual([1, 2, 3])
})
