import { clearIdentityPictures, identityInfo, sendIdentity } from '@sum28/contract/money-routes.ts'
import { protectionState } from '@sum28/contract/protection-routes.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { queryClient } from '#src/data/query-client.ts'
import { href } from '#src/navigation/routes.ts'
import { fillIn, showApp, useMockServer } from '#src/testing/show-app.tsx'
import { protectionReply } from '#src/testing/usual-replies.ts'

const server = useMockServer()

it('where nobody is asked, nothing can be sent', async () => {
  server().answer(identityInfo, { state: 'none', reason: null, pictures: 0, asked_from: null })
  await showApp(href('identity'))
  await screen.findByText(/You need not send anything/)
  expect(screen.queryByRole('button', { name: 'Add a picture' })).toBe(null)
  expect(screen.queryByRole('textbox')).toBe(null)
})

it.each(['under_age', 'likeness'] as const)(
  'where nobody is asked, who is held can send it: %s',
  async (kind) => {
    const exclusion = { kind, until: null, may_ask_from: null }
    server().answer(protectionState, protectionReply({ exclusion }))
    server().answer(identityInfo, { state: 'none', reason: null, pictures: 0, asked_from: null })
    await showApp(href('identity'))
    await screen.findByRole('button', { name: 'Add a picture' })
    expect(screen.queryByText(/You need not send anything/)).toBe(null)
  },
)

it('that nothing need be sent is not said before it is known that the player is not held', async () => {
  server().refuse(protectionState, { reason: 'unavailable', msg: 'Please try again later' })
  server().answer(identityInfo, { state: 'none', reason: null, pictures: 0, asked_from: null })
  const { person } = await showApp(href('identity'))
  await screen.findByText('Please try again later')
  expect(screen.queryByText(/You need not send anything/)).toBe(null)
  const exclusion = { kind: 'under_age', until: null, may_ask_from: null } as const
  server().answer(protectionState, protectionReply({ exclusion }))
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('button', { name: 'Add a picture' })
})

it('the address, which has one line, is filled in with one line', async () => {
  server().answer(identityInfo, { state: 'none', reason: null, pictures: 0, asked_from: '5000.00' })
  await showApp(href('identity'))
  await screen.findByText(/^Once your withdrawals reach 5,000.00 u in all/)
  const address = await screen.findByLabelText<HTMLInputElement>('Address')
  // `street-address` has several lines, which browsers give to a text area alone.
  expect(address.autocomplete).toBe('address-line1')
})

it('is sent without a number of a document that has none, and says who may leave it out', async () => {
  server().answer(identityInfo, { state: 'none', reason: null, pictures: 1, asked_from: '5000.00' })
  server().answer(sendIdentity, null)
  const { person } = await showApp(href('identity'))
  await screen.findByText(/^As it is on the document\. Leave it empty only if/)
  await fillIn(person, { 'Full name': 'An', 'Date of birth': '1990-02-28', Address: 'Huế' })
  await person.click(screen.getByRole('button', { name: 'Send to be checked' }))
  await screen.findByText('Your documents are being checked', { selector: '[role=status] *' })
  await waitFor(() =>
    expect(server().requestsOf(sendIdentity)[0]?.input).toEqual({
      ...{ name: 'An', birth_date: '1990-02-28', address: 'Huế', document: undefined },
    }),
  )
})

it('without a picture nothing is sent: the button that adds one has the focus and says why, until there is one', async () => {
  const identity = { state: 'none', reason: null, pictures: 0, asked_from: '5000.00' } as const
  server().answer(identityInfo, identity)
  const { person } = await showApp(href('identity'))
  const add = await screen.findByRole('button', { name: 'Add a picture' })
  await fillIn(person, { 'Full name': 'An', 'Date of birth': '1990-02-28', Address: 'Huế' })
  await person.click(screen.getByRole('button', { name: 'Send to be checked' }))
  const fault = await screen.findByText('Please add a picture of your document first')
  expect(document.activeElement).toBe(add)
  expect(add.getAttribute('aria-describedby')).toBe(fault.id)
  expect(screen.getByLabelText('Date of birth').getAttribute('aria-invalid')).not.toBe('true')
  expect(server().requestsOf(sendIdentity)).toEqual([])
  server().answer(identityInfo, { ...identity, pictures: 1 })
  await queryClient.refetchQueries({ queryKey: ['identity'] })
  await waitFor(() => expect(fault.isConnected).toBe(false))
  server().answer(identityInfo, identity)
  await queryClient.refetchQueries({ queryKey: ['identity'] })
  await screen.findByText(/^Pictures: 0/)
  expect(screen.queryByText('Please add a picture of your document first')).toBeNull()
})

it('that the pictures were removed is said aloud', async () => {
  const identity = { state: 'none', reason: null, pictures: 2, asked_from: '5000.00' } as const
  server().answer(identityInfo, identity)
  server().answer(clearIdentityPictures, null)
  const { person } = await showApp(href('identity'))
  const told = await screen.findByText(/^Pictures: 2/, { selector: '[role=status]' })
  await person.click(screen.getByRole('button', { name: 'Remove the pictures' }))
  const question = await screen.findByRole('alertdialog')
  expect(told.closest('[aria-hidden=true]')).toBeNull()
  server().answer(identityInfo, { ...identity, pictures: 0 })
  await person.click(within(question).getByRole('button', { name: 'Remove the pictures' }))
  await waitFor(() => expect(told.textContent).toMatch(/^Pictures: 0/))
})
