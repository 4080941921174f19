/** Rejections that are held and undone. */
import { CODES } from '@sum28/contract/envelope.ts'
import { confirmProposal, endProposal } from '@sum28/contract/staff-proposal-routes.ts'
import { decideIdentity } from '@sum28/contract/staff-protection-routes.ts'
import { listWithdrawals, oneWithdrawal, rejectWithdrawal } from '@sum28/contract/staff-routes.ts'
import { assignTransfer, dismissTransfer } from '@sum28/contract/staff-transfer-routes.ts'
import { act, fireEvent, renderHook, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { dropHeld, hold, sendAllHeld, useHeldCalls, useIsRejected } from '#src/data/held-calls.ts'
import { sample, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/money/bank-account-page.tsx'
import '#src/areas/money/withdrawal-list.tsx'

function reject(id: number, of: string): void {
  hold({
    route: rejectWithdrawal,
    request: { id, reason: 'no' },
    shown: {
      action: { label: 'areas.money.reject', done: 'areas.money.rejected', children: of },
      values: {},
    },
  })
}

it('Ctrl+Z undoes the last of the held rejections, and names it', async () => {
  const { mock } = await showConsole('/bank-account', () => {})
  await screen.findByRole('button', { name: /^Search/ })
  act(() => reject(1, 'of ann'))
  act(() => reject(2, 'of bob'))
  const held = await screen.findByRole('region', { name: 'What can still be undone' })
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(held.textContent).toContain('of ann')
  expect(held.textContent).not.toContain('of bob')
  expect((await screen.findByText(/^Undone/)).textContent).toContain('of bob')
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(screen.queryByRole('region', { name: 'What can still be undone' })).toBeNull()
  await sendAllHeld()
  expect(mock.requestsOf(rejectWithdrawal)).toEqual([])
})

it('one that fails beneath an open dialog is heard: it stands beside what the dialog hides', async () => {
  const { mock, user } = await showConsole('/bank-account', () => {})
  mock.refuse(rejectWithdrawal, { reason: 'fault', msg: 'The server is broken' })
  const search = await screen.findByRole('button', { name: /^Search/ })
  const action = { label: 'areas.money.reject', children: 'of ann' }
  const request = { id: 1, reason: 'no' }
  act(() => hold({ route: rejectWithdrawal, request, shown: { action, values: {} } }))
  await screen.findByRole('region', { name: 'What can still be undone' })
  await user.click(search)
  await act(() => sendAllHeld())
  // What is hidden has no role.
  expect((await screen.findByRole('alert')).textContent).toContain('of ann')
  await user.click(screen.getByRole('button', { name: 'Close' }))
})

it('one that somebody overtook opens its dialog again, which says who and when, and keeps what was typed', async () => {
  const { user } = await showConsole('/withdrawals', (mock) => {
    const waiting = { ...sample(oneWithdrawal), id: 1, state: 'waiting' as const }
    mock.answer(listWithdrawals, { list: [waiting], next: null })
    const data = { at: 60 }
    mock.refuse(rejectWithdrawal, { reason: 'already_decided', msg: 'owner was first', data })
  })
  await user.click(await screen.findByRole('button', { name: 'Reject' }))
  const dialog = () => within(screen.getByRole('dialog'))
  await user.type(dialog().getByLabelText(/^Reason/), 'Not his name')
  await user.click(dialog().getByRole('button', { name: 'Reject' }))
  await user.click(await screen.findByRole('button', { name: 'Send now' }))
  await user.click(await screen.findByRole('button', { name: 'Open again' }))
  const said = within(dialog().getByRole('alert'))
  expect(said.getByText(/owner was first/).querySelector('time')).not.toBeNull()
  expect(dialog().getByLabelText<HTMLInputElement>(/^Reason/).value).toBe('Not his name')
})

it('what a member holds is sent by his name, and never as another’s who has signed in in another tab', async () => {
  const { mock } = await showConsole('/bank-account', () => {})
  await screen.findByRole('button', { name: /^Search/ })
  mock.refuse(rejectWithdrawal, {
    reason: 'session_replaced',
    code: CODES.tokenReplaced,
    msg: 'Another',
    data: { cause: 'another_member' },
  })
  act(() => reject(1, 'of ann'))
  await act(() => sendAllHeld())
  // It waits for him, and says so.
  expect((await screen.findByRole('alert')).textContent).toContain('of ann')
  const [sent] = mock.requestsOf(rejectWithdrawal)
  expect(sent?.headers.get('X-Shown-Member')).toBe('ann')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
})

it.each([
  [endProposal, confirmProposal, { id: 3 }, { id: 4 }],
  [dismissTransfer, assignTransfer, { tx_id: 'a', log_index: 0 }, { tx_id: 'a', log_index: 1 }],
  [decideIdentity, decideIdentity, { user_id: 7, version: 1 }, { user_id: 7, version: 2 }],
])('while $0.path is held, its opposite is offered for other subjects alone', (...of) => {
  const [rejection, opposite, subject, other] = of
  const { result } = renderHook(() => ({ isRejected: useIsRejected(), held: useHeldCalls() }))
  const decided = { decision: 'accept' }
  const rejected = { ...subject, decision: 'reject', reason: 'no' }
  act(() => hold({ route: rejection, request: rejected, shown: {} }))
  expect(result.current.isRejected(opposite, { ...subject, ...decided })).toBe(true)
  expect(result.current.isRejected(opposite, { ...other, ...decided })).toBe(false)
  expect(result.current.isRejected(rejectWithdrawal, subject)).toBe(false)
  act(() => dropHeld(result.current.held[0]?.key ?? ''))
  expect(result.current.isRejected(opposite, { ...subject, ...decided })).toBe(false)
})
