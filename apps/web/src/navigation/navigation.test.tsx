/** How the app moves between its addresses. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  Link,
  type Navigate,
  NavigationProvider,
  useGoBack,
  useLocation,
  useNavigate,
  useNavigateUnlessLeft,
  useRouteQuery,
} from '#src/navigation/navigation.tsx'

let shown: ReturnType<typeof useLocation>
let navigate: Navigate
let query: ReturnType<typeof useRouteQuery<'trend'>>
let goBack: () => void
let navigateUnlessLeft: Navigate

function Watched() {
  shown = useLocation()
  navigate = useNavigate()
  query = useRouteQuery('trend')
  goBack = useGoBack()
  navigateUnlessLeft = useNavigateUnlessLeft()
  return (
    <>
      <Link to="/rules?game=1" state={{ from: 'here' }}>
        rules
      </Link>
      <Link to="/rules" target="_blank">
        in another tab
      </Link>
      <Link to="/rules" onClick={(event) => event.preventDefault()}>
        held back
      </Link>
    </>
  )
}

/** Clicks a link and says whether the click was left to the browser, which goes nowhere for it here. */
function isLeft(name: string, keys: MouseEventInit = {}): boolean {
  let left = false
  const look = (event: Event) => {
    left = !event.defaultPrevented
    event.preventDefault()
  }
  document.addEventListener('click', look, { once: true })
  fireEvent.click(screen.getByText(name), keys)
  return left
}

beforeEach(() => {
  history.replaceState(null, '', '/trendChart?game_id=2')
  render(
    <NavigationProvider>
      <Watched />
    </NavigationProvider>,
  )
})

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** Does something, and waits until React has rendered what follows, as it also does for a click. */
const rendered = (work: () => void) => act(async () => work())

it('begins at the opened address, as an existing entry', () => {
  expect(shown).toMatchObject({
    pathname: '/trendChart',
    search: '?game_id=2',
    state: null,
    key: 'default',
  })
  expect(shown.returned).toBe(true)
  expect(query[0].game_id).toBe('2')
})

it('follows a link with its state, as a new entry', () => {
  const entries = history.length
  expect(isLeft('rules')).toBe(false)
  expect(shown).toMatchObject({ pathname: '/rules', search: '?game=1', state: { from: 'here' } })
  expect(shown.returned).toBe(false)
  expect(shown.key).not.toBe('default')
  expect(history.length).toBe(entries + 1)
})

it('adds no entry for a link to the present address', () => {
  isLeft('rules')
  const entries = history.length
  isLeft('rules')
  expect(history.length).toBe(entries)
})

it.each([
  { ctrlKey: true },
  { metaKey: true },
  { shiftKey: true },
  { altKey: true },
  { button: 1 },
])('leaves a click with %o to the browser', (keys) => {
  expect(isLeft('rules', keys)).toBe(true)
  expect(shown.pathname).toBe('/trendChart')
})

it('leaves a link to another tab to the browser', () => {
  expect(isLeft('in another tab')).toBe(true)
  expect(shown.pathname).toBe('/trendChart')
})

it('does not navigate when the click was prevented', () => {
  expect(isLeft('held back')).toBe(false)
  expect(shown.pathname).toBe('/trendChart')
})

it('replaces an entry, and sets the query of the same route', async () => {
  const entries = history.length
  await rendered(() => query[1]({ game_id: '3', name: 'a & b' }))
  expect(shown).toMatchObject({ pathname: '/trendChart', search: '?game_id=3&name=a+%26+b' })
  expect(query[0].name).toBe('a & b')
  expect(history.length).toBe(entries)
})

it('goes back home from an address that was opened from outside, also after its query has changed', async () => {
  await rendered(() => query[1]({ game_id: '3' }))
  await rendered(() => query[1]({ game_id: '4' }))
  const leave = vi.spyOn(history, 'go')
  await rendered(() => goBack())
  expect(leave).not.toHaveBeenCalled()
  expect(shown.pathname).toBe('/')
})

it('goes back by one entry from an address of the app, also after its query has changed', async () => {
  await rendered(() => navigate('/trendChart?game_id=3'))
  await rendered(() => query[1]({ game_id: '4' }))
  const leave = vi.spyOn(history, 'go').mockReturnValue()
  await rendered(() => goBack())
  expect(leave).toHaveBeenCalledWith(-1)
})

it('shows the entry that the browser returns to', async () => {
  await rendered(() => navigate('/me'))
  history.replaceState({ key: 'kept', state: 7 }, '', '/rules')
  await rendered(() => dispatchEvent(new PopStateEvent('popstate')))
  expect(shown).toEqual({
    pathname: '/rules',
    search: '',
    state: 7,
    key: 'kept',
    returned: true,
  })
})

it('an answer moves a player who is still there, and none who has left or come back since', async () => {
  const atFirst = navigateUnlessLeft
  await rendered(() => navigate('/personal'))
  await rendered(() => atFirst('/login'))
  expect(shown.pathname).toBe('/personal')
  await rendered(() => navigate('/trendChart?game_id=2'))
  await rendered(() => atFirst('/login'))
  expect(shown.pathname).toBe('/trendChart')
  await rendered(() => navigateUnlessLeft('/login'))
  expect(shown.pathname).toBe('/login')
})

it('never leaves its host, whatever the path begins with', async () => {
  await rendered(() => navigate('//elsewhere.example/me'))
  expect(location.host).not.toContain('elsewhere')
  expect(shown.pathname).toBe('//elsewhere.example/me')
})
