import { askOwnData, ownData, ownDataFile } from '@sum28/contract/own-routes.ts'
import { prove } from '@sum28/contract/passkey-routes.ts'
import { screen, within } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { fillIn, showApp, useMockServer } from '#src/testing/show-app.tsx'

const server = useMockServer()

const NONE = { state: 'none', until: null, bytes: null } as const
const READY = { state: 'ready', until: 1_795_600_000, bytes: 2_500_000 } as const

async function ask() {
  server().answer(ownData, NONE)
  const { person } = await showApp(href('ownData'))
  await fillIn(person, { 'Login password': 'a long password' })
  server().answer(ownData, { ...NONE, state: 'waiting' })
  await person.click(screen.getByRole('button', { name: 'Ask for my data' }))
  return person
}

/** The player proves with his password that it is him. */
async function confirm(person: Awaited<ReturnType<typeof ask>>) {
  const sheet = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }))
  await person.type(sheet.getByLabelText('Login password'), 'a long password')
  await person.click(sheet.getByRole('button', { name: 'Confirm' }))
}

it('the file is requested with the password, and then pending', async () => {
  server().answer(askOwnData, null)
  await ask()
  await screen.findByText('Your file is being made', { selector: 'p' })
  await screen.findByText('Your file is being made', { selector: '[role=status] *' })
  expect(server().requestsOf(askOwnData)[0]?.input).toMatchObject({ password: 'a long password' })
})

it('a player whose second factor is on confirms that it is him before the file is requested', async () => {
  server().refuse(askOwnData, { reason: 'proof_required', msg: 'Please confirm it is you' })
  const person = await ask()
  await screen.findByRole('dialog', { name: 'Confirm that it is you' })
  server().answer(prove, null)
  server().answer(askOwnData, null)
  await confirm(person)
  await screen.findByText('Your file is being made', { selector: 'p' })
  expect(server().requestsOf(askOwnData)).toHaveLength(2)
})

it('a wrong password is marked', async () => {
  server().refuse(askOwnData, { reason: 'password_wrong', msg: 'The password is wrong' })
  await ask()
  await screen.findAllByText('The password is wrong')
  expect(screen.getByLabelText('Login password').getAttribute('aria-invalid')).toBe('true')
})

it('a ready file shows its size and until when it can be downloaded', async () => {
  server().answer(ownData, READY)
  await showApp(href('ownData'))
  await screen.findByText(/You can fetch it until/)
  screen.getByRole('button', { name: /Download \(2\.[45] MB\)/ })
})

it('a player confirms that it is him before the file is downloaded', async () => {
  server().answer(ownData, READY)
  const { person } = await showApp(href('ownData'))
  // The document would go to the file's address.
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  const serve = globalThis.fetch
  let isProved = false
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    if (!String(url).includes(`${ownDataFile.path}?host=`)) return serve(url, init)
    const refusal = { code: 0, msg: 'Please confirm it is you', data: { reason: 'proof_required' } }
    return isProved
      ? new Response('a file', { headers: { 'Content-Type': 'application/zip' } })
      : Response.json(refusal)
  })
  await person.click(await screen.findByRole('button', { name: /^Download/ }))
  server().answer(prove, () => {
    isProved = true
    return null
  })
  await confirm(person)
  await screen.findByText(/sum28-data.zip/)
  expect(saved).toHaveBeenCalledOnce()
})
