import { config } from '@sum28/contract/index-routes.ts'
import { passkeyChallenge, passkeyLogin } from '@sum28/contract/passkey-routes.ts'
import { login, logout, refresh, register, userInfo } from '@sum28/contract/user-routes.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call } from '#src/data/client.ts'
import { setLineAddresses } from '#src/data/lines.ts'
import { NOTHING, remember, remembered } from '#src/data/remembered.ts'
import { enter } from '#src/data/session.ts'
import { currentSession } from '#src/data/session-watch.ts'
import { href } from '#src/navigation/routes.ts'
import { dropDeviceMark, markDevice } from '#src/testing/remembered-device.ts'
import { createAccount, fillIn, leaveFor, showApp, useMockServer } from '#src/testing/show-app.tsx'
import { CONFIG, PROFILE, USERINFO } from '#src/testing/usual-replies.ts'

const server = useMockServer()

afterEach(() => remember(NOTHING))

const submit = () => screen.findByRole('button', { name: 'Log in' })

it('logging in sends the account without spaces around it, and opens the home screen', async () => {
  server().answer(login, { userinfo: USERINFO })
  const { person } = await showApp(href('login'), { stranger: true })
  await person.type(await screen.findByLabelText('Username or email'), ' ann ')
  await person.type(screen.getByLabelText('Password'), 'a long password')
  await person.click(await submit())
  await screen.findByText('Loading')
  await screen.findByRole('navigation', { name: 'Main screens' })
  expect(server().requestsOf(login)[0]?.input).toEqual({
    account: 'ann',
    password: 'a long password',
    remember: false,
  })
  expect(sessionStorage.getItem('token')).toBe(USERINFO.token)
})

it('a player who has closed the login before the reply came is not signed in, and not moved', async () => {
  server().answer(login, { userinfo: USERINFO })
  const comes = server().hold(login)
  const { person } = await showApp(href('login'), { stranger: true })
  await logIn(person)
  await waitFor(() => expect(server().requestsOf(login)).toHaveLength(1))
  await closeLogin(person)
  await person.click(await screen.findByRole('link', { name: 'Register' }))
  await act(async () => comes())
  await act(() => new Promise((done) => setTimeout(done, 0)))
  expect(currentSession()).toBeNull()
  expect(location.pathname).toBe(href('register'))
})

it('an account that was created after its player had left and logged in ends no session', async () => {
  server().answer(register, { userinfo: { ...USERINFO, id: 8, user_id: 8, token: 'another' } })
  const comes = server().hold(register)
  server().answer(login, { userinfo: USERINFO })
  const { person } = await showApp(href('register'), { stranger: true })
  await createAccount(person, 'bob')
  await waitFor(() => expect(server().requestsOf(register)).toHaveLength(1))
  await person.click(screen.getByRole('link', { name: 'Log in' }))
  await logIn(person)
  await screen.findByRole('navigation', { name: 'Main screens' })
  await act(async () => comes())
  await act(() => new Promise((done) => setTimeout(done, 0)))
  expect(currentSession()?.token).toBe(USERINFO.token)
})

it.each([
  ['login', login],
  ['register', register],
] as const)(
  'a device is not remembered by the reply that comes after its player has left the form: %s',
  async (screenName, route) => {
    const comes = server().hold(route)
    server().answer(route, () => {
      markDevice()
      return { userinfo: USERINFO }
    })
    server().answer(logout, null)
    const { person } = await showApp(href(screenName), { stranger: true })
    await person.click(await screen.findByRole('checkbox', { name: /^Remember/ }))
    await (screenName === 'login' ? logIn(person) : createAccount(person))
    await waitFor(() => expect(server().requestsOf(route)).toHaveLength(1))
    await leaveFor(href('rules'))
    comes()
    await waitFor(() => expect(server().requestsOf(logout)).toHaveLength(1))
    await waitFor(() => expect(remembered().device).toBe(0))
    expect(currentSession()).toBeNull()
  },
)

it.each([
  ['closes it', async (person: Person) => closeLogin(person)],
  ['logs in otherwise', async () => act(() => enter(USERINFO, {}))],
])('a login that has no reply ends when its player %s', async (_, leave) => {
  server().hold(login)
  const asked = vi.spyOn(globalThis, 'fetch')
  const { person } = await showApp(href('login'), { stranger: true })
  await logIn(person)
  await waitFor(() => expect(server().requestsOf(login)).toHaveLength(1))
  const [, options] = asked.mock.calls.find(([url]) => String(url).endsWith(login.path)) ?? []
  expect(options?.signal?.aborted).toBe(false)
  await leave(person)
  expect(options?.signal?.aborted).toBe(true)
})

it('the phone corrects neither the user name nor a password that is shown', async () => {
  const { person } = await showApp(href('login'), { stranger: true })
  await person.click(await screen.findByRole('button', { name: 'Show password' }))
  for (const label of ['Username or email', 'Password']) {
    expect(screen.getByLabelText(label).getAttribute('autocorrect')).toBe('off')
  }
})

it('a session that is restored under the form leads home', async () => {
  await showApp(href('login'), { stranger: true })
  await submit()
  act(() => enter(USERINFO, {}))
  await waitFor(() => expect(location.pathname).toBe(href('home')))
})

type Person = Awaited<ReturnType<typeof showApp>>['person']

const closeLogin = (person: Person) =>
  person.click(screen.getByRole('button', { name: 'Close and go to home' }))

/** Logs in on the login screen, once it is shown. */
async function logIn(person: Person): Promise<void> {
  await fillIn(person, { 'Username or email': 'ann', Password: 'a long password' })
  await person.click(await submit())
}

const MESSAGES = href('notices', { tab: 'messages' })
const place = () => location.pathname + location.search
const ENDED = /^You have been logged out/

/** Shows the messages, until the server says that the session has ended. */
async function loseSession() {
  vi.spyOn(location, 'reload').mockImplementation(() => {})
  const { person } = await showApp(MESSAGES)
  await screen.findByText('No messages')
  server().refuse(userInfo, { reason: 'session_replaced', msg: 'Over', code: 50_012 })
  call(userInfo, {}).catch(() => {})
  await screen.findByText(ENDED)
  server().answer(userInfo, PROFILE)
  return person
}

it('a player whose session has ended is told so, and comes back to where he was', async () => {
  const person = await loseSession()
  expect(sessionStorage.getItem('ended')).toBeNull()
  server().answer(login, { userinfo: USERINFO })
  await person.click(screen.getByRole('link', { name: 'Forgot password?' }))
  await person.click(await screen.findByRole('link', { name: 'Back to log in' }))
  await submit()
  await logIn(person)
  await waitFor(() => expect(place()).toBe(MESSAGES))
})

it.each([
  ['at once', false, false],
  ['on the remembered device of the first', true, false],
  ['when the login was left and opened again', false, true],
])(
  'another player who logs in %s comes home, and not to the screen of the first',
  async (_, device, again) => {
    if (device) markDevice()
    server().refuse(refresh, { reason: 'token_missing', msg: 'Over', code: 401 })
    const person = await loseSession()
    if (again) {
      await person.click(screen.getByRole('link', { name: 'Forgot password?' }))
      await person.click(await screen.findByRole('link', { name: 'Back to log in' }))
      await screen.findByText(ENDED)
    }
    server().answer(login, { userinfo: { ...USERINFO, id: 8, user_id: 8 } })
    await logIn(person)
    await waitFor(() => expect(place()).toBe(href('home')))
  },
)

it('a player of a device that is no longer remembered is told so', async () => {
  markDevice()
  const comes = server().hold(refresh)
  server().refuse(refresh, { reason: 'token_missing', msg: 'Over', code: 401 })
  await showApp(MESSAGES, { stranger: true })
  await waitFor(() => expect(server().requestsOf(refresh)).toHaveLength(1))
  dropDeviceMark()
  comes()
  await screen.findByText(ENDED)
})

it('a stranger comes to the page that he asked for, and is told that it needs a login', async () => {
  server().answer(login, { userinfo: USERINFO })
  const { person } = await showApp(MESSAGES, { stranger: true })
  await screen.findByText('Log in, and the page that you asked for opens.')
  await logIn(person)
  await waitFor(() => expect(place()).toBe(MESSAGES))
})

it('a refusal is shown with the server’s message, and the form can be sent again', async () => {
  server().refuse(login, { reason: 'account_or_password_wrong', msg: 'Wrong name or password' })
  const { person } = await showApp(href('login'), { stranger: true })
  await person.type(await screen.findByLabelText('Username or email'), 'ann')
  await person.type(screen.getByLabelText('Password'), 'wrong')
  await person.click(await submit())
  await screen.findByText('Wrong name or password')
  expect((await submit()).getAttribute('aria-busy')).toBe(null)
})

it('asks for the code of the second factor when the server does, and sends it with the rest', async () => {
  const features = { ...CONFIG.features, support_email: 'help@sum28.example' }
  server().answer(config, { ...CONFIG, features })
  const msg = 'A code, please'
  server().refuse(login, { reason: 'second_factor_required', msg })
  const { person } = await showApp(href('login'), { stranger: true })
  await logIn(person)
  const field = await screen.findByLabelText('Code or recovery code')
  // Support has no form behind a login for this.
  const mail = screen.getByRole('link', { name: 'help@sum28.example' })
  expect(mail.getAttribute('href')).toBe('mailto:help@sum28.example')
  await person.click(await submit())
  expect(server().requestsOf(login)).toHaveLength(1)
  server().refuse(login, { reason: 'second_factor_wrong', msg: 'This code is wrong' })
  await person.type(field, '123456')
  await person.click(await submit())
  await screen.findAllByText('This code is wrong')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(server().requestsOf(login)[1]?.input).toMatchObject({ account: 'ann', code: '123456' })
})

it('on a line of another address, a device is not remembered, and that is not offered, nor taken away', async () => {
  server().answer(login, { userinfo: USERINFO })
  remember({ username: 'ann' })
  const { person } = await showApp(href('login'), { stranger: true })
  await screen.findByRole('checkbox')
  act(() => setLineAddresses(['https://line-1.example']))
  expect(screen.queryByRole('checkbox')).toBeNull()
  markDevice()
  await person.type(screen.getByLabelText('Password'), 'a long password')
  await person.click(await submit())
  await screen.findByRole('navigation', { name: 'Main screens' })
  expect(server().requestsOf(login)[0]?.input).toMatchObject({ remember: false })
  expect(remembered()).toEqual({ username: 'ann', device: USERINFO.user_id })
  act(() => setLineAddresses([]))
})

describe('a passkey that the player asks for, beside the offer in the form', () => {
  type Ceremony = {
    byPress: boolean
    signal: AbortSignal
    answer: (credential: object) => void
    fail: (error: Error) => void
  }
  let ceremonies: Ceremony[]
  let forgotten: object[]

  beforeEach(() => {
    ceremonies = []
    forgotten = []
    const isConditionalMediationAvailable = async () => true
    const signalUnknownCredential = async (signal: object) => void forgotten.push(signal)
    vi.stubGlobal(
      'PublicKeyCredential',
      Object.assign(() => {}, { isConditionalMediationAvailable, signalUnknownCredential }),
    )
    const get = ({ mediation, signal }: { mediation?: string; signal: AbortSignal }) =>
      new Promise((answer, fail) => {
        ceremonies.push({ byPress: mediation === undefined, signal, answer, fail })
        signal.addEventListener('abort', () => fail(signal.reason))
      })
    Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get } })
    server().answer(passkeyChallenge, { challenge: 'AAAA', rp_id: 'localhost' })
    server().answer(passkeyLogin, { userinfo: USERINFO })
  })

  afterEach(() => {
    vi.unstubAllGlobals()
    Reflect.deleteProperty(navigator, 'credentials')
  })

  const press = async (person: Person) =>
    person.click(await screen.findByRole('button', { name: 'Log in with a passkey' }))

  /** The player answers the browser. */
  async function answered() {
    await waitFor(() => expect(ceremonies.some(({ byPress }) => byPress)).toBe(true))
    const bytes = new Uint8Array([1]).buffer
    const response = { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes }
    const credential = { id: 'a', rawId: bytes, response, getClientExtensionResults: () => ({}) }
    await act(async () => {
      for (const { byPress, answer } of ceremonies) if (byPress) answer(credential)
    })
  }

  async function signedIn() {
    await waitFor(() => expect(place()).toBe(href('home')))
    expect(currentSession()?.token).toBe(USERINFO.token)
    expect(forgotten).toEqual([])
  }

  it.each([
    ['is forgotten by the browser if the server does not know it', 'passkey_unknown', 1],
    ['is kept by the browser if its answer is refused', 'passkey_refused', 0],
  ] as const)('%s', async (_, reason, times) => {
    server().refuse(passkeyLogin, { reason, msg: 'It does not fit' })
    const { person } = await showApp(href('login'), { stranger: true })
    await press(person)
    await answered()
    await screen.findByText('It does not fit')
    expect(forgotten).toEqual([{ rpId: 'localhost', credentialId: 'a' }].slice(0, times))
  })

  it.each([
    ['is told if the browser refuses at once, as those inside other apps do', 100, 1],
    ['is not told if the player closes the browser’s window', 2_000, 0],
  ])('%s', async (_, afterMs, times) => {
    const { person } = await showApp(href('login'), { stranger: true })
    let now = performance.now()
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    await press(person)
    await waitFor(() => expect(ceremonies.some(({ byPress }) => byPress)).toBe(true))
    now += afterMs
    await act(async () => {
      for (const { fail } of ceremonies) fail(new DOMException('refused', 'NotAllowedError'))
    })
    const button = await screen.findByRole('button', { name: 'Log in with a passkey' })
    await waitFor(() => expect(button.getAttribute('aria-busy')).not.toBe('true'))
    const told = screen.queryAllByText('This browser cannot use passkeys at this address.')
    expect(told).toHaveLength(times)
  })

  it('is not cancelled by the next offer', async () => {
    const repeated = vi.spyOn(globalThis, 'setInterval')
    const { person } = await showApp(href('login'), { stranger: true })
    await waitFor(() => expect(ceremonies).toHaveLength(1))
    const [offerAgain] = repeated.mock.calls.find(([, ms]) => ms === 240_000) ?? []
    await press(person)
    await waitFor(() => expect(ceremonies).toHaveLength(2))
    await act(async () => offerAgain?.())
    await answered()
    await signedIn()
    expect(server().requestsOf(passkeyChallenge)).toHaveLength(2)
  })

  it('is offered again by a hidden form only once that is shown', async () => {
    const repeated = vi.spyOn(globalThis, 'setInterval')
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    const show = (isHidden: boolean) => {
      hidden.mockReturnValue(isHidden)
      return act(async () => document.dispatchEvent(new Event('visibilitychange')))
    }
    await showApp(href('login'), { stranger: true })
    await submit()
    const [offerAgain] = repeated.mock.calls.find(([, ms]) => ms === 240_000) ?? []
    await act(async () => offerAgain?.())
    expect(server().requestsOf(passkeyChallenge)).toEqual([])
    await show(false)
    await waitFor(() => expect(ceremonies).toHaveLength(1))
    await show(true)
    await act(async () => offerAgain?.())
    expect(server().requestsOf(passkeyChallenge)).toHaveLength(1)
    await show(false)
    await waitFor(() => expect(ceremonies).toHaveLength(2))
    await show(false)
    expect(server().requestsOf(passkeyChallenge)).toHaveLength(2)
  })

  it('is not cancelled by an offer whose challenge comes late', async () => {
    const comes = server().hold(passkeyChallenge)
    const { person } = await showApp(href('login'), { stranger: true })
    await waitFor(() => expect(server().requestsOf(passkeyChallenge)).toHaveLength(1))
    await press(person)
    await waitFor(() => expect(server().requestsOf(passkeyChallenge)).toHaveLength(2))
    comes()
    await answered()
    await signedIn()
    expect(ceremonies).toHaveLength(1)
  })
})
