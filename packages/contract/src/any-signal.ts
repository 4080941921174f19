/** As `AbortSignal.any`, which Safari before 17.4 and WebViews before 116 do not have. */
export function anySignal(...signals: readonly AbortSignal[]): AbortSignal {
  const all = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) all.abort(signal.reason)
    else {
      const end = () => all.abort(signal.reason)
      signal.addEventListener('abort', end, { once: true, signal: all.signal })
    }
  }
  return all.signal
}
