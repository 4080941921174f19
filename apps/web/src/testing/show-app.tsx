/** Shows the app at an address, as a browser would after its start, over a mock of the contract. */
import type { Locale } from '@sum28/ui/languages.ts'
import { forgetServerClock } from '@sum28/ui/server-clock.ts'
import { onlineManager } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, onTestFinished, vi } from 'vitest'
import { Providers } from '#src/app/providers.tsx'
import { Shell } from '#src/app/shell.tsx'
import { queryClient } from '#src/data/query-client.ts'
import { beginSession, dropSession } from '#src/data/session-watch.ts'
import { activateLanguage, loadAllTexts } from '#src/i18n/load.tsx'
import { toastStore } from '#src/parts/toast-store.ts'
import { type ContractMock, mockContract } from '#src/testing/contract-mock.ts'
import { answerAsUsual, USERINFO } from '#src/testing/usual-replies.ts'

type Shown = {
  /** The user who presses and types. */
  person: ReturnType<typeof userEvent.setup>
}

type ShowOptions = {
  /** Without a session. */
  stranger?: boolean
  locale?: Locale
}

/** The fixed time of these tests, so that no text depends on the present day. */
const TEST_NOW = Date.parse('2026-11-20T12:00:00Z')

/** Gives each test of a file its own mock server, and fails a test with contract faults. */
export function useMockServer(): () => ContractMock {
  let server: ContractMock
  beforeEach(() => {
    // As at the app's start, whatever the files before this one have left.
    forgetServerClock()
    toastStore.set(null)
    vi.setSystemTime(TEST_NOW)
    // The player is where the operator is, unless a test says otherwise.
    vi.stubEnv('TZ', 'Asia/Singapore')
    server = mockContract()
    answerAsUsual(server)
    vi.stubGlobal('fetch', server.fetch)
  })
  afterEach(() => {
    server.end()
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
    vi.useRealTimers()
    // First, so that no more requests are sent.
    cleanup()
    dropSession()
    queryClient.clear()
    localStorage.clear()
    sessionStorage.clear()
    expect(server.faults).toEqual([])
  })
  return () => server
}

/** Shows the screen of an address, made by `href`. */
export async function showApp(address: string, options: ShowOptions = {}): Promise<Shown> {
  const { stranger = false, locale = 'en' } = options
  // Also if it is the present one: a test of single components has loaded only theirs.
  await activateLanguage(locale)
  await loadAllTexts(locale)
  // A session of its own: the app remembers which one the player of an earlier test has ended.
  if (!stranger) beginSession({ ...USERINFO, token: crypto.randomUUID() })
  history.replaceState(null, '', address)
  render(
    <Providers>
      <Shell />
    </Providers>,
  )
  return { person: userEvent.setup() }
}

/** Opens another screen, as the browser's own buttons do. */
export async function leaveFor(address: string): Promise<void> {
  history.pushState({ key: crypto.randomUUID(), state: null }, '', address)
  await act(async () => void window.dispatchEvent(new PopStateEvent('popstate')))
}

/** Types into fields by their labels, once they exist; a code field accepts all six digits at once. */
export async function fillIn(
  person: Shown['person'],
  fields: Record<string, string>,
): Promise<void> {
  for (const [label, typed] of Object.entries(fields)) {
    const elements = await screen.findAllByLabelText(label)
    const input = elements.find((each) => each instanceof HTMLInputElement)
    if (!input) throw new Error(`no input is labelled '${label}'`)
    await person.click(input)
    await person.keyboard(typed)
  }
}

/** Fills the registration in, and sends it. */
export async function createAccount(person: Shown['person'], username = 'ann'): Promise<void> {
  await fillIn(person, {
    Username: username,
    Email: `${username}@example.com`,
    'Verification code': '123456',
    Password: 'a long password',
  })
  await person.click(screen.getByRole('checkbox', { name: /^I am 18/ }))
  await person.click(screen.getByRole('button', { name: 'Create account' }))
}

/** Makes the browser offline and all requests fail, until the next test. */
export function goOffline(server: ContractMock): void {
  server.cutOffAll()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  // The library remembers it, also for the tests of other apps in this process.
  onTestFinished(() => onlineManager.setOnline(true))
  act(() => {
    window.dispatchEvent(new Event('offline'))
  })
}
