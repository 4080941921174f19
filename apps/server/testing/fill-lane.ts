import { onTestFinished } from 'vitest'
import { hashing } from '#src/modules/accounts/hashing.ts'
import { isRefusal } from '#src/refusal.ts'

/** Takes every place that there is, running and waiting, until the test is over or they are given back. */
export async function fillLane(lane: keyof typeof hashing) {
  let giveBack: () => void = () => {}
  const until = new Promise<void>((end) => {
    giveBack = end
  })
  const taken: Promise<unknown>[] = []
  for (let full = false; !full; ) {
    const place = hashing[lane].within(() => until)
    // Whoever is refused is so at once; whoever waits or runs is not done by then.
    full = isRefusal(await Promise.race([place, Promise.resolve(null)]))
    if (!full) taken.push(place)
    if (taken.length > 1_000) throw new Error(`${lane} has no bound`)
  }
  const end = async () => {
    giveBack()
    await Promise.all(taken)
  }
  onTestFinished(end)
  return { places: taken.length, end }
}
