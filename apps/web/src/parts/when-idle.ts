/** For browsers without `requestIdleCallback`. */
const LATER_MS = 300

/** The browser is made to find time after this. */
const TIMEOUT_MS = 2_000

/** Runs once the browser is idle. Returns a function that cancels it. */
export function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(run, LATER_MS)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(run, { timeout: TIMEOUT_MS })
  return () => cancelIdleCallback(request)
}
