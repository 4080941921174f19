/** Runs in the measured page: records the time that inputs took, and counts frames. */

/** Start and length of each event that took 16 ms or more, from the input to the next frame. */
const inputs = []
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) {
    inputs.push({ at: startTime, ms: duration })
  }
}).observe({ type: 'event', durationThreshold: 16 })

/**
 * A dot that always moves. A browser without a screen reports when a frame was shown only with the
 * next frame. If a key changes one frame and nothing moves afterwards, that report comes only with
 * the next second of the clock or the next blink of the caret. The dot costs the app a little.
 */
addEventListener('DOMContentLoaded', () => {
  const dot = document.createElement('i')
  dot.ariaHidden = 'true'
  Object.assign(dot.style, {
    position: 'fixed',
    top: 0,
    left: 0,
    width: '1px',
    height: '1px',
    zIndex: 99,
    background: 'currentcolor',
    pointerEvents: 'none',
  })
  document.body.append(dot)
  dot.animate([{ opacity: 0.5 }, { opacity: 1 }], { duration: 1_000, iterations: Infinity })
})

window.measured = {
  /** The length of the slowest event since an instant; 16 when all were too quick to be recorded. */
  slowestInputMs: (since) =>
    Math.max(16, ...inputs.filter(({ at }) => at >= since).map(({ ms }) => ms)),

  /** Over so many milliseconds. */
  async framesASecond(lengthMs) {
    const at = []
    await new Promise((done) => {
      requestAnimationFrame(function frame(now) {
        at.push(now)
        if (now - at[0] < lengthMs) requestAnimationFrame(frame)
        else done()
      })
    })
    return ((at.length - 1) * 1_000) / (at.at(-1) - at[0])
  },
}
