/** What the page shows when a session begins, is restored or ends while screens are open. */
import { CODES } from '@sum28/contract/envelope.ts'
import { config, rules } from '@sum28/contract/index-routes.ts'
import { takeBack } from '@sum28/contract/passkey-routes.ts'
import type { Userinfo } from '@sum28/contract/replies.ts'
import { gamesStream } from '@sum28/contract/stream.ts'
import { login, logout, refresh, saveProfile, userInfo } from '@sum28/contract/user-routes.ts'
import { MICRO } from '@sum28/domain/money.ts'
import { act, renderHook, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Providers } from '#src/app/providers.tsx'
import { changeProfile } from '#src/data/change-profile.ts'
import { useGameZone } from '#src/data/game-day.ts'
import { setLineAddresses, storeActiveLine } from '#src/data/lines.ts'
import { learnMoney, profileQuery } from '#src/data/profile.ts'
import { queryClient } from '#src/data/query-client.ts'
import { LEFT, NOTHING, remember, remembered } from '#src/data/remembered.ts'
import { enter, keepRestoring, restoreSession, signOut } from '#src/data/session.ts'
import {
  beginSession,
  currentSession,
  dropSession,
  KEPT_LINES,
  PUSH_PLAYER,
  storedSession,
} from '#src/data/session-watch.ts'
import { href } from '#src/navigation/routes.ts'
import { forgetClosedAccount } from '#src/screens/close-account/close-account-screen.tsx'
import { markDevice } from '#src/testing/remembered-device.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'
import { CONFIG, HOUSE_RULES, PROFILE, USERINFO } from '#src/testing/usual-replies.ts'

const server = useMockServer()

const BOB: Userinfo = { ...USERINFO, id: 8, user_id: 8, username: 'bob', token: 'token-of-bob' }
const PROFILE_OF_BOB = { ...PROFILE, id: 8, user_id: 8, userid: 8, username: 'bob', money: '7.00' }

const NEW_YORK = {
  ...CONFIG,
  features: { ...CONFIG.features, game_timezone: 'America/New_York' },
}

beforeEach(() => {
  server().answer(refresh, { userinfo: USERINFO })
  server().answer(rules, HOUSE_RULES)
})

afterEach(() => remember(NOTHING))

const ANOTHER_LINE = 'https://other.example'

/** Chooses a line with an address of its own. Returns the addresses of the requests that follow. */
function overAnotherLine(): string[] {
  setLineAddresses(['', ANOTHER_LINE])
  storeActiveLine(1)
  onTestFinished(() => setLineAddresses(['']))
  const addresses: string[] = []
  const { fetch } = globalThis
  vi.spyOn(globalThis, 'fetch').mockImplementation((url, options) => {
    addresses.push(new URL(String(url), location.href).origin)
    return fetch(url, options)
  })
  return addresses
}

describe('restoring the session of a remembered device', () => {
  beforeEach(() => markDevice())

  it('asks the page’s own address, whatever the line: no other gets the cookie', async () => {
    const addresses = overAnotherLine()
    expect(await act(restoreSession)).toBe('restored')
    expect(addresses[0]).toBe(location.origin)
  })

  it('waits for another tab, and goes on without it if that holds on, as a phone suspends tabs', async () => {
    const request = (_: string, { signal }: LockOptions) =>
      new Promise((_, fail) => signal?.addEventListener('abort', () => fail(signal.reason)))
    Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } })
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'))
    const patience = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(patience.signal)
    const restored = restoreSession()
    await new Promise((done) => setTimeout(done, 0))
    expect(server().requestsOf(refresh)).toEqual([])
    patience.abort()
    expect(await act(() => restored)).toBe('restored')
  })

  it('leaves an open screen what it is loading', async () => {
    const comes = server().hold(rules)
    await showApp(href('rules'), { stranger: true })
    await waitFor(() => expect(server().requestsOf(rules)).toHaveLength(1))
    await act(restoreSession)
    expect(currentSession()?.token).toBe(USERINFO.token)
    comes()
    await screen.findByText(/^All bets of one player in one round together pay/)
    expect(server().requestsOf(rules)).toHaveLength(1)
  })

  it('leaves the page the time zone of the games, which is fetched once a visit', async () => {
    server().answer(config, NEW_YORK)
    const comes = server().hold(config)
    const { result } = renderHook(useGameZone, { wrapper: Providers })
    await waitFor(() => expect(server().requestsOf(config)).toHaveLength(1))
    await act(restoreSession)
    comes()
    await waitFor(() => expect(result.current.zone).toBe('America/New_York'))
  })

  it('does not replace a session that begins meanwhile, and ends the late request', async () => {
    server().hold(refresh)
    const restored = restoreSession()
    await waitFor(() => expect(server().requestsOf(refresh)).toHaveLength(1))
    enter(BOB, { username: 'bob' })
    expect(await restored).toBe('restored')
    expect(currentSession()?.token).toBe(BOB.token)
    expect(remembered()).toEqual({ username: 'bob', device: USERINFO.user_id })
  })

  it('does not sign in a player who has closed the login meanwhile', async () => {
    server().hold(refresh)
    const { person } = await showApp(href('login'), { stranger: true })
    const restored = restoreSession()
    await person.click(await screen.findByRole('button', { name: 'Close and go to home' }))
    expect(await restored).toBe('refused')
    await screen.findByRole('link', { name: 'Log in' })
    expect(currentSession()).toBeNull()
  })

  it.each([
    ['the device is online again', () => window.dispatchEvent(new Event('online'))],
    ['the page is shown again', () => document.dispatchEvent(new Event('visibilitychange'))],
  ])('is tried again when %s', async (_, comeBack) => {
    server().cutOff(refresh)
    await showApp(href('home'), { stranger: true })
    const end = keepRestoring()
    await waitFor(() => expect(server().requestsOf(refresh)).toHaveLength(1))
    await act(restoreSession)
    await screen.findByRole('link', { name: 'Log in' })
    server().answer(refresh, { userinfo: USERINFO })
    comeBack()
    await screen.findByRole('link', { name: /^Balance/ })
    const requests = server().requestsOf(refresh).length
    // A player who is signed in, or has signed out, is left alone.
    comeBack()
    act(signOut)
    comeBack()
    await screen.findByRole('link', { name: 'Log in' })
    expect(server().requestsOf(refresh)).toHaveLength(requests)
    end()
  })

  it('is asked for in the language that was chosen, also before its texts are loaded', async () => {
    localStorage.setItem('localetype', '6')
    await restoreSession()
    expect(server().requestsOf(refresh)).toMatchObject([{ lang: 'vi' }])
  })

  it('has one key until it is answered, also for a page that is loaded again', async () => {
    const keys = () => server().keysOf(refresh)
    server().cutOff(refresh)
    expect(await restoreSession()).toBe('unreachable')
    server().refuse(refresh, { reason: 'fault', msg: 'Fault', code: 500 })
    expect(await restoreSession()).toBe('unreachable')
    expect(localStorage.getItem('sum28-refresh')).toBe(keys()[0])
    server().answer(refresh, { userinfo: USERINFO })
    await restoreSession()
    dropSession()
    await restoreSession()
    const [first, second, third, next] = keys()
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect([second, third]).toEqual([first, first])
    expect(next).not.toBe(first)
  })

  it('begins in no tab where the session of another player has ended, also after its login was shown', async () => {
    sessionStorage.setItem('ended', String(USERINFO.user_id))
    markDevice(BOB.user_id)
    const { person } = await showApp(href('me'), { stranger: true })
    await screen.findByText(/^You have been logged out/)
    expect(await restoreSession()).toBe('refused')
    expect(server().requestsOf(refresh)).toEqual([])
    await person.click(await screen.findByRole('button', { name: 'Close and go to home' }))
    await screen.findByRole('link', { name: 'Log in' })
    expect(await restoreSession()).toBe('refused')
    // Bob's own tabs go on.
    expect(remembered().device).toBe(BOB.user_id)
    markDevice()
    expect(await act(restoreSession)).toBe('restored')
  })

  it('does not begin where another tab has signed out meanwhile', async () => {
    const comes = server().hold(refresh)
    const restored = restoreSession()
    await waitFor(() => expect(server().requestsOf(refresh)).toHaveLength(1))
    remember({ device: LEFT })
    comes()
    expect(await restored).toBe('refused')
    expect(currentSession()).toBeNull()
  })
})

describe('a device that its player has left', () => {
  beforeEach(() => markDevice())

  it('says so with the call that signs him out', () => {
    const marks: number[] = []
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
      marks.push(remembered().device)
      throw new TypeError('nothing answers')
    })
    beginSession(USERINFO)
    signOut()
    expect(marks).toEqual([LEFT])
  })

  it('is not forgotten by a late reply, which drops the cookie, once another player is remembered', async () => {
    const asked: Request[] = []
    vi.spyOn(globalThis, 'fetch').mockImplementation((url, options) => {
      const request = new Request(new URL(String(url), location.href), options)
      asked.push(request)
      return new Promise((_, reject) => {
        options?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      })
    })
    beginSession(USERINFO)
    signOut()
    await waitFor(() => expect(asked).toHaveLength(1))
    enter(BOB, { username: 'bob' })
    // Whether the server has had it is not known: it is told again, without the cookie of who is remembered now.
    await waitFor(() => expect(asked).toHaveLength(2))
    for (const request of asked) {
      expect(request.url).toContain(logout.path)
      expect(request.headers.get('token')).toBe(USERINFO.token)
    }
    expect(asked.map(({ credentials }) => credentials === 'omit')).toEqual([false, true])
  })

  it('is not forgotten over another line, which does not get its cookie, but over the page’s own address', async () => {
    const addresses = overAnotherLine()
    server().answer(logout, null)
    beginSession(USERINFO)
    signOut()
    await waitFor(() => expect(addresses).toEqual([ANOTHER_LINE]))
    await act(async () => {})
    expect(remembered().device).toBe(LEFT)
    await act(restoreSession)
    expect(remembered().device).toBe(0)
    expect(addresses).toEqual([ANOTHER_LINE, location.origin])
  })

  it('is another one’s while the player of another tab logs out or closes his account, where he does not begin', async () => {
    const sent: unknown[] = []
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
      sent.push(remembered())
      throw new TypeError('nothing answers')
    })
    const ofBob = { username: 'bob', device: BOB.user_id }
    const lines = JSON.stringify([['A1', { of: String(BOB.user_id) }]])
    for (const leave of [signOut, forgetClosedAccount]) {
      beginSession(USERINFO)
      remember({ username: 'bob' })
      markDevice(BOB.user_id)
      localStorage.setItem(KEPT_LINES, lines)
      localStorage.setItem(PUSH_PLAYER, String(BOB.user_id))
      leave()
      expect(remembered()).toEqual(ofBob)
      expect(localStorage.getItem(KEPT_LINES)).toBe(lines)
      expect(localStorage.getItem(PUSH_PLAYER)).toBe(String(BOB.user_id))
      expect(await restoreSession()).toBe('refused')
    }
    expect(sent).toEqual([ofBob])
    // Who logs in himself, and is not to be remembered, leaves it.
    enter(BOB, { username: null })
    expect(remembered().device).toBe(LEFT)
  })

  it('leads who logs out in another tab to a page without a session', async () => {
    server().answer(logout, null)
    const { person } = await showApp(href('settings', { type: '1' }))
    markDevice(BOB.user_id)
    await person.click(await screen.findByRole('button', { name: 'Log out' }))
    const question = await screen.findByRole('alertdialog')
    await person.click(within(question).getByRole('button', { name: 'Log out' }))
    await screen.findByRole('link', { name: 'Log in' })
    document.dispatchEvent(new Event('visibilitychange'))
    expect(await act(restoreSession)).toBe('refused')
    expect(server().requestsOf(refresh)).toEqual([])
    expect(remembered().device).toBe(BOB.user_id)
    act(() => enter(USERINFO, {}))
  })

  it.each([
    ['by logging out', () => beginSession(USERINFO), signOut, 2],
    ['from the login', () => {}, signOut, 2],
    [
      'to another one, who is not to be remembered',
      () => {},
      () => enter(BOB, { username: null }),
      1,
    ],
  ])(
    '%s, is forgotten by the server as soon as it can be reached, without a session',
    async (_, begin, leave, times) => {
      server().cutOff(logout)
      begin()
      const end = keepRestoring()
      leave()
      await act(restoreSession)
      expect(remembered().device).toBe(LEFT)
      dropSession()
      server().answer(logout, null)
      window.dispatchEvent(new Event('online'))
      await waitFor(() => expect(remembered().device).toBe(0))
      await act(restoreSession)
      const sent = server().requestsOf(logout)
      expect(sent).toHaveLength(times)
      expect(sent.at(-1)?.headers.get('Token')).toBeNull()
      expect(currentSession()).toBeNull()
      end()
    },
  )
})

it('logging in leaves the page a configuration that could not be fetched before it', async () => {
  server().cutOff(config)
  const { result } = renderHook(useGameZone, { wrapper: Providers })
  await waitFor(() => expect(queryClient.getQueryState(['config'])?.status).toBe('error'))
  act(() => enter(USERINFO, {}))
  server().answer(config, NEW_YORK)
  act(() => void window.dispatchEvent(new Event('visibilitychange')))
  await waitFor(() => expect(result.current.zone).toBe('America/New_York'))
})

describe('the data of one player', () => {
  /** The queries whose data the page has. */
  const known = () => {
    const queries = queryClient.getQueryCache().getAll()
    return queries.filter(({ state }) => state.data !== undefined).map(({ queryHash }) => queryHash)
  }
  const ofProfile = '["profile"]'

  /** Shows his own page, so that the cache has his data. */
  async function showAnn() {
    const shown = await showApp(href('me'))
    await screen.findByText('ann')
    expect(known()).toContain(ofProfile)
    return shown
  }

  it.each([
    ['he signs out', () => signOut()],
    ['another one signs in', () => enter(BOB, {})],
  ])('is no longer in the page once %s', async (_, change) => {
    await showAnn()
    server().hold(userInfo)
    change()
    expect(known()).toEqual(['["config"]'])
    await act(async () => {})
    expect(screen.queryByText('ann')).toBeNull()
  })

  it('is no longer in the page once he has taken his account back', async () => {
    server().answer(takeBack, { address: false })
    const { person } = await showApp(`${href('takeBack')}#${'a'.repeat(43)}`)
    await waitFor(() => expect(known()).toContain(ofProfile))
    await person.click(await screen.findByRole('button', { name: /^It was not me/ }))
    await waitFor(() => expect(currentSession()).toBeNull())
    expect(known()).not.toContain(ofProfile)
  })

  it('ends by the answer that his account is locked, though another call was told first that the session has ended', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    server().answer(takeBack, { address: true })
    const { person } = await showApp(`${href('takeBack')}#${'a'.repeat(43)}`)
    await waitFor(() => expect(known()).toContain(ofProfile))
    const answerTakeBack = server().hold(takeBack)
    await person.click(await screen.findByRole('button', { name: /^It was not me/ }))
    await waitFor(() => expect(server().requestsOf(takeBack)).toHaveLength(1))
    server().refuse(userInfo, {
      reason: 'session_unknown',
      code: CODES.tokenUnknown,
      msg: 'Please log in again',
    })
    void queryClient.refetchQueries(profileQuery)
    // Its answer has been read by now.
    await new Promise((done) => setTimeout(done, 50))
    answerTakeBack()
    await screen.findByRole('heading', { name: 'Your account is locked' })
    screen.getByText(/has its earlier email address again/)
    expect(currentSession()).toBeNull()
    expect(reload).not.toHaveBeenCalled()
  })

  it('does not come to the next one with the late reply of an action', async () => {
    const comes = server().hold(saveProfile)
    server().answer(saveProfile, { ...PROFILE, version: '9' })
    beginSession(USERINFO)
    const changed = changeProfile({ avatar: 'preset:2' }).catch(({ name }) => name)
    await waitFor(() => expect(server().requestsOf(saveProfile)).toHaveLength(1))
    signOut()
    server().answer(userInfo, PROFILE_OF_BOB)
    server().answer(login, { userinfo: BOB })
    await showApp(href('me'), { stranger: true })
    act(() => enter(BOB, {}))
    await screen.findByText('bob')
    comes()
    // As an action that was cancelled: nothing is said about it.
    expect(await act(() => changed)).toBe('AbortError')
    await screen.findByText('bob')
    expect(currentSession()?.money).toBe('7.00')
  })
})

it('a saved profile whose reply comes late leaves the player the balance that he has by then', async () => {
  server().answer(saveProfile, { ...PROFILE, money: '10.00', version: '1' })
  const comes = server().hold(saveProfile)
  await showApp(href('me'))
  await screen.findByText('ann')
  const changed = changeProfile({ avatar: 'preset:2' })
  await waitFor(() => expect(server().requestsOf(saveProfile)).toHaveLength(1))
  act(() => learnMoney({ balance: 60n * MICRO, version: 2n }))
  comes()
  await act(() => changed)
  const { balance, avatar } = queryClient.getQueryData(profileQuery.queryKey) ?? {}
  expect({ balance, avatar }).toEqual({ balance: 60n * MICRO, avatar: 'preset:1' })
})

describe('a page that comes back by the browser’s back button', () => {
  let reload: ReturnType<typeof vi.spyOn>
  let opened: number
  const comesBack = () =>
    act(async () => {
      window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    })

  beforeEach(async () => {
    reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    opened = 0
    server().onOpen(gamesStream, () => {
      opened += 1
    })
    await showApp(href('me'))
    await screen.findByText('ann')
    await waitFor(() => expect(opened).toBe(1))
  })

  /** As another document of the same tab does. */
  function bobSignsIn() {
    sessionStorage.setItem('token', BOB.token)
    sessionStorage.setItem('money', '7.00')
  }

  it('goes on with its session', async () => {
    await comesBack()
    await waitFor(() => expect(opened).toBe(2))
    expect(reload).not.toHaveBeenCalled()
  })

  it.each([
    ['another player has signed in', bobSignsIn],
    ['its player has signed out', () => sessionStorage.removeItem('token')],
  ])('is loaded again, and connects no more, if %s in the tab meanwhile', async (_, change) => {
    change()
    await comesBack()
    expect(reload).toHaveBeenCalledOnce()
    expect(opened).toBe(1)
  })

  it('leaves the session of another player as it is', async () => {
    bobSignsIn()
    await act(() => queryClient.refetchQueries(profileQuery))
    const stored = storedSession()
    expect([stored?.token, stored?.money]).toEqual([BOB.token, '7.00'])
    server().refuse(userInfo, { reason: 'session_unknown', msg: 'It has ended', code: 50_008 })
    act(() => void queryClient.refetchQueries(profileQuery))
    await waitFor(() => expect(reload).toHaveBeenCalled())
    expect(storedSession()).toEqual(stored)
    expect(sessionStorage.getItem('ended')).toBeNull()
  })
})

describe('the lines of a player’s bets that the device keeps', () => {
  const kept = () => localStorage.getItem('sum28-kept-lines') ?? '[]'

  beforeEach(() => {
    const line = { leaf: '2|A1', signed: '', of: String(USERINFO.user_id) }
    localStorage.setItem('sum28-kept-lines', JSON.stringify([['A1', line]]))
    dropSession()
  })
  afterEach(signOut)

  it('stay while his session has ended and he logs in again, and go when another does', () => {
    enter(USERINFO, {})
    expect(kept()).toContain('A1')
    dropSession()
    enter(BOB, {})
    expect(kept()).toBe('[]')
  })

  it('go with his account', () => {
    enter(USERINFO, {})
    forgetClosedAccount()
    expect(kept()).toBe('[]')
  })
})
