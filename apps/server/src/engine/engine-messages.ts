/** What the server and its engine, which is a process of its own, say to each other. */
import type { ScheduleRules } from '@sum28/domain/schedule.ts'
import type { PoolUse } from '#src/metrics.ts'

/** All that the engine needs; it reads neither environment nor files. */
export type EngineSettings = {
  /** Where the application's role connects. */
  databaseUrl: string
  schedule: ScheduleRules
  /** How long a beacon's value is waited for in rounds that are opened from now on. */
  beaconDeadlineMs: number
  /** The operator's own beacon, which the engine then serves to itself; null: drand's. */
  localBeacon: { secretHex: string; genesisTime: number } | null
  secretKey: string
  secretKeysPrevious: readonly string[]
  gameIds: readonly number[]
  /** Seeds in a new chain; the true length unless told. */
  seedChainLength?: number
  /** How often the database's clock is read; as the server unless told. */
  clockSyncMs?: number
  /** After how long of silence an engine has lost the lead; shorter in tests. */
  leadSilenceMs?: number
}

export type ToEngine = { kind: 'start'; settings: EngineSettings } | { kind: 'stop' }

export type FromEngine =
  | { kind: 'log'; level: 'debug' | 'info' | 'warn' | 'error'; facts: object; text: string }
  | { kind: 'step'; gameId: number }
  | ({ kind: 'beat' } & EngineState)

/** How the engine is, by its own account. */
export type EngineState = {
  /** Since each game was last driven through, or found led by another process; the longest, in milliseconds. */
  ageMs: number
  /** How much later than they should have the loop's timers come since the last beat, in milliseconds. */
  loopDelayMs: { mean: number; p99: number; max: number }
  /** By how much the beacon was ahead of the database's clock, in milliseconds; null while unknown. */
  beaconAheadMs: number | null
  /** Whether betting is stopped because the two disagree. */
  clocksApart: boolean
  /** What this process has done since it was started. */
  rounds: RoundCounts
  /** How late the last draw was stored after the round's end, in milliseconds; null before the first. */
  drawDelayMs: number | null
  pools: { prompt: PoolUse; slow: PoolUse }
  /** Of its memory, in bytes. */
  residentBytes: number
}

export type RoundCounts = {
  drawn: number
  /** Drawn later than {@link LATE_DRAW_MS} after the round's end. */
  drawnLate: number
  voided: number
}

/** A draw that is stored so long after its round's end is late: a beacon's value takes some seconds. */
export const LATE_DRAW_MS = 10_000

/** How often the engine says how it is. */
export const BEAT_MS = 500
