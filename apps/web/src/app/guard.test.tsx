/** Where a screen that needs a session leads when there is none. */
import { act, cleanup, render, screen } from '@testing-library/react'
import { type ReactNode, Suspense, use } from 'react'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { decideGuard, Guard } from '#src/app/guard.tsx'
import { setLineAddresses, storeActiveLine } from '#src/data/lines.ts'
import { NOTHING, remember, remembered } from '#src/data/remembered.ts'
import { signOut } from '#src/data/session.ts'
import { beginSession, dropSession } from '#src/data/session-watch.ts'
import { activateLanguage } from '#src/i18n/load.tsx'
import {
  type Navigate,
  NavigationProvider,
  useLocation,
  useNavigate,
} from '#src/navigation/navigation.tsx'
import { markDevice } from '#src/testing/remembered-device.ts'
import { USERINFO } from '#src/testing/usual-replies.ts'

let navigate: Navigate
let homeCame: () => void
let home: Promise<void>

/** The personal page, which needs a session, or home, which is shown once its code has come. */
function Screens(): ReactNode {
  navigate = useNavigate()
  const { pathname } = useLocation()
  if (pathname === '/personal') return <Guard access="token">mine</Guard>
  return pathname === '/' ? <Home /> : 'login'
}

function Home(): ReactNode {
  use(home)
  return 'home'
}

beforeEach(async () => {
  await activateLanguage('en')
  vi.useFakeTimers()
  home = new Promise((resolve) => {
    homeCame = resolve
  })
  beginSession(USERINFO)
  history.replaceState(null, '', '/personal')
  render(
    <NavigationProvider>
      <Suspense>
        <Screens />
      </Suspense>
    </NavigationProvider>,
  )
  screen.getByText('mine')
})

afterEach(() => {
  cleanup()
  dropSession()
  vi.useRealTimers()
})

it('when the session ends, the login comes after half a second, and knows where the player was', async () => {
  await act(async () => dropSession())
  await act(() => vi.advanceTimersByTimeAsync(499))
  expect(location.pathname).toBe('/personal')
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(location.pathname).toBe('/login')
  expect(history.state.state).toEqual({ from: '/personal', of: null })
})

it('who leaves it and signs out comes to the screen he left for, however long that takes to load', async () => {
  await act(async () => {
    navigate('/', { replace: true })
    dropSession()
  })
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(location.pathname).toBe('/')
  await act(async () => homeCame())
  screen.getByText('home')
})

it('who leaves it within that half second is not led to the login, however long his screen takes to load', async () => {
  await act(async () => dropSession())
  await act(async () => navigate('/'))
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(location.pathname).toBe('/')
})

it('over another line, a silent address of the page leads to the login soon, and the device stays remembered', async () => {
  setLineAddresses(['', 'https://other.example'])
  storeActiveLine(1)
  markDevice()
  vi.spyOn(globalThis, 'fetch').mockReturnValue(new Promise(() => {}))
  onTestFinished(() => {
    signOut()
    remember(NOTHING)
    setLineAddresses([])
    storeActiveLine(0)
    vi.restoreAllMocks()
  })
  await act(async () => dropSession())
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  await act(() => vi.advanceTimersByTimeAsync(500))
  expect(location.pathname).toBe('/login')
  expect(remembered().device).toBe(USERINFO.user_id)
})

it('lets everybody open an open screen, without waiting', () => {
  for (const signedIn of [true, false]) {
    for (const canRestore of [true, false]) {
      expect(decideGuard({ access: 'open', signedIn, canRestore })).toBe('pass')
    }
  }
})

it('lets a signed-in user open a protected screen', () => {
  expect(decideGuard({ access: 'token', signedIn: true, canRestore: false })).toBe('pass')
  expect(decideGuard({ access: 'token', signedIn: true, canRestore: true })).toBe('pass')
})

it('restores the session of a remembered device before a protected screen', () => {
  expect(decideGuard({ access: 'token', signedIn: false, canRestore: true })).toBe('restore')
})

it('sends a stranger to the login screen', () => {
  expect(decideGuard({ access: 'token', signedIn: false, canRestore: false })).toBe('login')
})
