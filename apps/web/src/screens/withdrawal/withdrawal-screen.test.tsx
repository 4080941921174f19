import { Refusal, Unreachable } from '@sum28/contract/client.ts'
import type { Reason } from '@sum28/contract/envelope.ts'
import {
  identityInfo,
  safetyInfo,
  withdrawAction,
  withdrawInfo,
} from '@sum28/contract/money-routes.ts'
import { protectionState } from '@sum28/contract/protection-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { MICRO } from '@sum28/domain/money.ts'
import { act, screen, waitFor, waitForElementToBeRemoved, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { queryClient } from '#src/data/query-client.ts'
import { enter, signOut } from '#src/data/session.ts'
import { href } from '#src/navigation/routes.ts'
import { toastStore } from '#src/parts/toast-store.ts'
import { usualTimeText } from '#src/screens/withdrawal/requests.tsx'
import { withdrawalFailure } from '#src/screens/withdrawal/use-withdrawal.ts'
import { checkWithdrawal } from '#src/screens/withdrawal/withdrawal-form.tsx'
import { fillIn, leaveFor, showApp, useMockServer } from '#src/testing/show-app.tsx'
import {
  CARD,
  PROFILE,
  protectionReply,
  USERINFO,
  WITHDRAWABLE,
  wireTime,
} from '#src/testing/usual-replies.ts'

const server = useMockServer()

const MADE = { id: 9, quantity: '25.50', after_quantity: '74.50', version: '7' }

beforeEach(() => {
  server().answer(withdrawInfo, WITHDRAWABLE)
  server().answer(safetyInfo, { isTrue: true })
})

/** The key of each request that was sent. */
const sentKeys = () => server().keysOf(withdrawAction)

/** The player leaves the screen for one that asks for nothing of this. */
async function leave() {
  await leaveFor(href('betHistory'))
  await screen.findByText('No bets on these days')
}

async function sendUnanswered() {
  server().cutOff(withdrawAction)
  const person = await sendWith('246810')
  await screen.findByText(/^No answer came/)
  return person
}

async function sendWith(code: string) {
  const person = await review('25.50')
  await screen.findByRole('dialog', { name: 'Check and confirm' })
  await fillIn(person, { 'Security code': code })
  return person
}

async function review(amount: string) {
  const { person } = await showApp(href('withdrawal'))
  await fillIn(person, { Amount: amount })
  await person.click(screen.getByRole('button', { name: 'Continue' }))
  return person
}

it('the sixth digit of the security code sends the request, once', async () => {
  server().answer(withdrawAction, MADE)
  await sendWith('246810')
  await screen.findByRole('alertdialog', { name: 'Withdrawal requested' })
  const requests = server().requestsOf(withdrawAction)
  expect(requests.map(({ input }) => input)).toMatchObject([
    { pay_id: 3, money: (2_550n * MICRO) / 100n, security_code: '246810' },
  ])
  expect(requests[0]?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f]{32}$/)
})

it.each([null, 'time_out', 'likeness'] as const)(
  'a sent request offers to tell of its decision on this device, unless nothing is sent (%s)',
  async (kind) => {
    // What a browser has that can be told of something; this one is without.
    vi.stubGlobal('PushManager', class {})
    vi.stubGlobal('Notification', { permission: 'default' })
    Object.defineProperty(navigator, 'serviceWorker', { value: {}, configurable: true })
    onTestFinished(() => {
      vi.unstubAllGlobals()
      Reflect.deleteProperty(navigator, 'serviceWorker')
    })
    const exclusion = kind && { kind, until: null, may_ask_from: null }
    server().answer(protectionState, protectionReply({ exclusion }))
    server().answer(withdrawAction, MADE)
    const person = await review('25.50')
    await fillIn(person, { 'Security code': '246810' })
    const done = within(await screen.findByRole('alertdialog', { name: 'Withdrawal requested' }))
    await expect.poll(() => server().requestsOf(protectionState).length).toBeGreaterThan(0)
    await expect
      .poll(() => done.queryByRole('checkbox', { name: /^Tell me on this device/ }) !== null)
      .toBe(kind === null)
  },
)

it('amount, method and the amount that arrives are shown before the code is entered', async () => {
  await review('25.50')
  const dialog = await screen.findByRole('dialog', { name: 'Check and confirm' })
  const shownAs = (label: string) => within(dialog).getByText(label).parentElement?.textContent
  expect(shownAs('Amount')).toContain('25.50')
  for (const words of ['First Bank', '1111', 'Ann Lee'])
    expect(shownAs('Payment method')).toContain(words)
  expect(shownAs('You receive')).toContain('25.50')
  expect(server().requestsOf(withdrawAction)).toEqual([])
})

it('the review is read when it opens, since the focus begins at the code that sends it', async () => {
  await review('25.50')
  const description = /25\.50.*First Bank.*1111.*25\.50.*cannot be taken back/
  const dialog = await screen.findByRole('dialog', { name: 'Check and confirm', description })
  const code = within(dialog).getByRole('textbox', { name: 'Security code' })
  await expect.poll(() => document.activeElement).toBe(code)
})

it('a wrong code is reported, and can be entered again', async () => {
  server().refuse(withdrawAction, { reason: 'security_code_wrong', msg: 'The code is wrong' })
  const person = await sendWith('111111')
  await screen.findByText(/The code is wrong/)
  server().answer(withdrawAction, MADE)
  await fillIn(person, { 'Security code': '246810' })
  await screen.findByRole('alertdialog', { name: 'Withdrawal requested' })
})

it('a request without an answer is sent again with the same key, also after a refusal that does not judge it', async () => {
  const person = await sendUnanswered()
  server().refuse(withdrawAction, { reason: 'too_many_requests', msg: 'Slower', code: 429 })
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText(/^No answer came/)
  expect(screen.queryByText('Slower')).toBe(null)
  server().answer(withdrawAction, MADE)
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('alertdialog', { name: 'Withdrawal requested' })
  expect(sentKeys()).toHaveLength(3)
  expect(new Set(sentKeys()).size).toBe(1)
})

it('a request without an answer has the same key after its player has left the screen and come back', async () => {
  const person = await sendUnanswered()
  await leave()
  await leaveFor(href('withdrawal'))
  await person.click(await screen.findByRole('button', { name: 'Continue' }))
  await screen.findByRole('dialog', { name: 'Check and confirm' })
  await fillIn(person, { 'Security code': '246810' })
  await expect.poll(sentKeys).toHaveLength(2)
  expect(new Set(sentKeys()).size).toBe(1)
})

/** Sends a request whose answer is held; returns a function that releases it. */
async function sendAndHold(): Promise<() => void> {
  const release = server().hold(withdrawAction)
  await sendWith('246810')
  await expect.poll(() => server().requestsOf(withdrawAction)).toHaveLength(1)
  return release
}

it.each([
  ['a success', 'Withdrawal requested', MADE],
  ['no answer', /^No answer came/, null],
])('a request whose player has left the screen ends with a toast: %s', async (_, words, reply) => {
  if (reply) server().answer(withdrawAction, reply)
  else server().cutOff(withdrawAction)
  const release = await sendAndHold()
  await leave()
  release()
  await screen.findByText(words)
})

it('a request whose player has signed out says nothing to the next one', async () => {
  server().answer(withdrawAction, MADE)
  const release = await sendAndHold()
  await leave()
  const asked = server().requestsOf(withdrawInfo).length
  act(() => {
    signOut()
    enter({ ...USERINFO, id: 8, user_id: 8, token: 'token-of-bob' }, {})
  })
  release()
  await act(() => new Promise((done) => setTimeout(done, 100)))
  expect(toastStore.get()?.text).not.toMatch(/^No answer came/)
  expect(server().requestsOf(withdrawInfo)).toHaveLength(asked)
})

it('an amount above the balance is reported in a dialog', async () => {
  await review('100.01')
  await screen.findByRole('alertdialog', { name: 'Insufficient balance' })
})

it('while withdrawals are on hold the button is disabled, and the form shows until when', async () => {
  server().answer(withdrawInfo, { ...WITHDRAWABLE, hold_until: 1_795_000_000 })
  await showApp(href('withdrawal'))
  await screen.findByText('Withdrawals are on hold')
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Continue' })
  expect(button.disabled).toBe(true)
})

it('a hold that ends while it is shown is over then', async () => {
  const until = wireTime(Date.now()) + 1
  server().answer(withdrawInfo, () => ({
    ...WITHDRAWABLE,
    hold_until: wireTime(Date.now()) < until ? until : null,
  }))
  await showApp(href('withdrawal'))
  await screen.findByText('Withdrawals are on hold')
  vi.setSystemTime(until * 1_000)
  await waitForElementToBeRemoved(screen.queryByText('Withdrawals are on hold'))
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Continue' })
  expect(button.disabled).toBe(false)
})

const PENDING = { id: 9, quantity: '25.50', createtime: 1_795_000_000, waits_for_identity: false }

it('a pending request is shown instead of the form', async () => {
  server().answer(withdrawInfo, { ...WITHDRAWABLE, pending: PENDING })
  await showApp(href('withdrawal'))
  await screen.findByText('Your request is being checked')
  expect(screen.queryByLabelText('Amount')).toBe(null)
  expect(screen.queryByRole('link', { name: 'Proof of identity' })).toBe(null)
})

it('a pending request shows until when a hold keeps it from being approved', async () => {
  server().answer(withdrawInfo, { ...WITHDRAWABLE, pending: PENDING, hold_until: 1_795_000_000 })
  await showApp(href('withdrawal'))
  await screen.findByText('Your request is being checked')
  await screen.findByText('Withdrawals are on hold')
})

it('a pending request that waits for the identity says so, and leads to where it is proved', async () => {
  const pending = { ...PENDING, waits_for_identity: true }
  server().answer(withdrawInfo, { ...WITHDRAWABLE, pending })
  server().answer(identityInfo, { state: 'none', reason: null, pictures: 0, asked_from: '10.00' })
  const { person } = await showApp(href('withdrawal'))
  await screen.findByText(/It waits until you have proved your identity/)
  await person.click(screen.getByRole('link', { name: 'Proof of identity' }))
  await screen.findByText('Pictures: 0 of 4')
})

it('the only method is chosen, and what was typed is there again after a code was set', async () => {
  server().answer(safetyInfo, { isTrue: false })
  const { person } = await showApp(href('withdrawal'))
  await fillIn(person, { Amount: '25.50' })
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /First Bank/ }).checked).toBe(true)
  await person.click(screen.getByRole('link', { name: 'Set a code' }))
  await screen.findAllByLabelText('The same six digits again')
  await person.click(screen.getByRole('button', { name: 'Back' }))
  const amount = await screen.findByLabelText<HTMLInputElement>('Amount')
  expect(amount.value).toBe('25.50')
})

it('to a wallet it says how many USDT arrive', async () => {
  const WALLET = { ...CARD, id: 8, acc: wallet.address, acc_name: 'TRC20', status: '0' } as const
  server().answer(withdrawInfo, { ...WITHDRAWABLE, pay_list: [WALLET] })
  const { person } = await showApp(href('withdrawal'))
  await fillIn(person, { Amount: '25.50' })
  expect(screen.getByText('You receive').parentElement?.textContent).toMatch(/25\.50\sUSDT/)
})

const REQUEST = {
  status: 'waiting' as const,
  id: 9,
  quantity: '25.50',
  paid_part: '0.00',
  payee: 'TUEZ…GWYdH',
  createtime: 1_795_000_000,
  approvedtime: null,
  senttime: null,
  reference: null,
  why: null,
}
const APPROVED = { ...REQUEST, status: 'approved', approvedtime: 1_795_005_000 } as const
const SENT = { ...REQUEST, status: 'sent', senttime: 1_795_009_000 } as const

it('a request shows how far it has come, why it cannot be taken back, and the usual time', async () => {
  const asked = { pending: PENDING, latest: [REQUEST], usual_seconds: 5_400 }
  server().answer(withdrawInfo, { ...WITHDRAWABLE, ...asked })
  await showApp(href('withdrawal'))
  await screen.findByText(/^A request cannot be taken back/)
  await screen.findByText(
    /^Our staff check .* Of the latest payouts, nine of ten were sent within 2 hours/,
  )
  const steps = screen.getAllByRole('listitem').filter((item) => item.dataset.at)
  expect(steps.map(({ dataset: { at } }) => at)).toEqual(['done', 'now', 'later'])
  expect(steps[1]?.textContent).toBe('Being checked')
})

it('a review without an answer does not come back after its request was approved', async () => {
  await sendUnanswered()
  server().answer(withdrawInfo, { ...WITHDRAWABLE, pending: PENDING, latest: [REQUEST] })
  await act(() => queryClient.refetchQueries())
  await screen.findByText('Your request is being checked')
  server().answer(withdrawInfo, { ...WITHDRAWABLE, latest: [APPROVED] })
  await act(() => queryClient.refetchQueries())
  await screen.findByRole('button', { name: 'Continue' })
  expect(screen.queryByRole('dialog')).toBe(null)
})

it('a request that is equal to one without an answer has another key once that was made', async () => {
  const person = await sendUnanswered()
  await leave()
  server().answer(withdrawInfo, { ...WITHDRAWABLE, latest: [SENT] })
  await leaveFor(href('withdrawal'))
  await screen.findByText('Latest withdrawals')
  await person.click(screen.getByRole('button', { name: 'Continue' }))
  await screen.findByRole('dialog', { name: 'Check and confirm' })
  await fillIn(person, { 'Security code': '246810' })
  await expect.poll(sentKeys).toHaveLength(2)
  expect(new Set(sentKeys()).size).toBe(2)
})

it('a request whose answer was lost is done, also if it was approved before it was looked for', async () => {
  server().cutOff(withdrawAction)
  const release = await sendAndHold()
  server().answer(withdrawInfo, { ...WITHDRAWABLE, latest: [APPROVED] })
  await act(() => queryClient.refetchQueries())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null))
  release()
  await screen.findByRole('alertdialog', { name: 'Withdrawal requested' })
})

it('a payout shows its transaction, and a rejected request its reason', async () => {
  const reference = 'ab'.repeat(32)
  const why = 'The name on the card is another'
  const paid = { ...SENT, approvedtime: 1_795_005_000, reference }
  server().answer(withdrawInfo, { ...WITHDRAWABLE, latest: [paid] })
  await showApp(href('withdrawal'))
  await screen.findByText(reference)
  const rejected = { ...REQUEST, status: 'rejected' as const, why }
  server().answer(withdrawInfo, { ...WITHDRAWABLE, latest: [rejected] })
  await queryClient.refetchQueries()
  await screen.findByText(why)
})

it('a request of which a part was paid says how much', async () => {
  server().answer(withdrawInfo, { ...WITHDRAWABLE, latest: [{ ...APPROVED, paid_part: '24.50' }] })
  await showApp(href('withdrawal'))
  await screen.findByText('24.50 u of it sent')
})

it.each([
  [1, 'en', '1 minute'],
  [3_600, 'en', '60 minutes'],
  [3_601, 'en', '2 hours'],
  [172_800, 'en', '48 hours'],
  [172_801, 'en', '3 days'],
  [1, 'zh-CN', '1 分钟'],
  [3_601, 'ja', '2時間'],
])('%i seconds are said in %s as %s', (seconds, tag, words) => {
  expect(usualTimeText(seconds, tag)).toBe(words)
})

it('of two balances the later one is shown', async () => {
  server().answer(userInfo, { ...PROFILE, money: '77.25', version: '2' })
  await showApp(href('withdrawal'))
  await screen.findByText('77.25')
})

function refused(reason: Reason, code = 0) {
  return new Refusal({ code, msg: 'no', time: '0', data: { reason } })
}

describe('a failed request for a withdrawal', () => {
  it.each([
    ['security_code_wrong', 'code-wrong'],
    ['security_code_locked', 'locked'],
    ['security_code_not_set', 'no-code'],
    ['pay_method_missing', 'no-method'],
    ['insufficient_balance', 'insufficient'],
    ['withdrawal_pending', 'refused'],
    ['withdrawal_on_hold', 'refused'],
    ['idempotency_conflict', 'refused'],
  ] as const)('that was refused for %s means %s', (reason, meaning) => {
    expect(withdrawalFailure(refused(reason))).toBe(meaning)
  })

  it('may have been made if no answer came, or a broken one', () => {
    expect(withdrawalFailure(new Unreachable({ timedOut: true }))).toBe('unanswered')
    expect(withdrawalFailure(new Unreachable({ timedOut: false }))).toBe('unanswered')
    expect(withdrawalFailure(refused('fault', 500))).toBe('unanswered')
    expect(withdrawalFailure(new Error('something'))).toBe('unanswered')
  })
})

const wallet = {
  kind: 'wallet',
  id: 8,
  address: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
  type: 'TRC20 (USDT)',
} as const

const good = {
  methods: [wallet],
  hasSecurityCode: true,
  amount: '150',
  tag: 'en',
  methodId: '8',
  min: 100_000_000n,
  balance: 500_000_000n,
}

function faultOf(change: Partial<Parameters<typeof checkWithdrawal>[0]>) {
  const checked = checkWithdrawal({ ...good, ...change })
  return checked.ok ? null : checked.fault
}

describe('a withdrawal', () => {
  it('is reviewed if it has no fault', () => {
    expect(checkWithdrawal(good)).toEqual({
      ok: true,
      withdrawal: { method: wallet, amount: 150_000_000n },
    })
  })

  it('is checked in the specified order of faults', () => {
    const all = { methods: [], hasSecurityCode: false, amount: '', methodId: '' } as const
    const mended = [
      {},
      { methods: [wallet] },
      { hasSecurityCode: true },
      { amount: '1.234' },
      { amount: '99.99' },
      { amount: '500.01' },
      { methodId: '8' },
      { amount: '500' },
    ]
    let wish: Parameters<typeof faultOf>[0] = all
    const faults = mended.map((change) => {
      wish = { ...wish, ...change }
      return faultOf(wish)
    })
    expect(faults).toEqual([
      'no-method-saved',
      'no-security-code',
      'amount-missing',
      'amount-wrong',
      'below-minimum',
      'no-method-chosen',
      'insufficient-balance',
      null,
    ])
  })

  it.each(['100', '100.00', '100,00', ' 100.5 ', '500', '１００'])('may be of %j', (amount) => {
    expect(faultOf({ amount })).toBeNull()
  })

  it.each(['1e3', '-200', '10,00.00', 'all', '100.001'])('is no amount as %j', (amount) => {
    expect(faultOf({ amount })).toBe('amount-wrong')
  })

  it('is of 1,284 units if the language writes them as 1.284', () => {
    const rich = { ...good, balance: 5_000_000_000n, tag: 'vi' }
    const withdrawal = { amount: 1_284_000_000n }
    for (const amount of ['1.284', '1.284,00', '1284']) {
      expect(checkWithdrawal({ ...rich, amount })).toMatchObject({ withdrawal })
    }
  })

  it('may not be of more than the balance, for any amount', () => {
    expect(faultOf({ amount: '500.01' })).toBe('insufficient-balance')
    expect(faultOf({ amount: '9'.repeat(40) })).toBe('insufficient-balance')
  })

  it('needs a method that is saved', () => {
    expect(faultOf({ methodId: '9' })).toBe('no-method-chosen')
  })
})
