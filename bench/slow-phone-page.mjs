/** Runs in the measured page: keeps what inputs took, and counts frames. */

/** Instant and length of each event that took 16 ms or more, from the input to the next frame. */
const inputs = []
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) {
    inputs.push({ at: startTime, ms: duration })
  }
}).observe({ type: 'event', durationThreshold: 16 })

window.measured = {
  /** What the slowest event since an instant took; 16 where all were too quick to be listed. */
  slowestInputMs: (since) =>
    Math.max(16, ...inputs.filter(({ at }) => at >= since).map(({ ms }) => ms)),

  /** Frames a second over a length of time, those of the worst second, and the longest frame. */
  async countFrames(lengthMs) {
    const at = []
    await new Promise((done) => {
      requestAnimationFrame(function frame(now) {
        at.push(now)
        if (now - at[0] < lengthMs) requestAnimationFrame(frame)
        else done()
      })
    })
    const seconds = Array.from({ length: Math.floor(lengthMs / 1_000) }, (_, second) => {
      const from = at[0] + second * 1_000
      return at.filter((instant) => instant >= from && instant < from + 1_000).length
    })
    const gaps = at.slice(1).map((instant, index) => instant - at[index])
    return {
      mean: ((at.length - 1) * 1_000) / (at.at(-1) - at[0]),
      worst: Math.min(...seconds),
      longestMs: Math.max(...gaps),
    }
  },
}
