/** Calls a listener when the device is online again, and whenever the page is shown again. Returns a function that ends it. */
export function watchReturn(listener: () => void): () => void {
  const ended = new AbortController()
  const { signal } = ended
  window.addEventListener('online', listener, { signal })
  document.addEventListener('visibilitychange', () => document.hidden || listener(), { signal })
  return () => ended.abort()
}
