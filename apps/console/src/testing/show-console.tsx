/** Shows the console at an address, on the mock that is made from the contract. */

import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { STAFF_ROUTES } from '@sum28/contract/all-staff-routes.ts'
import type { ReplyOf, Route } from '@sum28/contract/route.ts'
import { ownSession } from '@sum28/contract/staff-own-routes.ts'
import { configure, render, renderHook, screen, within } from '@testing-library/react'
import { PointerEventsCheckLevel, userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, onTestFinished, vi } from 'vitest'
import { Console, queryClient } from '#src/app/console.tsx'
import { useHeldCalls } from '#src/data/held-calls.ts'
import { setSession } from '#src/data/session.ts'
import { type ContractMock, mockContract } from '../../../web/src/testing/contract-mock.ts'
import { sampleOf } from '../../../web/src/testing/sample-of.ts'

/** The smallest reply that a call may give. */
export function sample<R extends Route>({ reply }: R): ReplyOf<R> {
  return sampleOf(reply) as ReplyOf<R>
}

type RowOf<R extends Route> = ReplyOf<R> extends { list: (infer Row)[] } ? Row : never
type ListReply = { shape: { list: { def: { element: Parameters<typeof sampleOf>[0] } } } }

/** The smallest row of a list. */
export function sampleRow<R extends Route>({ reply }: R): RowOf<R> {
  return sampleOf((reply as unknown as ListReply).shape.list.def.element) as RowOf<R>
}

/** Who is signed in, unless a test says otherwise. */
export const OWNER: ReplyOf<typeof ownSession> = {
  ...sample(ownSession),
  name: 'ann',
  role: 'owner',
  email: 'ann@house.example',
  zone: 'UTC',
  idle_seconds_left: 1_800,
  seconds_left: 36_000,
}

/**
 * The styles stand outside the document, which looks through all that it has for each element of which a test asks the
 * role or name, also in the files after this one.
 */
const styles = createCache({ key: 'css', container: document.createElement('div') })

type User = ReturnType<typeof userEvent.setup>

/**
 * An owner is signed in.
 *
 * @param prepare says what the mock answers
 */
export async function showConsole(
  address: string,
  prepare: (mock: ContractMock) => void,
): Promise<{ mock: ContractMock; user: User }> {
  const mock = mockContract(STAFF_ROUTES)
  mock.answer(ownSession, OWNER)
  prepare(mock)
  vi.stubGlobal('fetch', (input: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    // The console's own session is in a cookie.
    headers.set('Token', 'staff')
    return mock.fetch(input, { ...init, headers })
  })
  localStorage.setItem('console.signedIn', '1')
  // To compute the styles of each element takes most of a test's time.
  configure({ defaultHidden: true })
  const router = createMemoryRouter([{ path: '*', element: <Console /> }], {
    initialEntries: [address],
  })
  render(
    <CacheProvider value={styles}>
      <RouterProvider router={router} useTransitions={false} />
    </CacheProvider>,
  )
  onTestFinished(() => {
    mock.end()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    configure({ defaultHidden: false })
    queryClient.clear()
    // What is still held would be shown in the tests after this one.
    const held = renderHook(() => useHeldCalls()).result.current
    setSession(null)
    expect(held).toEqual([])
    expect(mock.faults).toEqual([])
  })
  return { mock, user: userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never }) }
}

/** Presses a button, and finds what is in the dialog that it opens. */
export async function openDialog(user: User, name: string | RegExp) {
  await user.click(await screen.findByRole('button', { name }))
  return within(await screen.findByRole('dialog'))
}
