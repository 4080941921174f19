/** The console's pages in a document without a browser, on the mock that is made from the contract. */
import { readFields } from '@sum28/contract/read-fields.ts'
import {
  acceptPayout,
  answerBankBatch,
  bankBatchFile,
  correctPayout,
  listBankBatches,
  oneBankBatch,
  releaseBankPayment,
  withdrawalPayments,
} from '@sum28/contract/staff-bank-routes.ts'
import {
  listCategories,
  savePieceText,
  setArticle,
  showPiece,
} from '@sum28/contract/staff-content-routes.ts'
import {
  listFrozenAccounts,
  listMembers,
  proposeMember,
  resetMember,
  unfreezeAccount,
} from '@sum28/contract/staff-house-routes.ts'
import { isList } from '@sum28/contract/staff-list.ts'
import { oneHeldDeposit } from '@sum28/contract/staff-money-routes.ts'
import { listPlayers } from '@sum28/contract/staff-players-routes.ts'
import {
  confirmProposal,
  listProposals,
  proposeAdjustment,
} from '@sum28/contract/staff-proposal-routes.ts'
import { identityTerms } from '@sum28/contract/staff-protection-routes.ts'
import {
  bankAccount,
  listWithdrawals,
  oneWithdrawal,
  type StaffWithdrawal,
  setBankAccount,
  takePayment,
  withdrawalPayee,
} from '@sum28/contract/staff-routes.ts'
import { listUnmatchedTransfers } from '@sum28/contract/staff-transfer-routes.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, test, vi } from 'vitest'
import { queryClient } from '#src/app/console.tsx'
import { RESOURCES } from '#src/areas/all.ts'
import { openDialog, sample, sampleRow, showConsole } from '#src/testing/show-console.tsx'
import type { ContractMock } from '../../../web/src/testing/contract-mock.ts'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/content/piece-page.tsx'
import '#src/areas/money/bank-account-page.tsx'
import '#src/areas/money/bank-batches.tsx'
import '#src/areas/money/held-deposits.tsx'
import '#src/areas/money/unmatched-transfers.tsx'
import '#src/areas/money/withdrawal-list.tsx'
import '#src/areas/money/withdrawal-show.tsx'
import '#src/areas/players/frozen-account-list.tsx'
import '#src/areas/players/identity-pages.tsx'
import '#src/areas/staff/member-list.tsx'

const DENIED_AT = 1_795_000_000

const REFUSED = { reason: 'fault', msg: 'The server is broken' } as const

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

describe('what stops a withdrawal is said', () => {
  const open: StaffWithdrawal = { ...sample(oneWithdrawal), id: 1, yours: true }
  const show = (withdrawal: Partial<StaffWithdrawal>) =>
    showConsole('/withdrawals/1/show', (mock) => {
      mock.answer(oneWithdrawal, { ...open, ...withdrawal })
    })

  const NAMED = { payout_reference: 'ab'.repeat(32), payout_recorded_by: 'bob' }
  const AMOUNTS = { paid_part: '0.00', rest: '100.00' }
  const WRONG = { state: 'payout_wrong', payout_chain: 'wrong', ...NAMED, ...AMOUNTS } as const
  const FROZEN = { state: 'to_pay', frozen: true, yours: null } as const
  const HELD = { state: 'waiting', yours: null, hold_until: 1_795_000_000 } as const
  const NO_PASSWORD = { state: 'waiting', frozen: false, needs_password: true } as const
  const OWN = { state: 'waiting', frozen: false, requested_by: 'ann', yours: false } as const

  it.each([
    ['a freeze after the approval', FROZEN, /do not pay/, 'Record payout', 'Return unpaid'],
    ['a hold', HELD, /nobody can approve before/, 'Approve', 'Reject'],
    ['a password to be set', NO_PASSWORD, /must set a new password/, 'Approve', 'Reject'],
    ['a request of oneself', OWN, /^Another person approves it: you/, 'Approve', 'Withdraw'],
  ])('%s, and then nobody does what it stops', async (_, withdrawal, says, stopped, other) => {
    await show(withdrawal)
    await screen.findByText(says)
    expect(screen.queryByRole('button', { name: stopped })).toBeNull()
    expect(screen.getByRole('button', { name: other })).toBeTruthy()
  })

  it('both in the list', async () => {
    await showConsole('/withdrawals', (mock) => {
      const list = [
        { ...open, ...FROZEN },
        { ...open, ...HELD, id: 2 },
      ]
      mock.answer(listWithdrawals, { list, next: null })
    })
    await screen.findByText('account frozen')
    await screen.findByText(/on hold until/)
  })

  it('a change of the account after the approval, in the dialog of the payout', async () => {
    const mine = { state: 'to_pay', taken_by: 'ann', frozen: false } as const
    const { user } = await show({ ...mine, hold_until: 1_795_000_000 })
    const dialog = await openDialog(user, 'Record payout')
    await dialog.findByText(/changed after the approval/)
    expect(dialog.getByLabelText(/^Sent, before the freeze/)).toBeTruthy()
  })

  it('a payment that another person has taken, which is only taken over', async () => {
    const card = { ...open.payee, kind: 'bank' } as const
    const taken = { taken_by: 'bob', taken_at: 1_795_000_000, yours: false, payee: card } as const
    const { mock, user } = await show({ state: 'to_pay', ...taken })
    await screen.findByText(/bob pays it, since/)
    for (const name of ['Record payout', 'Return unpaid', 'Show the whole number', 'Give back']) {
      expect(screen.queryByRole('button', { name })).toBeNull()
    }
    const dialog = await openDialog(user, 'Take over')
    await dialog.findByText(/Ask bob first/)
    await user.click(dialog.getByRole('button', { name: 'Take over' }))
    await waitFor(() =>
      expect(mock.requestsOf(takePayment)).toMatchObject([{ input: { id: 1, taken_from: 'bob' } }]),
    )
  })

  it('a payment of a person who has left, which is also given back', async () => {
    const taken = { taken_by: 'bob', taken_at: 1_795_000_000, yours: true } as const
    await show({ state: 'to_pay', ...taken })
    await screen.findByRole('button', { name: 'Take over' })
    screen.getByRole('button', { name: 'Give back' })
  })

  it.each([
    ['others', ['bob', 'cat'], true],
    ['others, and oneself before', ['bob', 'ann'], false],
    ['nobody', [], false],
  ])('a payment that %s gave back is released by who never had it', async (_, names, releases) => {
    const yours = !names.includes('ann')
    const denied = { kept_from_paying: names, denied_at: names.length > 0 ? DENIED_AT : null }
    const hint = { players: null, others: [], at: DENIED_AT, deposited: null, staked: null }
    const risks = [{ kind: 'payee_replaced' as const, ...hint }]
    const { mock, user } = await show({ state: 'to_pay', frozen: false, ...denied, yours, risks })
    await screen.findByRole('button', { name: 'Return unpaid' })
    if (names.length > 0) await screen.findByText(names.join(', '))
    const [button, ...others] = screen.queryAllByRole('button', { name: 'Export again' })
    expect([button !== undefined, others]).toEqual([releases, []])
    if (!button) return
    await user.click(button)
    const dialog = within(screen.getByRole('dialog'))
    await dialog.findByText(/^Another payee was saved/)
    await user.click(dialog.getByRole('button', { name: 'Export again' }))
    const input = { id: 1, denied_at: DENIED_AT }
    await waitFor(() => expect(mock.requestsOf(releaseBankPayment)).toMatchObject([{ input }]))
  })

  it('a transaction that pays a part, where it is counted and where all would be paid again', async () => {
    const before = { seen_amount: '99.00', earlier_references: ['old 1', 'old 0'] }
    const { mock, user } = await show({ ...WRONG, payout_fault: 'other_amount', ...before })
    const inDialog = async (name: string) => {
      return openDialog(user, name)
    }
    const again = await inDialog('Not paid: pay again')
    // A correction would hide what it paid.
    expect(screen.queryByText('Correct the transaction')).toBeNull()
    expect(again.getByText(/^Named before: old 1, old 0$/)).toBeTruthy()
    expect((await again.findByRole('alert')).textContent).toMatch(
      /this address 99\.00 u\. If it is/,
    )
    await user.click(again.getByRole('button', { name: 'Cancel' }))
    const count = await inDialog('Count it: pay the rest')
    await user.type(count.getByLabelText(/^Reason/), 'A fee')
    await user.click(count.getByRole('button', { name: 'Count it: pay the rest' }))
    const input = { id: 1, reference: 'ab'.repeat(32), reason: 'A fee' }
    await waitFor(() => expect(mock.requestsOf(acceptPayout)).toMatchObject([{ input }]))
  })

  it.each([
    ['after a freeze', 'sent_later', /With you it is paid, and the player is told/],
    ['by two transfers', 'other_amount', /A second person has to accept it too/],
  ] as const)(
    'a transaction that pays all of it %s, and whether one person accepts that',
    async (_, fault, says) => {
      const { user } = await show({ ...WRONG, payout_fault: fault, seen_amount: '100.00' })
      await user.click(await screen.findByRole('button', { name: 'Accept it as paid' }))
      within(screen.getByRole('dialog')).getByText(says)
    },
  )

  it('a transaction that pays all of it after a freeze, which whoever may have sent it does not judge', async () => {
    const late = { payout_fault: 'sent_later', seen_amount: '100.00', yours: false } as const
    await show({ ...WRONG, ...late })
    await screen.findByText(NAMED.payout_reference)
    for (const name of ['Accept it as paid', 'Not paid: pay again']) {
      expect(screen.queryByRole('button', { name })).toBeNull()
    }
  })

  it.each([
    ['corrected by nobody while the chain has ten minutes', null, true, 0, 0],
    ['corrected by another then', true, true, 1, 0],
    ['paid again by another once it cannot come any more', true, false, 1, 1],
  ])('a transaction that is %s', async (_, yours, mayCome, corrects, pays) => {
    const awaited = { state: 'on_chain', payout_chain: 'awaited', seen_amount: '0.00' } as const
    await show({ ...awaited, ...NAMED, yours, may_come: mayCome })
    await screen.findByText(/No solid block has this transaction yet/)
    const count = (name: string) => screen.queryAllByRole('button', { name }).length
    expect(count('Correct the transaction')).toBe(corrects)
    expect(count('Not paid: pay again')).toBe(pays)
  })

  it('what is left of a withdrawal that was paid in part', async () => {
    await show({ state: 'to_pay', frozen: false, paid_part: '99.00', rest: '1.00' })
    await screen.findByText('Paid by earlier transactions')
    await screen.findByText('1.00 u')
  })

  it('a payment that is given back is released by whoever approved it, and not paid by him', async () => {
    const denied = { kept_from_paying: ['bob'], denied_at: DENIED_AT }
    await show({ state: 'to_pay', decided_by: 'ann', ...denied })
    await screen.findByRole('button', { name: 'Export again' })
    expect(screen.queryByRole('button', { name: 'Take to pay' })).toBeNull()
  })
})

test.each([
  ['another recorded', { payout_recorded_by: 'bob', payout_corrected_by: null }, 1],
  ['one recorded oneself', { payout_recorded_by: 'ann', payout_corrected_by: null }, 0],
  ['one corrected oneself', { payout_recorded_by: 'bob', payout_corrected_by: 'ann' }, 0],
])('the reference of a bank that %s is corrected, or is not', async (_, by, count) => {
  const payee = { ...sample(oneWithdrawal).payee, kind: 'bank' } as const
  const named = { payee, payout_reference: 'Bank 2', ...by }
  const paid = { ...sample(oneWithdrawal), id: 1, state: 'paid', ...named } as const
  const { mock, user } = await showConsole('/withdrawals/1/show', (mock) => {
    mock.answer(oneWithdrawal, paid)
  })
  await screen.findByText('Payout recorded by')
  const name = 'Correct the reference'
  for (const each of [name, 'The bank sent it back']) {
    expect(screen.queryAllByRole('button', { name: each })).toHaveLength(count)
  }
  if (count === 0) return
  const dialog = await openDialog(user, name)
  dialog.getByText(/: Bank 2$/)
  await user.type(dialog.getByLabelText(/^Reference/), 'Bank 1')
  await user.type(dialog.getByLabelText(/^Reason/), 'A slip')
  await user.click(dialog.getByRole('button', { name }))
  const input = { id: 1, seen_reference: 'Bank 2', reference: 'Bank 1', reason: 'A slip' }
  await waitFor(() => expect(mock.requestsOf(correctPayout)).toMatchObject([{ input }]))
})

const FREE = { taken_by: null, taken_at: null }
const TAKEN = { taken_by: 'cat', taken_at: 1_795_000_000 }
const TAKEN_BY_ANN = { ...TAKEN, taken_by: 'ann' }

test.each([
  ['is paid by another', 'bob', FREE, true, 'Take to pay', 1],
  ['is not paid by oneself', 'ann', FREE, false, 'Take to pay', 0],
  ['is taken over by another', 'bob', TAKEN, false, 'Take over', 1],
  ['is not taken over by oneself', 'ann', TAKEN, false, 'Take over', 0],
  ['is not given back by another', 'bob', TAKEN, false, 'Give back', 0],
  ['is given back by each once its taker has left', 'ann', TAKEN, true, 'Give back', 1],
  ['is refused by another', 'bob', FREE, true, 'Refuse', 1],
  ['is not refused once somebody may have paid it', 'bob', TAKEN, false, 'Refuse', 0],
  ['is confirmed by its taker', 'bob', TAKEN_BY_ANN, true, 'Confirm', 1],
  ['is not refused by its taker', 'bob', TAKEN_BY_ANN, true, 'Refuse', 0],
  ['is withdrawn by oneself', 'ann', FREE, false, 'Withdraw', 1],
  ['is not withdrawn once somebody may have paid it', 'ann', TAKEN, false, 'Withdraw', 0],
])('a refund that one proposed %s', async (_, proposer, taken, yours, button, count) => {
  const proposed = sampleRow(listProposals)
  await showConsole('/held-deposits/1/show', (mock) => {
    const deposit = { ...sample(oneHeldDeposit), id: 1, state: 'refunding' as const, ...taken }
    mock.answer(oneHeldDeposit, deposit)
    const refund = { ...proposed, kind: 'refund' as const, proposed_by: proposer, yours }
    mock.answer(listProposals, { list: [{ ...refund, state: 'proposed' }], next: null })
  })
  await screen.findByText(new RegExp(`^${proposer} proposes it`))
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(screen.queryAllByRole('button', { name: button })).toHaveLength(count)
})

test.each([
  ['a bank deposit', 'bank:12', null, 1],
  ['an assigned transfer', 'usdt:ab:0:12', null, 1],
  ['a transfer to the player’s own address', 'usdt:ab:0', null, 0],
  ['one whose refund somebody had, and may have paid,', 'bank:12', DENIED_AT, 0],
])('%s that is held is taken back if staff booked it', async (_, reference, denied_at, count) => {
  const { mock, user } = await showConsole('/held-deposits/1/show', (mock) => {
    const deposit = { ...sample(oneHeldDeposit), id: 1, user_id: 7, quantity: '5.00' }
    const of = { state: 'held' as const, reference, denied_at }
    mock.answer(oneHeldDeposit, { ...deposit, ...of })
  })
  await screen.findByRole('button', { name: 'Propose to pay back' })
  const name = 'Take back'
  expect(screen.queryAllByRole('button', { name })).toHaveLength(count)
  if (count === 0) return
  const dialog = await openDialog(user, name)
  await user.type(dialog.getByLabelText(/^Reason/), 'A slip')
  await user.click(dialog.getByRole('button', { name }))
  const input = { user_id: 7, kind: 'debit', money: 5_000_000n, deposit: 12, reason: 'A slip' }
  await waitFor(() => expect(mock.inputsOf(proposeAdjustment)).toEqual([input]))
})

test.each([
  ['another', 'bob', null, 1],
  ['oneself', 'ann', null, 0],
  ['oneself, and corrected by another', 'ann', 'bob', 1],
  ['another, and corrected by oneself', 'bob', 'ann', 0],
])('a wrong refund that was recorded by %s', async (_, recorder, corrector, buttons) => {
  const { user } = await showConsole('/held-deposits/1/show', (mock) => {
    const deposit = { ...sample(oneHeldDeposit), id: 1, state: 'refund_wrong' as const, ...FREE }
    const by = { decided_by: recorder, refund_corrected_by: corrector }
    mock.answer(oneHeldDeposit, { ...deposit, ...by, refund_reference: 'ab'.repeat(32) })
    mock.answer(listProposals, { list: [], next: null })
  })
  await screen.findByText('ab'.repeat(32))
  expect(screen.queryAllByText('Correct the transaction')).toHaveLength(buttons)
  const name = 'Propose to pay back'
  expect(screen.queryAllByRole('button', { name })).toHaveLength(buttons)
  if (buttons === 0) return
  await user.click(screen.getByRole('button', { name }))
  await within(screen.getByRole('dialog')).findByText(/^It may be paid already/)
})

test.each([
  ['ann', 'Held deposit'],
  ['bob', 'Take to pay'],
])(
  'of a refund that %s proposed, which somebody may have taken, the list has only the way to its page',
  async (by, name) => {
    await showConsole('/proposals', (mock) => {
      const refund = { ...sampleRow(listProposals), kind: 'refund', state: 'proposed' } as const
      const open = { ...refund, subject: 'held_deposit:7', proposed_by: by, yours: by === 'bob' }
      mock.answer(listProposals, { list: [open], next: null })
    })
    const way = await screen.findByRole('link', { name })
    expect(way.getAttribute('href')).toMatch(/\/held-deposits\/7\/show$/)
    expect(screen.queryByRole('button', { name: /^(Confirm|Refuse|Withdraw)$/ })).toBeNull()
  },
)

test.each([
  ['while the chain has ten minutes', true, 0],
  ['after them', false, 1],
])('another transaction of a refund is named %s', async (_, chain_has_time, count) => {
  await showConsole('/held-deposits/1/show', (mock) => {
    const named = { decided_by: 'bob', refund_reference: 'ab'.repeat(32), chain_has_time }
    const deposit = { ...sample(oneHeldDeposit), id: 1, state: 'refund_awaited' as const }
    mock.answer(oneHeldDeposit, { ...deposit, ...named, refund_corrected_by: null })
  })
  await screen.findByText('ab'.repeat(32))
  expect(screen.queryAllByRole('button', { name: 'Correct the transaction' })).toHaveLength(count)
})

test('the list of proposals says how many persons confirmed each', async () => {
  await showConsole('/proposals', (mock) => {
    const one = {
      ...sampleRow(listProposals),
      state: 'confirmed',
      proposed_by: 'bob',
    } as const
    const confirmed = [
      { ...one, id: 1, confirmed_by: 'bob', first_confirmed_by: null },
      { ...one, id: 2, confirmed_by: 'cat', first_confirmed_by: null },
      { ...one, id: 3, confirmed_by: 'cat', first_confirmed_by: 'dan' },
    ]
    mock.answer(listProposals, { list: confirmed, next: null })
  })
  await screen.findByText('confirmed alone: the only owner')
  screen.getByText('confirmed: 2 of 2')
  screen.getByText('confirmed: 3 of 3')
})

test('whoever confirms a bank deposit with the reference of another names that one too', async () => {
  const { mock, user } = await showConsole('/proposals', (mock) => {
    const changes = [{ what: 'other_than', before: null, after: '12' }]
    const deposit = { ...sampleRow(listProposals), id: 13, kind: 'bank_deposit', changes } as const
    const open = { ...deposit, state: 'proposed', yours: true } as const
    mock.answer(listProposals, { list: [open], next: null })
  })
  const name = 'Confirm'
  const dialog = await openDialog(user, name)
  expect(dialog.getByRole('listitem').textContent).toBe('Same reference as bank deposit no.: 12')
  await user.type(dialog.getByLabelText(/^Another transfer/), '12')
  await user.click(dialog.getByRole('button', { name }))
  const input = { id: 13, other_than: 12 }
  await waitFor(() => expect(mock.requestsOf(confirmProposal)).toMatchObject([{ input }]))
})

test('the freeze that was seen is ended, and no other', async () => {
  const { mock, user } = await showConsole('/frozen-accounts', (mock) => {
    const frozen = { ...sampleRow(listFrozenAccounts), user_id: 7, frozen_at: 1_000 }
    mock.answer(listFrozenAccounts, { list: [frozen], next: null })
  })
  const name = 'End the freeze'
  const dialog = await openDialog(user, name)
  await user.type(dialog.getByLabelText(/^Reason/), 'He asked')
  await user.click(dialog.getByRole('button', { name }))
  const input = { user_id: 7, frozen_at: 1_000, reason: 'He asked' }
  await waitFor(() => expect(mock.requestsOf(unfreezeAccount)).toMatchObject([{ input }]))
})

test.each([
  ['frozen-accounts', listFrozenAccounts, /^Sort by since/, 'frozen'],
  ['unmatched-transfers', listUnmatchedTransfers, /^Sort by time/, 'block'],
] as const)('the list of %s is sorted by its time', async (name, route, heading, sort) => {
  const { mock, user } = await showConsole(`/${name}`, (mock) =>
    mock.answer(route, { list: [sampleRow(route)] as never, next: null }),
  )
  await user.click(await screen.findByRole('button', { name: heading }))
  const sorted = { input: { sort, order: 'asc' } }
  await waitFor(() => expect(mock.requestsOf(route).at(-1)).toMatchObject(sorted))
})

test('a file of a batch that somebody took is downloaded again only after a question', async () => {
  const { user } = await showConsole('/bank-batches/1/show', (mock) => {
    const batch = { ...sample(oneBankBatch), id: 1, state: 'open' as const, paid: 0, failed: 0 }
    mock.answer(oneBankBatch, { ...batch, file_taken_by: 'bob', file_taken_at: 1_795_000_000 })
  })
  await screen.findByText(/By bob,/)
  expect(screen.queryByRole('button', { name: 'Cancel the batch' })).toBeNull()
  const name = 'Take over with the file'
  const dialog = await openDialog(user, name)
  await dialog.findByText(/it may pay twice/)
  vi.stubGlobal('fetch', async () => Response.error())
  await user.click(dialog.getByRole('button', { name }))
  // The keyboard goes on from the button at which it was.
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(document.activeElement?.textContent).toBe(name)
})

test('a batch whose file nobody has taken does not look as if the bank had it', async () => {
  await showConsole('/bank-batches', (mock) => {
    const open = { ...sampleRow(listBankBatches), state: 'open' } as const
    const list = [
      { ...open, id: 1, file_taken_by: null },
      { ...open, id: 2, file_taken_by: 'bob' },
    ]
    mock.answer(listBankBatches, { list, next: null })
  })
  const rows = (await screen.findAllByRole('row')).slice(1)
  expect(
    rows.map((row) => /file not taken yet|bob.*waits/.exec(`${row.textContent}`)?.[0]),
  ).toEqual(['file not taken yet', 'bobwaits'])
})

test('a file is asked for as the member whom the page shows: another may have signed in in another tab', async () => {
  const { user } = await showConsole('/bank-batches/1/show', (mock) => {
    const batch = { ...sample(oneBankBatch), id: 1, state: 'open' as const }
    mock.answer(oneBankBatch, { ...batch, file_taken_by: null, file_taken_at: null })
  })
  const button = await screen.findByRole('button', { name: 'Download the file' })
  const sent = vi.fn<typeof fetch>(async () =>
    Response.json({ code: 500, msg: REFUSED.msg, time: '1', data: { reason: REFUSED.reason } }),
  )
  vi.stubGlobal('fetch', sent)
  await user.click(button)
  await screen.findByText(REFUSED.msg)
  const [, init] = sent.mock.calls.find(([url]) => `${url}`.startsWith(bankBatchFile.path)) ?? []
  expect(new Headers(init?.headers).get('X-Shown-Member')).toBe('ann')
})

test('why a bank’s answer was refused does not stand at the next file, and stays when the batch is gone', async () => {
  const { mock, user } = await showConsole('/bank-batches/1/show', (mock) =>
    mock.answer(oneBankBatch, () => {
      // Each of the two files is checked, and then recorded.
      const isLast = mock.requestsOf(answerBankBatch).length === 4
      const state = isLast ? ('cancelled' as const) : ('open' as const)
      return { ...sample(oneBankBatch), id: 1, state }
    }),
  )
  const record = async (name: string, msg: string) => {
    mock.answer(answerBankBatch, sample(answerBankBatch))
    await user.upload(await screen.findByLabelText('Take the answer'), new File(['a'], name))
    await screen.findByText(new RegExp(`^${name}: 0 paid`))
    const shown = screen.getByRole('main').textContent
    mock.refuse(answerBankBatch, { ...REFUSED, msg })
    await user.click(screen.getByRole('button', { name: 'Record it' }))
    await screen.findByText(msg)
    return shown
  }
  await record('1.csv', 'The first is refused')
  expect(await record('2.csv', 'The batch is cancelled')).not.toMatch('The first is refused')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Take the answer' })).toBeNull())
  screen.getByText('The batch is cancelled')
})

test('how many payments the file of a batch has, and what it leaves out, is said before it is taken', async () => {
  const payment = {
    user_id: 1,
    username: 'tim',
    quantity: '5.00',
    payee: 'A bank',
    ...({ state: 'sent', denied_at: null } as const),
    reference: null,
    reason: null,
    answered_by: null,
    answered_at: null,
    released_by: null,
  }
  const own = { ...payment, obstacle: 'approved_by_you' } as const
  const list = [
    { ...payment, withdrawal_id: 6, obstacle: null },
    { ...payment, withdrawal_id: 7, obstacle: 'withdrawal_on_hold' as const },
    { ...own, withdrawal_id: 8 },
    { ...own, withdrawal_id: 9 },
  ]
  const batch = { ...sample(oneBankBatch), id: 1, state: 'open' as const }
  const untaken = { ...batch, file_taken_by: null, file_taken_at: null }
  const { mock, user } = await showConsole('/bank-batches/1/show', (mock) =>
    mock.answer(oneBankBatch, { ...untaken, list }),
  )
  await screen.findByText(/the file leaves it out/)
  const says =
    'The file has 1 payment. Left out: 0 of frozen players, 1 on hold, 2 that you approved.'
  screen.getByText(says)
  const dialog = await openDialog(user, 'Download the file')
  dialog.getByText(`${says} What is left out drops out of this batch: a later batch has it.`)
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  // What he approved keeps him from taking over what another has.
  mock.answer(oneBankBatch, { ...batch, file_taken_by: 'bob', file_taken_at: 1_795_000_000, list })
  await queryClient.invalidateQueries()
  await screen.findByText(/By bob,/)
  expect(screen.queryByRole('button', { name: 'Take over with the file' })).toBeNull()
  expect(screen.queryByText(says)).toBeNull()
})

describe('what could not be loaded is not shown as none', () => {
  it('the sum from which identity is asked for, and the button that sets it', async () => {
    await showConsole('/identities', (mock) => mock.refuse(identityTerms, REFUSED))
    await screen.findByText(REFUSED.msg)
    expect(screen.queryByText(/Identity is not asked for/)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Set the sum' })).toBeNull()
  })

  it('the bank account, and the button that changes it', async () => {
    await showConsole('/bank-account', (mock) => mock.refuse(bankAccount, REFUSED))
    await screen.findByText(REFUSED.msg)
    expect(screen.queryByRole('button', { name: 'Change' })).toBeNull()
  })

  it('the proposals about a withdrawal, and its batches', async () => {
    await showConsole('/withdrawals/1/show', (mock) => {
      mock.answer(oneWithdrawal, { ...sample(oneWithdrawal), id: 1 })
      mock.refuse(listProposals, REFUSED)
      mock.refuse(withdrawalPayments, REFUSED)
    })
    await waitFor(() => expect(screen.getAllByText(REFUSED.msg)).toHaveLength(2))
  })

  it('the players that a search did not look for', async () => {
    let release = () => {}
    const { user } = await showConsole('/bank-account', (mock) => {
      mock.refuse(listPlayers, REFUSED)
      release = mock.hold(listPlayers)
    })
    await user.click(await screen.findByRole('button', { name: /^Search/ }))
    await user.keyboard('zzz')
    const dialog = within(screen.getByRole('dialog'))
    await dialog.findByText('Searching …')
    expect(dialog.queryByText('Nothing was found.')).toBeNull()
    release()
    await dialog.findByText(/Could not be searched: Players/)
    expect(dialog.queryByText('Nothing was found.')).toBeNull()
  })
})

test('a list that a filter leaves empty says only that nothing is found', async () => {
  const { user } = await showConsole('/identities', () => {})
  await screen.findByText('Nobody has sent documents.')
  await user.click(await screen.findByRole('combobox', { name: /State/ }))
  await user.click(await screen.findByRole('option', { name: 'rejected' }))
  await screen.findByText('Nothing is found.')
  expect(screen.queryByText('Nobody has sent documents.')).toBeNull()
})

test('who works on after a change of another keeps what he typed, and nothing else', async () => {
  const first = {
    ...sample(showPiece),
    id: 2,
    version: 1,
    category_id: 1,
    image: '/old.webp',
    changed_by: 'bob',
    texts: [{ lang: 'en' as const, title: 'Odds', html: '<p>Wrong</p>' }],
  }
  const texts = [{ lang: 'en' as const, title: 'Odds', html: '<p>Right</p>' }]
  const second = { ...first, version: 2, image: '/new.webp', texts }
  const { mock, user } = await showConsole('/articles/2/show', (mock) => {
    localStorage.setItem('sum28.console.html', 'yes')
    mock.answer(listCategories, [{ id: 1, name: 'Money' }])
    mock.answer(showPiece, first)
    mock.refuse(savePieceText, { reason: 'content_changed', msg: 'Changed' })
  })
  await user.type(await screen.findByLabelText('Title'), '!')
  await user.click(screen.getByLabelText(/Hot topic/))
  // It stays while he looks at another language.
  await user.click(screen.getByRole('tab', { name: /^日本語/ }))
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('')
  await user.click(screen.getByRole('tab', { name: 'English' }))
  mock.answer(showPiece, second)
  await user.click(screen.getByRole('button', { name: 'Save this language' }))
  await screen.findByText(/^bob has changed this meanwhile/)
  screen.getByText('<p>Right</p>', { selector: 'pre' })
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Odds!')
  await user.click(await screen.findByRole('button', { name: 'Work on from what is there now' }))
  mock.answer(savePieceText, { ...second, version: 3 })
  mock.answer(setArticle, { ...second, version: 4 })
  await user.click(screen.getByRole('button', { name: 'Save this language' }))
  await waitFor(() => expect(mock.requestsOf(savePieceText)).toHaveLength(2))
  expect(mock.requestsOf(savePieceText)[1]?.input).toMatchObject({
    version: 2,
    title: 'Odds!',
    html: '<p>Right</p>',
  })
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(mock.requestsOf(setArticle)).toHaveLength(1))
  expect(mock.requestsOf(setArticle)[0]?.input).toMatchObject({ image: '/new.webp', top: true })
})

describe('a change of a whole record sends what its form was made from', () => {
  async function change(address: string, prepare: (mock: ContractMock) => void) {
    const { mock, user } = await showConsole(address, prepare)
    const dialog = await openDialog(user, 'Change')
    await user.type(dialog.getByLabelText(/^Reason/), 'new')
    await user.click(dialog.getByRole('button', { name: 'Change' }))
    return mock
  }

  it('of a member', async () => {
    const bob = { name: 'bob', role: 'support', email: 'bob@example.com', active: true } as const
    const rest = { id: 2, createtime: 1, last_sign_in: 1, sessions: 0, codes_guessed: false }
    const mock = await change('/members', (mock) => mock.answer(listMembers, [{ ...rest, ...bob }]))
    const seen = { seen_role: 'support', seen_email: 'bob@example.com', seen_active: 1 }
    await waitFor(() =>
      expect(mock.requestsOf(proposeMember)).toMatchObject([{ input: { name: 'bob', ...seen } }]),
    )
  })

  it('of a member whose account is reset: the address to which the mail goes', async () => {
    const bob = { name: 'bob', role: 'support', email: 'bob@example.com', active: true } as const
    const rest = { id: 2, createtime: 1, last_sign_in: 1, sessions: 0, codes_guessed: false }
    const cleo = { ...rest, ...bob, id: 3, name: 'cleo', email: null }
    const { mock, user } = await showConsole('/members', (mock) =>
      mock.answer(listMembers, [{ ...rest, ...bob }, cleo]),
    )
    // Cleo has no address.
    const dialog = await openDialog(user, 'Reset')
    await user.click(dialog.getByRole('button', { name: 'Reset' }))
    await waitFor(() =>
      expect(mock.requestsOf(resetMember)).toMatchObject([
        { input: { name: 'bob', seen_email: 'bob@example.com' } },
      ]),
    )
  })

  it('of the bank account', async () => {
    const account = { bankname: 'First Bank', banknum: '12-34', bankxm: 'Sum28 Ltd' }
    const mock = await change('/bank-account', (mock) => mock.answer(bankAccount, account))
    const seen = { seen_bankname: 'First Bank', seen_banknum: '12-34', seen_bankxm: 'Sum28 Ltd' }
    await waitFor(() =>
      expect(mock.requestsOf(setBankAccount)).toMatchObject([{ input: { ...account, ...seen } }]),
    )
  })
})

it('each list asks for its file by fields that the call accepts', () => {
  for (const { name, route, always } of RESOURCES) {
    if (isList(route))
      expect(readFields(route.request, { ...always, order: 'asc' }), name).toMatchObject({
        ok: true,
      })
  }
})
