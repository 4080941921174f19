/** What staff see on a player's page before they act, and what their dialogs send. */
import type { ReplyOf } from '@sum28/contract/route.ts'
import { freezeAccount } from '@sum28/contract/staff-house-routes.ts'
import {
  listPlayers,
  listTemplates,
  onePlayer,
  saveTemplate,
  sendMessage,
} from '@sum28/contract/staff-players-routes.ts'
import { listProposals, proposeAdjustment } from '@sum28/contract/staff-proposal-routes.ts'
import {
  decideIdentity,
  listIdentities,
  listLikenesses,
  seeIdentity,
} from '@sum28/contract/staff-protection-routes.ts'
import { recordBankDeposit, requestRest } from '@sum28/contract/staff-routes.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { queryClient } from '#src/app/console.tsx'
import { openDialog, sample, sampleRow, showConsole } from '#src/testing/show-console.tsx'
import type { ContractMock } from '../../../../web/src/testing/contract-mock.ts'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/players/frozen-account-list.tsx'
import '#src/areas/players/likeness-list.tsx'
import '#src/areas/players/player-show.tsx'
import '#src/areas/players/templates.tsx'
import '#src/areas/proposals/proposal-list.tsx'

it('to a player on a break a message is sent only with what it is for', async () => {
  const { mock, user } = await showConsole('/players/7/show', (mock) =>
    mock.answer(onePlayer, {
      ...sample(onePlayer),
      id: 7,
      username: 'ann',
      lang: 'en',
      no_advertising: true,
    }),
  )
  const dialog = await openDialog(user, 'Send a message')
  expect(dialog.getByText(/nothing is sent that advertises/)).toBeTruthy()
  await user.click(dialog.getByLabelText(/What is it for/))
  await user.click(await screen.findByRole('option', { name: 'It answers the player’s question.' }))
  await user.type(dialog.getByRole('textbox', { name: /Message/ }), 'It is paid.')
  await user.click(dialog.getByRole('button', { name: 'Send a message' }))
  await expect
    .poll(() => mock.requestsOf(sendMessage).map(({ input }) => input))
    .toEqual([{ user_id: 7, purpose: 'answer', text: 'It is paid.' }])
})

it('a message is begun from a template in the player’s language, and what is typed is not replaced', async () => {
  const { mock, user } = await showConsole('/players/7/show', (mock) => {
    mock.answer(onePlayer, { ...sample(onePlayer), id: 7, username: 'tomo', lang: 'ja' })
    const texts = [
      { lang: 'en' as const, text: 'Your card is checked.' },
      { lang: 'ja' as const, text: '確認しています。' },
    ]
    const rest = { version: 1, missing: [], changed_by: 'ann', changed_at: 1 }
    mock.answer(listTemplates, [{ id: 1, name: 'Card', texts, ...rest }])
  })
  await screen.findByText('日本語')
  const dialog = await openDialog(user, 'Send a message')
  dialog.getByText(/tomo reads the app in this language: 日本語/)
  const template = await dialog.findByLabelText('Template')
  await user.click(template)
  await user.click(await screen.findByRole('option', { name: 'Card' }))
  dialog.getByText('In English: Your card is checked.')
  const text = dialog.getByRole<HTMLTextAreaElement>('textbox', { name: /Message/ })
  expect(text.value).toBe('確認しています。')
  await user.type(text, '!')
  expect(template.getAttribute('aria-disabled')).toBe('true')
  await user.click(dialog.getByRole('button', { name: 'Send a message' }))
  await expect
    .poll(() => mock.requestsOf(sendMessage).map(({ input }) => input))
    .toEqual([{ user_id: 7, text: '確認しています。!' }])
})

type Sent = Partial<ReturnType<typeof sampleRow<typeof listIdentities>>>
type Seen = Partial<ReplyOf<typeof seeIdentity>>

/** A player's identity, and what is seen of it after the press of a button. */
async function look(sent: Sent, seen: Seen = {}, prepare: (mock: ContractMock) => void = () => {}) {
  const shown = await showConsole('/players/7/show?tab=identity', (mock) => {
    const identity = { ...sampleRow(listIdentities), user_id: 7, sent_at: 1, ...sent }
    mock.answer(onePlayer, { ...sample(onePlayer), id: 7, username: 'ann' })
    mock.answer(listIdentities, { list: [identity], next: null })
    mock.answer(seeIdentity, { ...sample(seeIdentity), user_id: 7, sent_at: 1, ...seen })
    prepare(mock)
  })
  await shown.user.click(await screen.findByRole('button', { name: 'Show what he sent' }))
  return shown
}

it('an account that looks like an excluded one is named above the button that accepts an identity', async () => {
  await look({ state: 'waiting' }, { adult: true, document: 'C 123' }, (mock) => {
    const other = {
      user_id: 7,
      like_user_id: 8,
      like_username: 'bob',
      like_in: 'document',
    } as const
    mock.answer(listLikenesses, ({ input }) => {
      expect(input).toMatchObject({ user_id: 7, state: 'open' })
      return { list: [{ ...sampleRow(listLikenesses), ...other }], next: null }
    })
  })
  const alike = await screen.findByRole('link', { name: 'bob' })
  expect(alike.closest('li')?.textContent).toBe('bob · identity document')
  expect(screen.getByText('C 123')).toBeTruthy()
  const accept = screen.getByRole('button', { name: 'Accept' })
  expect(alike.compareDocumentPosition(accept)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

it.each([
  [true, ['Release', 'Same person']],
  [false, ['Release']],
])(
  'a likeness to an account whose exclusion goes on (%s) is decided by what can be',
  async (like_excluded, offered) => {
    await showConsole('/likenesses', (mock) => {
      const likeness = { ...sampleRow(listLikenesses), state: 'open' as const, like_excluded }
      mock.answer(listLikenesses, { list: [likeness], next: null })
    })
    const [, row] = await screen.findAllByRole('row')
    const buttons = within(row as HTMLElement).getAllByRole('button')
    expect(buttons.map(({ textContent }) => textContent)).toEqual(offered)
  },
)

it.each([
  [[], 0],
  [['UklG'], 1],
])(
  'a child’s identity with the pictures %j is accepted as such, or not',
  async (pictures, count) => {
    const said = { adult: false, under_age_said_at: 1, under_age_born: 2016 }
    const { user } = await look({ state: 'waiting' }, { ...said, pictures })
    await screen.findByText(/date of birth in 2016, under 18/)
    expect(screen.queryAllByRole('button', { name: 'Accept' })).toHaveLength(count)
    if (count === 0) return
    const dialog = await openDialog(user, 'Accept')
    expect(dialog.getByText(/under 18: he can withdraw his money/)).toBeTruthy()
  },
)

it.each([
  ['oneself', 'ann', 0],
  ['another', 'bob', 1],
])('an acceptance by %s is taken back, or is not', async (_, decidedBy, count) => {
  await look({ state: 'accepted', decided_by: decidedBy, decided_at: 2 }, { document: 'C 123' })
  await screen.findByText('C 123')
  const buttons = screen.queryAllByRole('button', { name: 'Take the acceptance back' })
  expect(buttons).toHaveLength(count)
})

it('the rest of a closed account is paid to a saved payee, of which is said whether staff saved it', async () => {
  const { mock, user } = await showConsole('/players/7/show', (mock) => {
    const page = sample(onePlayer)
    const card = { kind: 'bank' as const, label: 'BOB RAY', bank_name: 'Hanoi', created_at: 1 }
    const methods = [
      { ...card, id: 1, number: '•••• 4242', by_staff: true },
      { ...card, id: 2, number: '•••• 1111', by_staff: false },
    ]
    const figures = { ...page.figures, cash: '7.00' }
    mock.answer(onePlayer, { ...page, id: 7, state: 'closed', figures, pay_methods: methods })
  })
  const dialog = await openDialog(user, 'Pay out the rest')
  await user.click(dialog.getByLabelText(/^Payee/))
  const options = await screen.findAllByRole('option')
  expect(options.map((option) => option.textContent)).toEqual([
    ...['•••• 4242, BOB RAY, Hanoi, saved by staff', '•••• 1111, BOB RAY, Hanoi'],
  ])
  await user.click(options[1] as HTMLElement)
  await user.type(dialog.getByLabelText(/^Reason/), 'He asked')
  await user.click(dialog.getByRole('button', { name: 'Pay out the rest' }))
  await expect
    .poll(() => mock.inputsOf(requestRest))
    .toEqual([{ user_id: 7, pay_id: 2, reason: 'He asked' }])
})

it('an identity that the player sends anew is looked at again before the decision', async () => {
  const { mock, user } = await look({ state: 'waiting' }, { adult: true })
  await screen.findByRole('button', { name: 'Accept' })
  const anew = { ...sampleRow(listIdentities), user_id: 7, state: 'waiting', sent_at: 2 } as const
  mock.answer(listIdentities, { list: [anew], next: null })
  await act(() => queryClient.refetchQueries())
  await screen.findByText(/sent new documents/)
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull()
  const seen = { user_id: 7, sent_at: 2, version: 2, adult: true }
  mock.answer(seeIdentity, { ...sample(seeIdentity), ...seen })
  await user.click(screen.getByRole('button', { name: 'Show what he sent' }))
  const dialog = await openDialog(user, 'Accept')
  await user.click(dialog.getByRole('button', { name: 'Accept' }))
  await expect
    .poll(() => mock.requestsOf(decideIdentity).map(({ input }) => input))
    .toEqual([{ user_id: 7, version: 2, decision: 'accept' }])
})

it.each([
  ['code_reset', ['Replace a lost mailbox', 'Switch the second factor off']],
  ['factor_reset', ['Replace a lost mailbox', 'Reset the security code']],
  ['address_reset', ['Switch the second factor off', 'Reset the security code']],
] as const)('while a %s is proposed, only the others are offered', async (kind, offered) => {
  await showConsole('/players/7/show', (mock) => {
    const second_factor = { since: 1, app: true, recovery_codes: 8 }
    const email = 'ann@example.org'
    const player = { ...sample(onePlayer), id: 7, state: 'active' as const, email, second_factor }
    const security_code = { ...player.security_code, is_set: true }
    mock.answer(onePlayer, { ...player, security_code })
    const proposed = { ...sampleRow(listProposals), kind, state: 'proposed' as const }
    mock.answer(listProposals, { list: [proposed], next: null })
  })
  await screen.findByRole('button', { name: offered[0] })
  const all = /^(Replace a lost mailbox|Switch the second factor off|Reset the security code)$/
  // All have a place until the proposals are known.
  await expect
    .poll(() => screen.getAllByRole('button', { name: all }).map(({ textContent }) => textContent))
    .toEqual(offered)
})

it('when the proposals come, of which there are none, nothing on the page moves', async () => {
  let answerProposals = () => {}
  await showConsole('/players/7/show', (mock) => {
    const player = { ...sample(onePlayer), id: 7, state: 'active' as const }
    const security_code = { ...player.security_code, is_set: true }
    mock.answer(onePlayer, { ...player, security_code })
    mock.answer(listProposals, { list: [], next: null })
    answerProposals = mock.hold(listProposals)
  })
  const reset = await screen.findByRole<HTMLButtonElement>('button', {
    name: /^Reset the security/,
  })
  await waitFor(() => expect(document.querySelector('[aria-busy=true]')).toBeNull())
  expect(reset.disabled).toBe(true)
  const shown = () => document.querySelector('#main-content')?.textContent
  const before = shown()
  answerProposals()
  await waitFor(() => expect(reset.disabled).toBe(false))
  expect(shown()).toBe(before)
})

it.each([
  ['waiting', 'No picture was sent.'],
  ['accepted', 'No picture was sent.'],
  ['rejected', 'Pictures are deleted when an identity is rejected.'],
] as const)('an identity that is %s and has no picture says why', async (state, why) => {
  await look({ state }, { pictures: [] })
  expect((await screen.findByText(/picture/i)).textContent).toBe(why)
})

it('staff who type a payee are warned of a mistyped card, which an account’s number may look like', async () => {
  const { user } = await showConsole('/players/7/show', (mock) => {
    const player = { ...sample(onePlayer), id: 7, state: 'closed' as const }
    mock.answer(onePlayer, { ...player, figures: { ...player.figures, cash: '7.00' } })
  })
  const dialog = await openDialog(user, /another payee/)
  const number = dialog.getByLabelText(/^Card number/)
  await user.type(number, '4242 4242 4242 4242')
  expect(dialog.queryByText(/^No card has this number/)).toBeNull()
  await user.clear(number)
  await user.type(number, '4060 0001 0012 3456')
  expect(dialog.getByText(/^No card has this number/)).toBeTruthy()
})

const reason = 'He asked'

it.each([
  [
    '/players/7/show',
    'Propose an adjustment',
    { 'Amount in u': '5', Reason: reason, 'Number of the wrong deposit': '12' },
    proposeAdjustment,
    { user_id: 7, kind: 'bonus', money: 5_000_000n, reason, deposit: 12 },
  ],
  [
    '/players/7/show',
    'Freeze this account',
    { Reason: reason },
    freezeAccount,
    { user_id: 7, reason },
  ],
  [
    '/frozen-accounts',
    'Freeze an account',
    { Player: 'ann', Reason: reason },
    freezeAccount,
    { user_id: 7, reason },
  ],
  [
    '/players/8/show',
    'Pay the rest to another payee',
    { 'Card number': '4242', 'Holder of the card': 'ANN RAY', Bank: 'Hanoi', Reason: reason },
    requestRest,
    { user_id: 8, kind: 'bank', number: '4242', label: 'ANN RAY', bank_name: 'Hanoi', reason },
  ],
  [
    '/proposals',
    'Record a bank deposit',
    { Player: 'ann', 'Amount in u': '5', 'The bank': 'IN 75', 'Another transfer': '12' },
    recordBankDeposit,
    { user_id: 7, money: 5_000_000n, reference: 'IN 75', other_than: 12 },
  ],
  [
    '/templates',
    'Add a template',
    { Name: 'Card', 'Text in English': 'Checked.', 'Text in 繁體中文': '已確認。' },
    saveTemplate,
    { name: 'Card', text_en: 'Checked.', 'text_zh-TW': '已確認。' },
  ],
])('at %s the dialog “%s” sends what was typed', async (address, name, typed, route, input) => {
  const { mock, user } = await showConsole(address, (mock) => {
    const player = { ...sample(onePlayer), username: 'ann' }
    const figures = { ...player.figures, cash: '7.00' }
    mock.answer(onePlayer, ({ input: { user_id: id } }) => {
      // Player 8 has closed his account.
      const state = id === 8 ? ('closed' as const) : ('active' as const)
      return { ...player, id, figures, state }
    })
    const found = { ...sampleRow(listPlayers), id: 7, username: 'ann' }
    mock.answer(listPlayers, { list: [found], next: null })
  })
  const dialog = await openDialog(user, name)
  for (const [label, value] of Object.entries(typed)) {
    fireEvent.change(dialog.getByLabelText(new RegExp(`^${label}`)), { target: { value } })
  }
  if ('Player' in typed) await dialog.findByRole('link', { name: 'ann' })
  await user.click(dialog.getByRole('button', { name }))
  await expect.poll(() => mock.inputsOf(route)).toEqual([input])
})
