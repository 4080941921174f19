/** The requests that the service worker answers. All others go only to the network. */

/**
 * `asset`: a built file with a hash in its name, from the store first. `file`: a picture or the
 * manifest, from the network first. `screen`: a page of the app, from the network first, else the
 * stored shell. `network`: not handled by the worker.
 */
export type WorkerAnswer = 'asset' | 'file' | 'screen' | 'network'

/** First segments of paths that are never a screen. */
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
  'tlog',
  'tron',
  'uploads',
])

type WorkerRequest = {
  method: string
  /** The request's mode: `navigate` if a page is opened. */
  mode: string
  url: string
  /** The app's own origin. */
  origin: string
  /** Paths of the build's own files, such as `/icon.svg`. */
  stored: ReadonlySet<string>
}

export function workerAnswer({ method, mode, url, origin, stored }: WorkerRequest): WorkerAnswer {
  const { origin: where, pathname } = new URL(url)
  if (method !== 'GET' || where !== origin) return 'network'
  if (mode === 'navigate') return isScreen(pathname) ? 'screen' : 'network'
  // Also those of the previous build, whose pages may still be open.
  if (pathname.startsWith('/assets/')) return 'asset'
  return stored.has(pathname) && pathname !== SHELL ? 'file' : 'network'
}

/** The HTML page of all screens. */
export const SHELL = '/index.html'

export function isScreen(pathname: string): boolean {
  const [first = ''] = pathname.toLowerCase().split('/').filter(Boolean)
  const isFile = /\.[^/]*$/.test(pathname)
  return !NOT_A_SCREEN.has(first) && (!isFile || pathname === SHELL)
}
