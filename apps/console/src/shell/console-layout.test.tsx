/** What stands around every page of the console. */
import { stops } from '@sum28/contract/staff-house-routes.ts'
import { ownSession } from '@sum28/contract/staff-own-routes.ts'
import { listWithdrawals, oneWithdrawal, staffLogout } from '@sum28/contract/staff-routes.ts'
import type { Need } from '@sum28/contract/staff-start-routes.ts'
import { addWebhook, startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { cachedChunk } from '@sum28/ui/chunk.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { queryClient } from '#src/app/console.tsx'
import { waitingLists } from '#src/areas/start/start-page.tsx'
import { loadSession, sessionOrNull } from '#src/data/session.ts'
import { OWNER, openDialog, sample, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/money/bank-account-page.tsx'
import '#src/areas/money/withdrawal-list.tsx'
import '#src/areas/staff/alerts-page.tsx'

it('an entry with a count leads to what is counted, the oldest first', async () => {
  const need = (need: Need, count: number, yours = true) => ({
    need,
    count,
    yours,
    since: 1,
    hour: 0,
    day: 0,
  })
  const { user } = await showConsole('/bank-account', (mock) =>
    mock.answer(startNeeds, {
      needs: [
        ...[need('identities_waiting', 2), need('transfers_unmatched', 3, false)],
        ...[need('withdrawals_waiting', 4), need('payouts_due', 5), need('batches_open', 6)],
      ],
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Open menu' }))
  const linkOf = (list: string) => {
    const link = document.querySelector(`nav [href^="${list}"]`)
    const [path, query] = (link?.getAttribute('href') ?? '').split('?')
    const { filter, ...sorting } = Object.fromEntries(new URLSearchParams(query))
    return [path, filter && JSON.parse(filter), sorting]
  }
  await waitFor(() => expect(linkOf('/identities')[1]).toBeDefined())
  expect(linkOf('/identities')).toEqual([
    ...['/identities', { state: 'waiting' }, { sort: 'sent_at', order: 'ASC' }],
  ])
  expect(linkOf('/withdrawals')).toEqual([
    ...['/withdrawals', { turn: 'you' }, { sort: 'queue', order: 'ASC' }],
  ])
  // Those of which he approved all that is left wait for others.
  expect(linkOf('/bank-batches')).toEqual([
    ...['/bank-batches', { state: 'open', turn: 'you' }, { sort: 'id', order: 'ASC' }],
  ])
  expect(linkOf('/unmatched-transfers')).toEqual(['/unmatched-transfers', undefined, {}])
})

it('a need that only a later build knows is left out of the menu, and nothing else is', () => {
  const need = {
    need: 'of_a_later_build' as Need,
    count: 2,
    yours: true,
    since: 1,
    hour: 0,
    day: 0,
  }
  const lists = waitingLists([need, { ...need, need: 'withdrawals_waiting', count: 4 }])
  expect([...lists.keys()]).toEqual(['/withdrawals'])
})

it('a fault of which no page tells is a card without a link, which names the section of the runbooks', async () => {
  const need = { count: 1, yours: true, since: 1, hour: 0, day: 0 }
  await showConsole('/', (mock) =>
    mock.answer(startNeeds, {
      needs: [
        { ...need, need: 'books_unchecked' },
        { ...need, need: 'returns_unlikely' },
        { ...need, need: 'chain_behind' },
      ],
    }),
  )
  const unchecked = await screen.findByText('The books were not found right today')
  expect(unchecked.closest('a')).toBeNull()
  for (const fault of ['books_unchecked', 'returns_unlikely'])
    screen.getByText(`${fault}, in the runbooks under “Faults”`)
  const behind = screen.getByText('The deposit watcher is behind the chain')
  expect(behind.closest('a')?.getAttribute('href')).toBe('/books')
})

it('an area whose file could not be loaded is loaded with the next visit', async () => {
  let tries = 0
  const load = vi.fn(async () => {
    tries += 1
    if (tries <= 3) throw new Error('no network')
    return { default: () => 'loaded' }
  })
  const file = cachedChunk(load)
  const { user } = await showConsole('/bank-account', () => {})
  await expect(file()).rejects.toThrow('no network')
  await user.click(await screen.findByRole('button', { name: 'Open menu' }))
  await user.click(await screen.findByRole('link', { name: 'Withdrawals' }))
  expect((await file()).default()).toBe('loaded')
})

it('says that a newer build is ready, and loads it by a press', async () => {
  const page = '<script type="module" src="/console/assets/index-newer.js"></script>'
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  const { user } = await showConsole('/bank-account', (mock) => {
    const { fetch } = mock
    vi.spyOn(mock, 'fetch').mockImplementation(async (path, options) =>
      path === '/console/' ? new Response(page) : fetch(path, options),
    )
  })
  const notice = await screen.findByText(/^A newer version of the console is ready/)
  expect(notice.closest('[role=alert]')).not.toBeNull()
  await user.click(screen.getByRole('button', { name: 'Load the page again' }))
  expect(reload).toHaveBeenCalledOnce()
})

it('the menu is a navigation that marks the present page, and a chosen entry leaves the focus at its page', async () => {
  const { user } = await showConsole('/bank-account', () => {})
  await user.click(await screen.findByRole('button', { name: 'Open menu' }))
  const menu = within(await screen.findByRole('navigation', { name: 'Menu' }))
  const marked = () =>
    menu.getAllByRole('link', { current: 'page' }).map((each) => each.textContent)
  expect(screen.getByRole('dialog', { name: 'Menu' })).toBeTruthy()
  expect(menu.queryByRole('menuitem')).toBeNull()
  expect(marked()).toEqual(['Bank account'])
  expect(menu.getByRole('button', { name: 'Money' }).getAttribute('aria-expanded')).toBe('true')
  await user.click(menu.getByRole('link', { name: 'Withdrawals' }))
  await waitFor(() => expect(document.activeElement?.id).toBe('main-content'))
})

it('a link within a page and a result of the search leave the focus at the page that they open', async () => {
  const { user } = await showConsole('/withdrawals', (mock) => {
    mock.answer(listWithdrawals, { list: [{ ...sample(oneWithdrawal), id: 1 }], next: null })
    mock.answer(oneWithdrawal, { ...sample(oneWithdrawal), id: 1 })
  })
  await user.click(await screen.findByRole('link', { name: '1' }))
  await waitFor(() => expect(document.activeElement?.id).toBe('main-content'))
  await user.click(screen.getByRole('button', { name: /^Search/ }))
  await user.type(await screen.findByRole('combobox'), 'bank account{Enter}')
  await waitFor(() => expect(document.activeElement?.id).toBe('main-content'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('an answer that could not be refreshed is shown with a warning, and the menu and the stops too', async () => {
  const { mock } = await showConsole('/withdrawals', (mock) => {
    mock.answer(startNeeds, { needs: [] })
    mock.answer(listWithdrawals, { list: [{ ...sample(oneWithdrawal), id: 1 }], next: null })
  })
  const warnings = () => screen.queryAllByText(/^The server (gives no|does not)/).length
  await screen.findByRole('link', { name: '1' })
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(warnings()).toBe(0)
  for (const route of [startNeeds, stops, listWithdrawals])
    mock.refuse(route, { reason: 'fault', msg: 'The server is broken' })
  await act(() => queryClient.refetchQueries())
  await screen.findByText(/does not say what waits.*Last answer:/)
  await screen.findByText(/does not say whether betting is stopped/)
  await screen.findByText(/what you see may be old/)
  expect(screen.getByRole('link', { name: '1' })).toBeTruthy()
  expect(warnings()).toBe(3)
  mock.answer(startNeeds, { needs: [] })
  mock.answer(stops, sample(stops))
  mock.answer(listWithdrawals, { list: [], next: null })
  await act(() => queryClient.refetchQueries())
  await waitFor(() => expect(warnings()).toBe(0))
})

it('while the stops and the menu, which never came, are asked for again, the warnings stay', async () => {
  const routes = [startNeeds, stops]
  const { mock } = await showConsole('/bank-account', (mock) => {
    for (const route of routes) mock.refuse(route, { reason: 'fault', msg: 'The server is broken' })
  })
  const warnings = () => screen.queryAllByText(/does not say (what waits|whether betting)/).length
  await waitFor(() => expect(warnings()).toBe(2))
  const releases = routes.map((route) => mock.hold(route))
  const asked = queryClient.refetchQueries()
  await waitFor(() => expect(queryClient.isFetching()).toBeGreaterThanOrEqual(2))
  expect(warnings()).toBe(2)
  for (const release of releases) release()
  await act(() => asked)
})

it('“Nothing waits for you.” is shown with a warning if that could not be asked again', async () => {
  const { mock } = await showConsole('/', (mock) => mock.answer(startNeeds, { needs: [] }))
  await screen.findByText('Nothing waits for you.')
  expect(screen.getByRole('note').textContent).toBe('Nothing waits for you.')
  expect(screen.queryByRole('alert')).toBeNull()
  const old = () => screen.queryAllByText(/what you see may be old/).length
  expect(old()).toBe(0)
  mock.refuse(startNeeds, { reason: 'fault', msg: 'The server is broken' })
  await act(() => queryClient.refetchQueries())
  await waitFor(() => expect(old()).toBe(1))
})

it('the start page of a member without an address says that no alert reaches him, and leads to it', async () => {
  await showConsole('/', (mock) => {
    mock.answer(startNeeds, { needs: [] })
    mock.answer(ownSession, { ...OWNER, email: null })
  })
  const warning = await screen.findByText(/^No e-mail address/)
  expect(within(warning).getByRole('link').getAttribute('href')).toBe('/own')
})

it('while a member signs out nothing is asked for any more, and what was asked for is given up', async () => {
  const { mock, user } = await showConsole('/', (mock) => mock.answer(startNeeds, { needs: [] }))
  await screen.findByText('Nothing waits for you.')
  const [answerNeeds, answerLogout] = [mock.hold(startNeeds), mock.hold(staffLogout)]
  void queryClient.refetchQueries({ type: 'active' })
  await waitFor(() => expect(queryClient.isFetching()).toBeGreaterThan(0))
  await user.click(screen.getByRole('button', { name: 'Profile' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }))
  await waitFor(() => expect(mock.requestsOf(staffLogout)).toHaveLength(1))
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  const asked = mock.requestsOf(startNeeds).length
  // As the intervals of the page do.
  await queryClient.refetchQueries({ type: 'active' })
  expect(mock.requestsOf(startNeeds)).toHaveLength(asked)
  answerNeeds()
  answerLogout()
  await screen.findByLabelText('Code of your authenticator')
})

it('the last minutes of a session, and that the device is offline, are said at once', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await showConsole('/bank-account', (mock) =>
    mock.answer(ownSession, { ...OWNER, seconds_left: 100 }),
  )
  for (const words of [/^Save what you have typed/, /^There is no network/]) {
    const said = await screen.findByText(words)
    expect(said.closest('[role]')?.role).toBe('alert')
  }
})

it('an idle session is prolonged by a press, and an answer that comes after a sign-out begins none', async () => {
  const { mock, user } = await showConsole('/bank-account', (mock) =>
    mock.answer(ownSession, { ...OWNER, idle_seconds_left: 100, seconds_left: 900 }),
  )
  const warning = within(await screen.findByRole('dialog', { name: 'Are you still there?' }))
  const asked = () => mock.requestsOf(ownSession).length
  const before = asked()
  await user.click(warning.getByRole('button', { name: 'Stay signed in' }))
  await waitFor(() => expect(asked()).toBe(before + 1))
  const answer = mock.hold(ownSession)
  await user.click(warning.getByRole('button', { name: 'Stay signed in' }))
  await waitFor(() => expect(asked()).toBe(before + 2))
  await user.click(warning.getByRole('button', { name: 'Logout' }))
  await screen.findByLabelText('Code of your authenticator')
  await act(async () => {
    answer()
    await loadSession()
  })
  expect(sessionOrNull()).toBeNull()
  expect(screen.getByLabelText('Code of your authenticator')).toBeTruthy()
})

it('a notification that comes while a dialog is open is not hidden with what is behind it', async () => {
  const { user } = await showConsole('/alerts', (mock) =>
    mock.refuse(addWebhook, {
      reason: 'invalid_input',
      msg: 'Please check it',
      data: { fields: { url: 'is not public' } },
    }),
  )
  const dialog = await openDialog(user, 'Add an address')
  await user.type(dialog.getByRole('textbox'), 'https://10.0.0.1/')
  await user.click(dialog.getByRole('button', { name: 'Add an address' }))
  await dialog.findByText('is not public')
  const said = await screen.findByText('Please check it')
  const isHidden = (element: Element) => element.closest('[aria-hidden="true"]') !== null
  expect(said.closest('[role]')?.role).toBe('alert')
  expect(isHidden(screen.getByText('Webhooks'))).toBe(true)
  expect(isHidden(said)).toBe(false)
})
