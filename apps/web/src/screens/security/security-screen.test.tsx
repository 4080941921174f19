import {
  authenticatorSetup,
  changeAddress,
  devices,
  endOtherDevices,
  mailAddressCodes,
  newRecoveryCodes,
  passkeys,
  prove,
  secondFactor,
  switchFactorOn,
} from '@sum28/contract/passkey-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { fillIn, showApp, useMockServer } from '#src/testing/show-app.tsx'
import { PROFILE } from '#src/testing/usual-replies.ts'

const server = useMockServer()

const PASSKEY = { id: 1, name: 'Mac', createtime: 1_795_000_000, usedtime: null, cloned: false }
const AWAY = { reason: 'unavailable', msg: 'Please try again later' } as const

it('all other devices are logged out once the player has confirmed it, also if the list has none: one that was used long ago is not in it', async () => {
  const own = { id: 'own', name: 'Firefox · Linux', current: true }
  server().answer(devices, {
    list: [{ ...own, createtime: 1_795_000_000, usedtime: 1_795_000_000 }],
  })
  server().answer(endOtherDevices, null)
  const { person } = await showApp(href('security'))
  await screen.findByText('This device')
  await person.click(screen.getByRole('button', { name: 'Log out all other devices' }))
  await screen.findByRole('alertdialog', { name: 'Log out all other devices' })
  expect(server().requestsOf(endOtherDevices)).toHaveLength(0)
  await person.click(screen.getByRole('button', { name: 'Log out' }))
  await waitFor(() => expect(server().requestsOf(endOtherDevices)).toHaveLength(1))
  await screen.findByText('Logged out there')
})

it('recovery codes, which are shown once, stay until the player says that he has kept them', async () => {
  server().answer(secondFactor, { since: 1_795_000_000, app: true, recovery_codes: 10 })
  server().answer(newRecoveryCodes, { recovery_codes: ['aaaa-1111', 'bbbb-2222'] })
  const { person } = await showApp(href('security'))
  await person.click(await screen.findByRole('button', { name: 'New recovery codes' }))
  await screen.findByRole('alertdialog', { name: 'New recovery codes' })
  expect(server().requestsOf(newRecoveryCodes)).toHaveLength(0)
  await person.click(screen.getByRole('button', { name: 'New recovery codes' }))
  await screen.findByText('aaaa-1111')
  const sheet = screen.getByRole('dialog', { name: 'Your recovery codes' })
  for (const beside of document.querySelectorAll(
    'body > [data-base-ui-portal] [role="presentation"]',
  )) {
    if (!beside.contains(sheet)) await person.click(beside)
  }
  await person.keyboard('{Escape}')
  // A closing sheet loses this mark before it has left.
  expect(sheet.hasAttribute('data-open')).toBe(true)
  await person.click(screen.getByRole('button', { name: 'I have kept them' }))
  await waitFor(() => expect(screen.queryByText('aaaa-1111')).toBeNull())
})

it('whoever takes long to set an authenticator up proves again that it is him, and gets his recovery codes', async () => {
  const setup = { secret: 'ABCD', otpauth: 'otpauth://totp/x?secret=ABCD', setup: 'setup-1' }
  server().answer(authenticatorSetup, setup)
  server().refuse(switchFactorOn, { reason: 'proof_required', msg: 'Please confirm it is you' })
  server().answer(prove, null)
  const { person } = await showApp(href('security'))
  await person.click(await screen.findByRole('button', { name: 'Set up an authenticator app' }))
  await fillIn(person, { 'Code from the app': '123456' })
  await person.click(screen.getByRole('button', { name: 'Switch on' }))
  await screen.findByRole('dialog', { name: 'Confirm that it is you' })
  server().answer(switchFactorOn, { recovery_codes: ['aaaa-1111'] })
  await fillIn(person, { 'Login password': 'a long password' })
  await person.click(screen.getByRole('button', { name: 'Confirm' }))
  await screen.findByText('aaaa-1111')
})

it('one proof is enough for two actions that ask for it', async () => {
  server().answer(passkeys, { list: [PASSKEY] })
  server().answer(secondFactor, { since: null, app: false, recovery_codes: 0 })
  server().answer(prove, null)
  const asked = [authenticatorSetup, switchFactorOn]
  const release = asked.map((route) => server().hold(route))
  for (const route of asked)
    server().refuse(route, { reason: 'proof_required', msg: 'Please confirm it is you' })
  const { person } = await showApp(href('security'))
  await person.click(await screen.findByRole('button', { name: 'Set up an authenticator app' }))
  await person.click(await screen.findByRole('button', { name: 'Use my passkeys' }))
  for (const comes of release) comes()
  await screen.findByRole('dialog', { name: 'Confirm that it is you' })
  server().answer(switchFactorOn, { recovery_codes: ['aaaa-1111'] })
  await fillIn(person, { 'Login password': 'a long password' })
  await person.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => {
    for (const route of asked) expect(server().requestsOf(route)).toHaveLength(2)
  })
})

it('passkeys that could not be loaded are offered all the same, and the address is loaded again', async () => {
  vi.stubGlobal('PublicKeyCredential', class {})
  onTestFinished(() => void vi.unstubAllGlobals())
  server().answer(secondFactor, { since: null, app: false, recovery_codes: 0 })
  server().refuse(passkeys, AWAY)
  server().refuse(userInfo, AWAY)
  server().refuse(switchFactorOn, { reason: 'proof_required', msg: 'Please confirm it is you' })
  const { person } = await showApp(href('security'))
  await within(await screen.findByRole('region', { name: 'Passkeys' })).findByText(AWAY.msg)
  const address = within(screen.getByRole('region', { name: 'Email address' }))
  await address.findByText(AWAY.msg)
  server().answer(userInfo, PROFILE)
  await person.click(address.getByRole('button', { name: 'Try again' }))
  await address.findByText(PROFILE.email)
  await person.click(screen.getByRole('button', { name: 'Use my passkeys' }))
  const proof = await screen.findByRole('dialog', { name: 'Confirm that it is you' })
  within(proof).getByRole('button', { name: 'Use a passkey' })
})

it.each([
  ['is the only one for two-step login', [PASSKEY], false, 0],
  ['is one of two for two-step login', [PASSKEY, { ...PASSKEY, id: 2 }], false, 2],
  ['is not needed beside an app', [PASSKEY], true, 1],
  ['is disabled', [PASSKEY, { ...PASSKEY, id: 2, cloned: true }], false, 1],
])('a passkey that %s is removed, or not offered to be', async (_, list, app, count) => {
  server().answer(passkeys, { list })
  server().answer(secondFactor, { since: 1_795_000_000, app, recovery_codes: 10 })
  await showApp(href('security'))
  await screen.findByText(/^On since/)
  const part = within(screen.getByRole('region', { name: 'Passkeys' }))
  await part.findAllByText('Mac')
  expect(part.queryAllByRole('button', { name: 'Remove “Mac”?' })).toHaveLength(count)
})

const changeButton = () => screen.findByRole('button', { name: 'Change the address' })

it('the codes for another address can be mailed again after the server’s wait, and the focus follows the steps', async () => {
  server().answer(mailAddressCodes, null)
  server().answer(changeAddress, null)
  const { person } = await showApp(href('security'))
  await person.click(await changeButton())
  const field = await screen.findByLabelText('New email address')
  expect(document.activeElement).toBe(field)
  await person.keyboard('new@example.com')
  await person.click(screen.getByRole('button', { name: 'Send both codes' }))
  const code = await screen.findByRole('group', { name: 'Code sent to ann@example.com' })
  await waitFor(() => expect(code.contains(document.activeElement)).toBe(true))
  const again = await screen.findByRole('button', { name: /^Again in \d+ s$/ })
  expect(again.hasAttribute('disabled')).toBe(true)
  await person.keyboard('123456')
  await fillIn(person, { 'Code sent to new@example.com': '654321' })
  await person.click(await changeButton())
  await screen.findByText('Email address changed')
  expect(server().requestsOf(changeAddress)[0]?.input).toEqual({
    email: 'new@example.com',
    old_code: '123456',
    new_code: '654321',
  })
  await waitFor(async () => expect(document.activeElement).toBe(await changeButton()))
})

it('a change of the address can be given up at each step', async () => {
  server().answer(mailAddressCodes, null)
  const { person } = await showApp(href('security'))
  for (const steps of [1, 2]) {
    await person.click(await changeButton())
    await person.type(await screen.findByLabelText('New email address'), 'new@example.com')
    if (steps === 2) {
      await person.click(screen.getByRole('button', { name: 'Send both codes' }))
      await screen.findByRole('group', { name: 'Code sent to new@example.com' })
    }
    await person.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(document.activeElement).toBe(await changeButton())
    expect(screen.queryByLabelText('New email address')).toBeNull()
    expect(screen.queryByRole('group')).toBeNull()
  }
})
