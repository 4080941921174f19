/** What staff see on a player's page before they act. */
import { listTemplates, onePlayer, sendMessage } from '@sum28/contract/staff-players-routes.ts'
import { listProposals } from '@sum28/contract/staff-proposal-routes.ts'
import {
  decideIdentity,
  listIdentities,
  listLikenesses,
  seeIdentity,
} from '@sum28/contract/staff-protection-routes.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { queryClient } from '#src/app/console.tsx'
import { sample, sampleRow, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/players/player-show.tsx'

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
  await user.click(await screen.findByRole('button', { name: 'Send a message' }))
  const dialog = within(await screen.findByRole('dialog'))
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
  await user.click(await screen.findByRole('button', { name: 'Send a message' }))
  const dialog = within(await screen.findByRole('dialog'))
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

it('an account that looks like an excluded one is named above the button that accepts an identity', async () => {
  const { user } = await showConsole('/players/7/show?tab=identity', (mock) => {
    const undecided = { decided_by: null, decided_at: null }
    const sent = { user_id: 7, username: 'ann', state: 'waiting' as const, sent_at: 1 }
    mock.answer(onePlayer, { ...sample(onePlayer), id: 7, username: 'ann' })
    mock.answer(listIdentities, {
      list: [{ ...undecided, ...sent, reject_reason: null }],
      next: null,
    })
    mock.answer(seeIdentity, { ...sample(seeIdentity), ...sent, adult: true, document: 'C 123' })
    const pair = {
      user_id: 7,
      like_user_id: 8,
      like_username: 'bob',
      like_in: 'document' as const,
      holds: true,
      state: 'open' as const,
      found_at: 1,
      reason: null,
    }
    mock.answer(listLikenesses, ({ input }) => {
      expect(input).toMatchObject({ user_id: 7, state: 'open' })
      return { list: [{ ...undecided, ...pair, id: 1, username: 'ann' }], next: null }
    })
  })
  await user.click(await screen.findByRole('button', { name: 'Show what he sent' }))
  const alike = await screen.findByRole('link', { name: 'bob' })
  expect(alike.closest('li')?.textContent).toBe('bob · identity document')
  expect(screen.getByText('C 123')).toBeTruthy()
  const accept = screen.getByRole('button', { name: 'Accept' })
  expect(alike.compareDocumentPosition(accept)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

it.each([
  [[], 0],
  [['UklG'], 1],
])(
  'a child’s identity with the pictures %j is accepted as such, or not',
  async (pictures, count) => {
    const { user } = await showConsole('/players/7/show?tab=identity', (mock) => {
      const undecided = { decided_by: null, decided_at: null, reject_reason: null }
      const sent = { user_id: 7, username: 'tim', state: 'waiting' as const, sent_at: 1 }
      const said = { adult: false, under_age_said_at: 1, under_age_born: 2016 }
      mock.answer(onePlayer, { ...sample(onePlayer), id: 7, username: 'tim' })
      mock.answer(listIdentities, { list: [{ ...undecided, ...sent }], next: null })
      mock.answer(seeIdentity, { ...sample(seeIdentity), ...sent, ...said, pictures })
      mock.answer(listLikenesses, { list: [], next: null })
    })
    await user.click(await screen.findByRole('button', { name: 'Show what he sent' }))
    await screen.findByText(/date of birth in 2016, under 18/)
    expect(screen.queryAllByRole('button', { name: 'Accept' })).toHaveLength(count)
    if (count === 0) return
    await user.click(screen.getByRole('button', { name: 'Accept' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/under 18: he can withdraw his money/)).toBeTruthy()
  },
)

it.each([
  ['oneself', 'ann', 0],
  ['another', 'bob', 1],
])('an acceptance by %s is taken back, or is not', async (_, decidedBy, count) => {
  const { user } = await showConsole('/players/7/show?tab=identity', (mock) => {
    const decided = { state: 'accepted' as const, decided_by: decidedBy, decided_at: 2 }
    const sent = { user_id: 7, username: 'tim', sent_at: 1, reject_reason: null, ...decided }
    mock.answer(onePlayer, { ...sample(onePlayer), id: 7, username: 'tim' })
    mock.answer(listIdentities, { list: [sent], next: null })
    mock.answer(seeIdentity, { ...sample(seeIdentity), ...sent, adult: true, document: 'C 123' })
  })
  await user.click(await screen.findByRole('button', { name: 'Show what he sent' }))
  await screen.findByText('C 123')
  const buttons = screen.queryAllByRole('button', { name: 'Take the acceptance back' })
  expect(buttons).toHaveLength(count)
})

it('the rest of a closed account is paid to a saved payee, of which is said whether staff saved it', async () => {
  const { user } = await showConsole('/players/7/show', (mock) => {
    const page = sample(onePlayer)
    const card = { kind: 'bank' as const, label: 'BOB RAY', bank_name: 'Hanoi', created_at: 1 }
    const methods = [
      { ...card, id: 1, number: '•••• 4242', by_staff: true },
      { ...card, id: 2, number: '•••• 1111', by_staff: false },
    ]
    const figures = { ...page.figures, cash: '7.00' }
    mock.answer(onePlayer, { ...page, id: 7, state: 'closed', figures, pay_methods: methods })
  })
  await user.click(await screen.findByRole('button', { name: 'Pay out the rest' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByLabelText(/^Payee/))
  const options = await screen.findAllByRole('option')
  expect(options.map((option) => option.textContent)).toEqual([
    ...['•••• 4242, BOB RAY, Hanoi, saved by staff', '•••• 1111, BOB RAY, Hanoi'],
  ])
})

it('an identity that the player sends anew is looked at again before the decision', async () => {
  const sentAt = (at: number) => ({
    user_id: 7,
    username: 'ann',
    state: 'waiting' as const,
    sent_at: at,
    decided_by: null,
    decided_at: null,
    reject_reason: null,
  })
  const { mock, user } = await showConsole('/players/7/show?tab=identity', (mock) => {
    mock.answer(onePlayer, { ...sample(onePlayer), id: 7, username: 'ann' })
    mock.answer(listIdentities, { list: [sentAt(1)], next: null })
    mock.answer(seeIdentity, { ...sample(seeIdentity), ...sentAt(1), adult: true })
    mock.answer(listLikenesses, { list: [], next: null })
  })
  await user.click(await screen.findByRole('button', { name: 'Show what he sent' }))
  await screen.findByRole('button', { name: 'Accept' })
  mock.answer(listIdentities, { list: [sentAt(2)], next: null })
  await act(() => queryClient.refetchQueries())
  await screen.findByText(/sent new documents/)
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull()
  mock.answer(seeIdentity, { ...sample(seeIdentity), ...sentAt(2), version: 2, adult: true })
  await user.click(screen.getByRole('button', { name: 'Show what he sent' }))
  await user.click(await screen.findByRole('button', { name: 'Accept' }))
  const dialog = within(await screen.findByRole('dialog'))
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
  const { user } = await showConsole('/players/7/show?tab=identity', (mock) => {
    const sent = { user_id: 7, username: 'ann', state, sent_at: 1, reject_reason: null }
    mock.answer(onePlayer, { ...sample(onePlayer), id: 7, username: 'ann' })
    mock.answer(listIdentities, {
      list: [{ ...sent, decided_by: null, decided_at: null }],
      next: null,
    })
    mock.answer(seeIdentity, { ...sample(seeIdentity), ...sent, pictures: [] })
  })
  await user.click(await screen.findByRole('button', { name: 'Show what he sent' }))
  expect((await screen.findByText(/picture/i)).textContent).toBe(why)
})

it('staff who type a payee are warned of a mistyped card, which an account’s number may look like', async () => {
  const { user } = await showConsole('/players/7/show', (mock) => {
    const player = { ...sample(onePlayer), id: 7, state: 'closed' as const }
    mock.answer(onePlayer, { ...player, figures: { ...player.figures, cash: '7.00' } })
  })
  await user.click(await screen.findByRole('button', { name: /another payee/ }))
  const dialog = within(await screen.findByRole('dialog'))
  const number = dialog.getByLabelText(/^Card number/)
  await user.type(number, '4242 4242 4242 4242')
  expect(dialog.queryByText(/^No card has this number/)).toBeNull()
  await user.clear(number)
  await user.type(number, '4060 0001 0012 3456')
  expect(dialog.getByText(/^No card has this number/)).toBeTruthy()
})
