/** How the app moves between its addresses. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  Link,
  type Navigate,
  NavigationProvider,
  useNavigate,
  usePlace,
  useSearchParams,
} from '#src/app/navigation.tsx'

let place: ReturnType<typeof usePlace>
let navigate: Navigate
let search: ReturnType<typeof useSearchParams>

function Watched() {
  place = usePlace()
  navigate = useNavigate()
  search = useSearchParams()
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
  history.replaceState(null, '', '/hall?game=2')
  render(
    <NavigationProvider>
      <Watched />
    </NavigationProvider>,
  )
})

afterEach(cleanup)

/** Waits until React has rendered the requested screen. */
async function settled() {
  await new Promise((done) => setTimeout(done))
}

it('begins at the opened address, as an existing entry', () => {
  expect(place).toMatchObject({ pathname: '/hall', search: '?game=2', state: null, key: 'default' })
  expect(place.returned).toBe(true)
  expect(search[0].get('game')).toBe('2')
})

it('follows a link with its state, as a new entry', async () => {
  const entries = history.length
  expect(isLeft('rules')).toBe(false)
  await settled()
  expect(place).toMatchObject({ pathname: '/rules', search: '?game=1', state: { from: 'here' } })
  expect(place.returned).toBe(false)
  expect(place.key).not.toBe('default')
  expect(history.length).toBe(entries + 1)
})

it('adds no entry for a link to the present address', async () => {
  isLeft('rules')
  await settled()
  const entries = history.length
  isLeft('rules')
  await settled()
  expect(history.length).toBe(entries)
})

it.each([
  { ctrlKey: true },
  { metaKey: true },
  { shiftKey: true },
  { altKey: true },
  { button: 1 },
])('leaves a click with %o to the browser', async (keys) => {
  expect(isLeft('rules', keys)).toBe(true)
  await settled()
  expect(place.pathname).toBe('/hall')
})

it('leaves a link to another tab to the browser', async () => {
  expect(isLeft('in another tab')).toBe(true)
  await settled()
  expect(place.pathname).toBe('/hall')
})

it('does not navigate when the click was prevented', async () => {
  expect(isLeft('held back')).toBe(false)
  await settled()
  expect(place.pathname).toBe('/hall')
})

it('replaces an entry, and sets a query at the same path', async () => {
  const entries = history.length
  search[1]({ game: '3', name: 'a & b' }, { replace: true })
  await settled()
  expect(place).toMatchObject({ pathname: '/hall', search: '?game=3&name=a+%26+b' })
  expect(search[0].get('name')).toBe('a & b')
  expect(history.length).toBe(entries)
})

it('shows the entry that the browser returns to', async () => {
  navigate('/me')
  await settled()
  history.replaceState({ key: 'kept', state: 7 }, '', '/rules')
  dispatchEvent(new PopStateEvent('popstate'))
  await settled()
  expect(place).toEqual({
    pathname: '/rules',
    search: '',
    state: 7,
    key: 'kept',
    returned: true,
  })
})

it('never leaves its host, whatever the path begins with', async () => {
  navigate('//elsewhere.example/me')
  await settled()
  expect(location.host).not.toContain('elsewhere')
  expect(place.pathname).toBe('//elsewhere.example/me')
})
