/** A batcher of orders whose commits the test ends, one by one. */
import { type BatchWatch, batchOrders } from '#src/modules/bets/order-batches.ts'

export type HeldOrder = { player: number; name: number }

/** A batcher whose commits wait until the test releases them. */
export function heldBatches(options: { watch?: BatchWatch; waitMaxMs?: number } = {}) {
  const batches: HeldOrder[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  const batcher = batchOrders<HeldOrder, string>(
    ({ player }) => player,
    async (batch) => {
      batches.push(batch)
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      await gate.promise
      return batch.map(({ name }) => `done ${name}`)
    },
    options,
  )
  return { batcher, batches, gates }
}

export const heldOrder = (player: number, name = player): HeldOrder => ({ player, name })

/** Lets the batcher start: its first batch waits for the end of the turn. */
export async function batchTick(): Promise<void> {
  for (const _tick of [1, 2]) await new Promise((next) => setImmediate(next))
}
