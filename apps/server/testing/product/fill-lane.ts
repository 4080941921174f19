import { onTestFinished } from 'vitest'
import { hashing } from '#src/modules/accounts/hashing.ts'
import { isRefusal } from '#src/refusal/refusal.ts'

/** Takes all slots, running and waiting, each from another network, until the end of the test or until they are released. */
export async function fillLane(lane: keyof typeof hashing) {
  let giveBack: () => void = () => {}
  const until = new Promise<void>((end) => {
    giveBack = end
  })
  const taken: Promise<unknown>[] = []
  for (let full = false; !full; ) {
    const place = hashing[lane].within(`lane ${taken.length}`, () => until)
    // A refused call ends at once; a waiting or running one does not.
    full = isRefusal(await Promise.race([place, Promise.resolve(null)]))
    if (!full) taken.push(place)
    if (taken.length > 1_000) throw new Error(`${lane} has no bound`)
  }
  const end = async () => {
    giveBack()
    await Promise.all(taken)
  }
  onTestFinished(end)
  return { slots: taken.length, end }
}
