/** Detects an active user: only calls of an active user keep the session alive. */

/** After this time without a key, a click or a scroll, a call counts as automatic. */
const ACTIVE_MS = 60_000

let lastInputAt = Date.now()

for (const kind of ['pointerdown', 'keydown', 'wheel', 'touchstart']) {
  window.addEventListener(
    kind,
    () => {
      lastInputAt = Date.now()
    },
    { capture: true, passive: true },
  )
}

/** Whether the user pressed, typed or scrolled within the last minute. */
export function isUserActive(now = Date.now()): boolean {
  return now - lastInputAt < ACTIVE_MS
}
