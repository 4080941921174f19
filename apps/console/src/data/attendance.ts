/** Whether a person is at the screen: only his calls keep the session alive. */

/** After so long without a key, a click or a scroll, a call counts as the screen's own. */
const ATTENDED_MS = 60_000

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

/** Whether somebody has done something within the last minute. */
export function isAttended(now = Date.now()): boolean {
  return now - lastInputAt < ATTENDED_MS
}
