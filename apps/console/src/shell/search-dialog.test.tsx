/** The console's search, as its readers hear it. */
import { listPlayers, onePlayer, playerBets } from '@sum28/contract/staff-players-routes.ts'
import { listProposals } from '@sum28/contract/staff-proposal-routes.ts'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { openDialog, sample, sampleRow, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/money/bank-account-page.tsx'
import '#src/areas/players/player-show.tsx'

it('the search has a name, says how much it found, and names the result that Enter would open', async () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView')
  const { user } = await showConsole('/bank-account', () => {})
  await user.click(await screen.findByRole('button', { name: /^Search/ }))
  const dialog = within(screen.getByRole('dialog', { name: 'Search the console' }))
  const input = dialog.getByRole('combobox')
  const list = dialog.getByRole('listbox')
  expect(input.getAttribute('aria-controls')).toBe(list.id)
  await user.type(input, 'de')
  await dialog.findByText(/^\d+ results$/)
  expect(dialog.getByRole('status').textContent).toMatch(/^\d+ results$/)
  await user.keyboard('{ArrowDown}')
  const [, second] = dialog.getAllByRole('option')
  expect(dialog.getByRole('option', { selected: true })).toBe(second)
  expect(input.getAttribute('aria-activedescendant')).toBe(second?.id)
  expect(scrolled.mock.contexts.at(-1)).toBe(second)
  await user.type(input, 'zzz')
  await dialog.findByText('Nothing was found.')
  expect(dialog.getByRole('status').textContent).toBe('Nothing was found.')
  expect(input.getAttribute('aria-activedescendant')).toBeNull()
})

it('the player with exactly this name stands first, however many newer ones contain it, and it is said that there are more', async () => {
  const player = (id: number, username: string) => ({ ...sampleRow(listPlayers), id, username })
  const newer = Array.from({ length: 11 }, (_, at) => player(20 - at, `joanna${at}`))
  const { user } = await showConsole('/bank-account', (mock) =>
    mock.answer(listPlayers, ({ input: { match, limit } }) =>
      match === 'whole'
        ? { list: [player(3, 'ann')], next: null }
        : { list: newer.slice(0, limit), next: 'more' },
    ),
  )
  const dialog = await openDialog(user, /^Search/)
  await user.type(dialog.getByRole('combobox'), 'ann')
  const group = within(await dialog.findByRole('group', { name: 'Players' }))
  const options = group.getAllByRole('option')
  expect(options).toHaveLength(10)
  expect(options[0]?.textContent).toBe('ann3')
  await dialog.findByText(/^\d+ results, and more: type more of it$/)
})

it('an order number opens the bet of its player, also on the page that shows another bet of him', async () => {
  const [first, second] = ['2026112200000001', '2026112200000002'] as const
  const { mock, user } = await showConsole(`/players/7/show?tab=bets&q=${first}`, (mock) => {
    const player = { id: 7, username: 'ann' }
    mock.answer(onePlayer, { ...sample(onePlayer), ...player })
    mock.answer(listPlayers, { list: [{ ...sampleRow(listPlayers), ...player }], next: null })
  })
  const field = await screen.findByLabelText<HTMLInputElement>('Order number')
  expect(field.value).toBe(first)
  const dialog = await openDialog(user, /^Search/)
  await user.type(dialog.getByRole('combobox'), second)
  await user.click(await dialog.findByRole('option', { name: /^ann/ }))
  await expect.poll(() => mock.inputsOf(playerBets).map(({ q }) => q)).toEqual([first, second])
  expect(field.value).toBe(second)
})

it('a proposal without a reason says who made it', async () => {
  const named = { id: 4, name: 'joe', proposed_by: 'ann', reason: null }
  const made = { ...sampleRow(listProposals), ...named }
  const { user } = await showConsole('/bank-account', (mock) =>
    mock.answer(listProposals, { list: [made], next: null }),
  )
  const dialog = await openDialog(user, /^Search/)
  await user.type(dialog.getByRole('combobox'), 'joe')
  const group = within(await dialog.findByRole('group', { name: 'Proposals' }))
  expect(group.getByRole('option').textContent).toBe('4 · joeann')
})

it('keys that an input method takes neither open a result nor choose another', async () => {
  const { user } = await showConsole('/bank-account', () => {})
  await user.click(await screen.findByRole('button', { name: /^Search/ }))
  const input = screen.getByRole('combobox')
  const chosen = () => screen.getByRole('option', { selected: true })
  const before = chosen()
  for (const key of ['ArrowDown', 'Enter']) fireEvent.keyDown(input, { key, isComposing: true })
  expect(chosen()).toBe(before)
  expect(screen.getByRole('dialog')).toBeTruthy()
})
