/** The messages between the server and its engine, which is a separate process. */
import type { ScheduleRules } from '@sum28/domain/schedule.ts'
import type { Limits } from '#src/db/limits.ts'
import type { PoolUse } from '#src/metrics.ts'

/** All that the engine needs; it reads no environment and no files. */
export type EngineSettings = {
  /** The database address for the application's role. */
  databaseUrl: string
  schedule: ScheduleRules
  /** How long to wait for a beacon's value, for rounds that are opened from now on. */
  beaconDeadlineMs: number
  /** The operator's own beacon, which the engine then serves to itself; null: drand. */
  localBeacon: { secretHex: string; genesisTime: number } | null
  secretKey: string
  secretKeysPrevious: readonly string[]
  gameIds: readonly number[]
  /** Seeds in a new chain; the real length by default. */
  seedChainLength?: number
  /** How often the database's clock is read; by default as in the server. */
  clockSyncMs?: number
  /** Longer time limits of the database, in tests. */
  limits?: Partial<Limits>
  /** How long without an answer until an engine has lost the lead; shorter in tests. */
  leadSilenceMs?: number
}

export type ToEngine = { kind: 'start'; settings: EngineSettings } | { kind: 'stop' }

export type FromEngine =
  | { kind: 'log'; level: 'debug' | 'info' | 'warn' | 'error'; facts: object; text: string }
  | { kind: 'step'; gameId: number }
  | ({ kind: 'beat' } & EngineState)

/** The engine's state, as it reports it. */
export type EngineState = {
  /** Milliseconds since each game was last driven, or found to be driven by another process; the longest of them. */
  ageMs: number
  /** How late the loop's timers fired since the last report, in milliseconds. */
  loopDelayMs: { mean: number; p99: number; max: number }
  /** How far the beacon was ahead of the database's clock, in milliseconds; null while unknown. */
  beaconAheadMs: number | null
  /** Whether betting is stopped because the two clocks disagree. */
  clocksApart: boolean
  /** What this process has done since its start. */
  rounds: RoundCounts
  /** How long after the round's end the last draw was stored, in milliseconds; null before the first. */
  drawDelayMs: number | null
  pools: { prompt: PoolUse; slow: PoolUse }
  /** Its memory, in bytes. */
  residentBytes: number
}

export type RoundCounts = {
  drawn: number
  /** Drawn later than {@link LATE_DRAW_MS} after the round's end. */
  drawnLate: number
  voided: number
}

/** A draw that is stored this long after its round's end is late: a beacon's value takes some seconds. */
export const LATE_DRAW_MS = 10_000

/** How often the engine reports its state. */
export const BEAT_MS = 500
