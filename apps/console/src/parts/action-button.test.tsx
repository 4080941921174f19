/** The dialogs in which staff decide. */
import { listProposals } from '@sum28/contract/staff-proposal-routes.ts'
import type { StaffRoute } from '@sum28/contract/staff-route.ts'
import {
  approveWithdrawal,
  bankAccount,
  listWithdrawals,
  oneWithdrawal,
  rejectWithdrawal,
  type StaffWithdrawal,
  setBankAccount,
} from '@sum28/contract/staff-routes.ts'
import { dismissTransfer, oneUnmatchedTransfer } from '@sum28/contract/staff-transfer-routes.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { hold, sendAllHeld } from '#src/data/held-calls.ts'
import { openDialog, sample, sampleRow, showConsole } from '#src/testing/show-console.tsx'
import type { ContractMock } from '../../../web/src/testing/contract-mock.ts'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/money/bank-account-page.tsx'
import '#src/areas/money/unmatched-transfers.tsx'
import '#src/areas/money/withdrawal-list.tsx'

const withdrawal = (id: number) => ({
  ...sample(oneWithdrawal),
  id,
  username: `player ${id}`,
  state: 'waiting' as const,
  yours: true,
  frozen: false,
  waits_for_identity: false,
  requested_by: null,
})

it('a decision waits until what it decides about is on the screen, also after it failed to load', async () => {
  let release = () => {}
  const { mock, user } = await showConsole('/withdrawals', (mock) => {
    mock.answer(listWithdrawals, { list: [withdrawal(1)], next: null })
    mock.refuse(oneWithdrawal, { reason: 'fault', msg: 'The server is broken' })
    release = mock.hold(oneWithdrawal)
  })
  const dialog = await openDialog(user, 'Approve')
  const approve = () => dialog.getByRole<HTMLButtonElement>('button', { name: 'Approve' })
  expect(approve().disabled).toBe(true)
  release()
  await dialog.findByText('The server is broken')
  expect(approve().disabled).toBe(true)
  mock.answer(oneWithdrawal, withdrawal(1))
  await user.click(dialog.getByRole('button', { name: 'Try again' }))
  await dialog.findByText('player 1')
  expect(approve().disabled).toBe(false)
  mock.answer(listWithdrawals, { list: [], next: null })
  await user.click(approve())
  await waitFor(() => expect(mock.requestsOf(approveWithdrawal)).toHaveLength(1))
  // Its row is gone, with the button that had opened the dialog.
  await screen.findByText('No withdrawals.')
  await waitFor(() => expect(document.activeElement?.matches('section, h1')).toBe(true))
})

it('after a refusal the focus is on the field at fault, or on the button that sends again', async () => {
  const { mock, user } = await showConsole('/bank-account', (mock) =>
    mock.answer(bankAccount, { bankname: 'First Bank', banknum: '12-34', bankxm: 'Sum28 Ltd' }),
  )
  const dialog = await openDialog(user, 'Change')
  const change = dialog.getByRole('button', { name: 'Change' })
  await user.type(dialog.getByLabelText(/^Reason/), 'new')
  mock.refuse(setBankAccount, {
    reason: 'invalid_input',
    msg: 'Check it',
    data: { fields: { banknum: 'is no account' } },
  })
  await user.click(change)
  await dialog.findByText('is no account')
  await waitFor(() => expect(document.activeElement?.getAttribute('name')).toBe('banknum'))
  mock.refuse(setBankAccount, { reason: 'fault', msg: 'The server is broken' })
  await user.click(change)
  await dialog.findByText('The server is broken')
  await waitFor(() => expect(document.activeElement).toBe(change))
})

async function chooseThree(change: (id: number) => Partial<StaffWithdrawal> = () => ({})) {
  const shown = await showConsole('/withdrawals', (mock) => {
    mock.answer(listWithdrawals, {
      list: [withdrawal(1), withdrawal(2), withdrawal(3)],
      next: null,
    })
    mock.answer(oneWithdrawal, ({ input: { id } }) => ({ ...withdrawal(id), ...change(id) }))
  })
  const { user } = shown
  for (const box of (await screen.findAllByRole('checkbox')).slice(-3)) await user.click(box)
  await user.click(await screen.findByRole('button', { name: 'Approve 3 withdrawals' }))
  return { ...shown, dialog: within(await screen.findByRole('dialog')) }
}

it('only what the page shows is chosen: neither what an earlier page had, nor what no person may choose', async () => {
  const { user } = await showConsole('/withdrawals', (mock) =>
    mock.answer(listWithdrawals, ({ input: { after } }) =>
      after
        ? { list: [{ ...withdrawal(3), two_persons: true }, withdrawal(4)], next: null }
        : { list: [withdrawal(1), withdrawal(2)], next: 'second' },
    ),
  )
  const choose = async (nth: number) =>
    user.click((await screen.findAllByRole('checkbox')).slice(nth)[0] as HTMLElement)
  await choose(-2)
  await choose(-1)
  await screen.findByText('Chosen: 2', { exact: false })
  expect(screen.queryByRole('button', { name: 'Select all' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Go to next page' }))
  await screen.findByText('player 4')
  await choose(-1)
  await screen.findByText('1 item selected')
  await user.click(screen.getByRole('button', { name: 'Approve 1 withdrawal' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByRole('rowheader').textContent).toBe('player 4')
})

it('before the approvals of several each one’s hints and newest note are read, and after a refusal by whom and when', async () => {
  const { mock, user, dialog } = await chooseThree((id) => ({
    note: id === 2 ? 'wants to cancel' : null,
    risks: [
      {
        kind: 'device_shared' as const,
        players: 1,
        others: [{ user_id: 9, username: `twin ${id}` }],
        at: null,
        deposited: null,
        staked: null,
      },
    ],
  }))
  await dialog.findByRole('link', { name: 'twin 3' })
  expect(dialog.getAllByText(/1 other player has used a device of this one/)).toHaveLength(3)
  dialog.getByText('wants to cancel')
  mock.refuse(approveWithdrawal, {
    reason: 'already_decided',
    msg: 'Bob has rejected it',
    data: { at: Date.UTC(2026, 10, 22, 3, 4) / 1_000 },
  })
  await user.click(dialog.getByRole('button', { name: 'Approve 3 withdrawals' }))
  await waitFor(() => expect(dialog.getAllByText(/^Bob has rejected it/)).toHaveLength(3))
  expect(dialog.getAllByText(/03:04/)).toHaveLength(3)
})

it('what became of the approvals of several stays to be read when the list is empty after them', async () => {
  const { mock, user, dialog } = await chooseThree()
  mock.answer(listWithdrawals, { list: [], next: null })
  await user.click(dialog.getByRole('button', { name: 'Approve 3 withdrawals' }))
  await screen.findByText('No withdrawals.')
  dialog.getByText('3 of 3 approvals are recorded.')
})

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
  expect(dialog.getByRole('status').textContent).toBe('3 of 3 approvals are recorded.')
  const textsOf = (role: string) => dialog.getAllByRole(role).map((each) => each.textContent)
  expect(textsOf('columnheader')).toEqual(['Player', 'Amount', 'Payee', 'Hints'])
  expect(textsOf('rowheader')).toEqual(['player 1', 'player 2', 'player 3'])
  expect(mock.requestsOf(approveWithdrawal).map(({ input }) => input.id)).toEqual([1, 2, 3])
})

const HELD = 'What can still be undone'

/** A rejection stays held, however long a test takes, until the returned function is called. */
function keepFromSending(mock: ContractMock, route: StaffRoute = rejectWithdrawal) {
  const release = mock.hold(route)
  return async () => {
    release()
    await sendAllHeld()
    await waitFor(() => expect(screen.queryByRole('region', { name: HELD })).toBeNull())
  }
}

it('what one rejects and can still undo is not approved, neither alone nor with all others', async () => {
  const { mock, user } = await showConsole('/withdrawals', (mock) => {
    mock.answer(listWithdrawals, { list: [withdrawal(1), withdrawal(2)], next: null })
    mock.answer(oneWithdrawal, ({ input }) => withdrawal(input.id))
  })
  const sendRejection = keepFromSending(mock)
  const [first] = await screen.findAllByRole('button', { name: 'Reject' })
  await user.click(first as HTMLElement)
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Stolen card')
  await user.click(dialog.getByRole('button', { name: 'Reject' }))
  await screen.findByRole('region', { name: HELD })
  const buttons = () => screen.getAllByRole<HTMLButtonElement>('button', { name: 'Approve' })
  expect(buttons().map(({ disabled }) => disabled)).toEqual([true, false])
  await user.click(screen.getAllByRole('checkbox')[0] as HTMLElement)
  const approval = await openDialog(user, 'Approve 1 withdrawal')
  await user.click(approval.getByRole('button', { name: 'Approve 1 withdrawal' }))
  await approval.findByText(/1 of 1/)
  expect(mock.requestsOf(approveWithdrawal).map(({ input }) => input.id)).toEqual([2])
  await user.click(approval.getByRole('button', { name: 'Close' }))
  await sendRejection()
  expect(buttons().map(({ disabled }) => disabled)).toEqual([false, false])
})

it('a rejection that is held while the approvals of several wait is not overtaken by them', async () => {
  const { mock, user, dialog } = await chooseThree()
  const sendRejection = keepFromSending(mock)
  act(() =>
    hold({
      route: rejectWithdrawal,
      request: { id: 2, reason: 'no' },
      shown: { action: { label: 'areas.money.reject' }, values: {} },
    }),
  )
  await user.click(await dialog.findByRole('button', { name: 'Approve 2 withdrawals' }))
  await dialog.findByText('2 of 3 approvals are recorded.')
  expect(mock.requestsOf(approveWithdrawal).map(({ input }) => input.id)).toEqual([1, 3])
  await sendRejection()
})

it('while a dismissal of a transfer is held, the proposal of its owner is not confirmed', async () => {
  const key = { tx_id: 'ab'.repeat(32), log_index: 0 }
  const about = (log: number) => ({
    ...sampleRow(listProposals),
    id: log + 1,
    kind: 'assignment' as const,
    state: 'proposed' as const,
    yours: true,
    subject: `transfer:${key.tx_id}:${log}`,
  })
  const { mock, user } = await showConsole(
    `/unmatched-transfers/${key.tx_id}-${key.log_index}/show`,
    (mock) => {
      mock.answer(oneUnmatchedTransfer, {
        ...sample(oneUnmatchedTransfer),
        ...key,
        state: 'proposed',
      })
      mock.answer(listProposals, { list: [about(0), about(1)], next: null })
    },
  )
  const sendDismissal = keepFromSending(mock, dismissTransfer)
  await screen.findAllByRole('button', { name: 'Confirm' })
  const confirmable = () =>
    screen
      .getAllByRole<HTMLButtonElement>('button', { name: 'Confirm' })
      .map(({ disabled }) => !disabled)
  expect(confirmable()).toEqual([true, true])
  const dialog = await openDialog(user, 'Dismiss')
  await user.type(dialog.getByRole('textbox', { name: /Reason/ }), 'nobody’s')
  await user.click(dialog.getByRole('button', { name: 'Dismiss' }))
  await screen.findByRole('region', { name: HELD })
  expect(confirmable()).toEqual([false, true])
  await sendDismissal()
  await waitFor(() => expect(confirmable()).toEqual([true, true]))
})
