/** The product's own metrics: instruments of one registry, read at /metrics. */
import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'
import { orNull } from '#src/concurrency/concurrency.ts'

export type PoolUse = { readonly used: number; readonly idle: number; readonly waiting: number }

export function poolUse({ totalCount, idleCount, waitingCount }: pg.Pool): PoolUse {
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

/**
 * Registers how many connections of each pool are in use.
 *
 * @param read each pool by its name; no values while they are unknown
 */
export function showPools(
  registry: Registry,
  name: string,
  help: string,
  read: () => Readonly<Record<string, PoolUse>>,
): void {
  new Gauge({
    name,
    help,
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [pool, use] of Object.entries(read())) {
        for (const [state, count] of Object.entries(use)) this.set({ pool, state }, count)
      }
    },
  })
}

/**
 * Registers a figure. While it is unknown it is not shown: an alarm would take 0 for its value.
 *
 * @param read the figure; null or a failure: it is unknown
 */
export function showFigure(
  registry: Registry,
  { name, help }: { name: string; help: string },
  read: () => Promise<number | null>,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await orNull(read())
      if (value === null) this.remove()
      else this.set(value)
    },
  })
}

/**
 * Registers a figure of several parts, such as a count for each reason. While they are unknown none is shown.
 *
 * @param read a value for each part
 */
export function showFigures(
  registry: Registry,
  { name, help, label }: { name: string; help: string; label: string },
  read: () => Promise<Readonly<Record<string, number>>>,
): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const values = await orNull(read())
      this.reset()
      for (const [part, value] of Object.entries(values ?? {})) this.set({ [label]: part }, value)
    },
  })
}
