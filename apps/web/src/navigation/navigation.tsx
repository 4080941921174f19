/**
 * Navigation: the browser's history as React state. Decision 0069 says why the app uses no router
 * library.
 */
import {
  type AnchorHTMLAttributes,
  type Context,
  createContext,
  type MouseEvent,
  type ReactNode,
  startTransition,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from 'react'
import {
  href,
  hrefOf,
  type QueryOf,
  type ReadQuery,
  type RouteName,
  readQuery,
} from '#src/navigation/routes.ts'

/** The key of the history entry that was opened from outside, and of what the app shows in its place. */
export const OPENED_KEY = 'default'

type Location = {
  readonly pathname: string
  /** With its question mark, or ''. */
  readonly search: string
  readonly state: unknown
  readonly key: string
  /** Whether this entry was there before: after back, forward, the first page, or a move that stays in it. */
  readonly returned: boolean
}

type MoveOptions = {
  readonly replace?: boolean
  readonly state?: unknown
  /** For one that replaces: the page stays where it is scrolled to. */
  readonly stays?: boolean
}

/** Moves to an address of the app, or by a number of entries of the history. */
export type Navigate = (to: string | number, options?: MoveOptions) => void

const LocationContext = createContext<Location | null>(null)
const NavigateContext = createContext<Navigate | null>(null)

type HistoryEntry = { readonly key: string; readonly state: unknown }

function locationNow(returned: boolean): Location {
  const entry: Partial<HistoryEntry> | null = history.state
  return {
    pathname: location.pathname,
    search: location.search,
    state: entry?.state ?? null,
    key: entry?.key ?? OPENED_KEY,
    returned,
  }
}

/** Provides the place and `navigate` to its children. The shown screen stays until the next is loaded. */
export function NavigationProvider({ children }: { children: ReactNode }) {
  const [shownLocation, setShownLocation] = useState(() => locationNow(true))

  useEffect(() => {
    const onReturn = () => startTransition(() => setShownLocation(locationNow(true)))
    addEventListener('popstate', onReturn)
    return () => removeEventListener('popstate', onReturn)
  }, [])

  const navigate = useCallback<Navigate>((to, options = {}) => {
    if (typeof to === 'number') return history.go(to)
    const { replace = false, state = null, stays = false } = options
    const here = locationNow(false).key
    // The first entry stays the one that was opened from outside: nothing of the app is before it.
    const keepsKey = replace && (stays || here === OPENED_KEY)
    // Not `crypto.randomUUID`, which a page without TLS does not have.
    const key = keepsKey ? here : Math.random().toString(36).slice(2)
    const entry: HistoryEntry = { key, state }
    // With the origin, so that no path can be read as the address of another host.
    const address = `${location.origin}${to}`
    try {
      if (replace) history.replaceState(entry, '', address)
      else history.pushState(entry, '', address)
    } catch {
      // Some browsers refuse more than a hundred moves in half a minute: then the page is loaded.
      return location.assign(address)
    }
    startTransition(() => setShownLocation(locationNow(stays)))
  }, [])

  return (
    <NavigateContext value={navigate}>
      <LocationContext value={shownLocation}>{children}</LocationContext>
    </NavigateContext>
  )
}

/** The function `navigate`; always the same one. */
export function useNavigate(): Navigate {
  return provided(NavigateContext)
}

export function useLocation(): Location {
  return provided(LocationContext)
}

function provided<Value>(context: Context<Value | null>): Value {
  const value = use(context)
  if (value === null) throw new Error('There is no NavigationProvider around it')
  return value
}

/**
 * Whether the app has moved on from a place, whose screen is shown until the next is loaded; also if the player has
 * opened the same address again since.
 */
export function isLeft({ pathname, search, key }: Location): boolean {
  const now = locationNow(false)
  return now.key !== key || now.pathname !== pathname || now.search !== search
}

/** `navigate` for what an answer leads to: a player who has left the screen meanwhile is not moved. */
export function useNavigateUnlessLeft(): Navigate {
  const navigate = useNavigate()
  const here = useLocation()
  return (to, options) => {
    if (!isLeft(here)) navigate(to, options)
  }
}

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> &
  MoveOptions & { readonly to: string }

/** A link to a screen. A click that asks for another tab or a download is left to the browser. */
export function Link({ to, replace, state, onClick, ...rest }: LinkProps) {
  const navigate = useNavigate()

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    if (event.defaultPrevented || isForBrowser(event, rest.target)) return
    event.preventDefault()
    // A link to the present address adds no entry to the history.
    const here = `${location.pathname}${location.search}` === to
    navigate(to, { replace: replace ?? here, state })
  }

  return <a {...rest} href={to} onClick={follow} />
}

function isForBrowser(event: MouseEvent, target: string | undefined): boolean {
  const keys = event.metaKey || event.altKey || event.ctrlKey || event.shiftKey
  return keys || event.button !== 0 || (target !== undefined && target !== '_self')
}

/** Returns to the previous screen, or to home if there is none. */
export function useGoBack(): () => void {
  const navigate = useNavigate()
  const first = useLocation().key === OPENED_KEY
  return () => (first ? navigate(href('home'), { replace: true }) : navigate(-1))
}

/**
 * What the address of the shown route contains, and a function that shows the same screen with other values, in the
 * place of this entry of the history. The page begins at its top again, unless it stays: where the choice is within it.
 */
export function useRouteQuery<Name extends RouteName>(
  name: Name,
  move: { stays?: boolean } = {},
): [ReadQuery<Name>, (query: QueryOf<Name>) => void] {
  const { search } = useLocation()
  const navigate = useNavigate()
  const query = useMemo(() => readQuery(name, search), [name, search])
  return [query, (next) => navigate(hrefOf(name, next), { ...move, replace: true })]
}
