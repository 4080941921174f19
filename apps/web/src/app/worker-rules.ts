/** What the app's service worker may answer. Whatever is not named here goes to the network alone. */

/**
 * `asset`: a built file whose name carries a hash of its content, from the store first. `file`: a
 * picture or the manifest, from the network first. `screen`: a page of the app, from the network
 * first, and the stored shell where there is none. `network`: none of the worker's business.
 */
export type WorkerAnswer = 'asset' | 'file' | 'screen' | 'network'

/** First words of paths that are never a screen: money, other apps, and what operators look at. */
const NOT_A_SCREEN = new Set([
  'api',
  'assets',
  'beacon',
  'console',
  'dev',
  'docs',
  'healthz',
  'metrics',
  'openapi.json',
  'readyz',
  'tron',
  'uploads',
])

type Asked = {
  method: string
  /** The request's mode: `navigate` where a page is opened. */
  mode: string
  url: string
  /** The app's own origin. */
  origin: string
  /** Paths of the build's own files, such as `/icon.svg`. */
  stored: ReadonlySet<string>
}

/** How a request is to be answered. Only a stored file or a page of the app is touched at all. */
export function workerAnswer({ method, mode, url, origin, stored }: Asked): WorkerAnswer {
  const { origin: where, pathname } = new URL(url)
  if (method !== 'GET' || where !== origin) return 'network'
  if (mode === 'navigate') return isScreen(pathname) ? 'screen' : 'network'
  // Those of the build before too: its pages may run on after the server has forgotten them.
  if (pathname.startsWith('/assets/')) return 'asset'
  return stored.has(pathname) && pathname !== SHELL ? 'file' : 'network'
}

/** The page that every screen starts from. */
export const SHELL = '/index.html'

function isScreen(pathname: string): boolean {
  const [first = ''] = pathname.toLowerCase().split('/').filter(Boolean)
  const isFile = /\.[^/]*$/.test(pathname)
  return !NOT_A_SCREEN.has(first) && (!isFile || pathname === SHELL)
}
