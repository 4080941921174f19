import { saveProfile } from '@sum28/contract/user-routes.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { profileGuess } from '#src/screens/profile/profile-screen.tsx'
import { fillIn, showApp, useMockServer } from '#src/testing/show-app.tsx'
import { PROFILE } from '#src/testing/usual-replies.ts'

const server = useMockServer()

const LABEL = 'Identity document no.'

async function openSheet() {
  const { person } = await showApp(href('profile', {}))
  await person.click(await screen.findByRole('button', { name: `${LABEL} Add` }))
  const sheet = within(await screen.findByRole('dialog', { name: LABEL }))
  const save = () => person.click(sheet.getByRole('button', { name: 'Save' }))
  return { person, sheet, save }
}

it('a document’s number can be given, and is shown masked', async () => {
  server().answer(saveProfile, ({ input }) => ({
    ...PROFILE,
    idcard: `••••${input.idcard?.slice(-4)}`,
  }))
  const { person, save } = await openSheet()
  await fillIn(person, { [LABEL]: ' C0123 4567 ' })
  await save()
  await screen.findByRole('button', { name: `${LABEL} ••••4567` })
  expect(server().requestsOf(saveProfile)[0]?.input).toEqual({ idcard: 'C0123 4567' })
  expect(sessionStorage.getItem('idcard')).toBe('••••4567')
})

it('a number that is missing or refused is marked, and stays to be mended', async () => {
  const fields = { idcard: 'This is not valid' }
  server().refuse(saveProfile, {
    reason: 'invalid_input',
    msg: 'Invalid',
    code: 400,
    data: { fields },
  })
  const { person, sheet, save } = await openSheet()
  await save()
  await waitFor(() =>
    expect(sheet.getAllByText('Enter the number of your document').length).toBe(1),
  )
  expect(server().requestsOf(saveProfile)).toHaveLength(0)
  await fillIn(person, { [LABEL]: '12' })
  await save()
  await sheet.findByText('This is not valid')
  const field = sheet.getByLabelText<HTMLInputElement>(LABEL)
  expect(field.value).toBe('12')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  await person.type(field, '3')
  expect(field.getAttribute('aria-invalid')).toBeNull()
})

describe('the first guess of a profile', () => {
  it('has the values of the address that have the server’s form', () => {
    const query = { name: 'mei_28', id: '1007', email: 'mei@example.com', avatar: 'preset:3' }
    expect(profileGuess(query)).toEqual({
      username: 'mei_28',
      id: '1007',
      email: 'mei@example.com',
      avatar: 'preset:3',
    })
  })

  it('is empty if the address has no values', () => {
    expect(profileGuess({})).toEqual({ username: '', id: '', email: '', avatar: '' })
  })

  it.each([
    'https://elsewhere.example/me.png',
    '//elsewhere.example/me.png',
    'javascript:alert(1)',
    'data:image/svg+xml,<svg/>',
    '/api/user/logout?x=1',
    'preset:9',
  ])('takes no picture from %s', (avatar) => {
    expect(profileGuess({ avatar }).avatar).toBe('')
  })

  it('does not accept a sentence as a name', () => {
    expect(profileGuess({ name: 'Call 555 0100 to unlock' }).username).toBe('')
  })
})
