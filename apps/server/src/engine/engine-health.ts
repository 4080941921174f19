/** The engine's health as the operator's systems read it: parts of /readyz, and metrics. */
import { Gauge, type Registry } from 'prom-client'
import { showPools } from '#src/metrics.ts'
import { type EngineHost, LOOP_DELAY_MAX_MS } from './engine-host.ts'

/** An engine with a game that was not driven for this time, in milliseconds, is not working. */
const AGE_MAX_MS = 15_000

/**
 * - `engine`: each game was driven recently.
 * - `engine_loop`: its timers fire on time.
 * - `beacon_clock`: the beacon's clock and the database's agree; if they do not, betting is stopped.
 */
export function engineParts(host: EngineHost | null) {
  const state = host?.state()
  return {
    engine: state !== undefined && state.ageMs < AGE_MAX_MS,
    engine_loop: state !== undefined && state.loopDelayMs.max < LOOP_DELAY_MAX_MS,
    beacon_clock: state !== undefined && !state.clocksApart,
  }
}

/** Registers the engine's metrics, which are computed when they are read. */
export function showEngine(registry: Registry, host: () => EngineHost | null): void {
  function gauge(name: string, help: string, read: (state: State) => number | null): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const state = host()?.state()
        const value = state ? read(state) : null
        if (value === null || !Number.isFinite(value)) this.reset()
        else this.set(value)
      },
    })
  }
  gauge('sum28_engine_age_seconds', 'Since each game was last driven, the longest.', (state) =>
    seconds(state.ageMs),
  )
  const delay = new Gauge({
    name: 'sum28_engine_loop_delay_seconds',
    help: 'How much later than they should the timers of the engine’s loop come.',
    labelNames: ['of'],
    registers: [registry],
    collect() {
      const state = host()?.state()
      if (!state) return
      for (const [of, ms] of Object.entries(state.loopDelayMs)) this.set({ of }, seconds(ms))
    },
  })
  delay.reset()
  gauge(
    'sum28_engine_restarts',
    'Times that the engine had died and was started again.',
    (state) => state.restarts,
  )
  gauge(
    'sum28_beacon_ahead_seconds',
    'By how much the beacon is ahead of the database’s clock, where they disagree; else 0.',
    ({ beaconAheadMs }) => (beaconAheadMs === null ? null : seconds(beaconAheadMs)),
  )
  gauge('sum28_clocks_apart', 'Whether betting is stopped because the two disagree.', (state) =>
    state.clocksApart ? 1 : 0,
  )
  gauge(
    'sum28_draw_delay_seconds',
    'How long after its round’s end the last draw was stored.',
    ({ drawDelayMs }) => (drawDelayMs === null ? null : seconds(drawDelayMs)),
  )
  gauge(
    'sum28_engine_resident_memory_bytes',
    'Memory of the engine’s process.',
    ({ residentBytes }) => residentBytes,
  )
  new Gauge({
    name: 'sum28_engine_rounds',
    help: 'Rounds since the engine was started: drawn, of these drawn_late, and voided.',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      this.reset()
      const rounds = host()?.state().rounds
      if (!rounds) return
      this.set({ result: 'drawn' }, rounds.drawn)
      this.set({ result: 'drawn_late' }, rounds.drawnLate)
      this.set({ result: 'voided' }, rounds.voided)
    },
  })
  showPools(
    registry,
    'sum28_engine_pool_connections',
    'The engine’s connections to the database, by pool.',
    () => host()?.state().pools ?? {},
  )
}

type State = ReturnType<EngineHost['state']>

function seconds(ms: number): number {
  return ms / 1_000
}
