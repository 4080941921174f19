/** A message to a player who is on a break. */
import { onePlayer, sendMessage } from '@sum28/contract/staff-players-routes.ts'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { sample, showConsole } from '#src/testing/show-console.tsx'

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
  await user.click(await screen.findByRole('option', { name: "It answers the player's question." }))
  await user.type(dialog.getByRole('textbox', { name: /Message/ }), 'It is paid.')
  await user.click(dialog.getByRole('button', { name: 'Send a message' }))
  await expect
    .poll(() => mock.requestsOf(sendMessage).map(({ input }) => input))
    .toEqual([{ user_id: 7, purpose: 'answer', text: 'It is paid.' }])
})
