/** One game driven by hand, on a clock that the test sets, with a beacon over HTTP. */
import { MICRO } from '@sum28/domain/money.ts'
import { drawDigits } from '@sum28/fairness/draw-digits.ts'
import { expect } from 'vitest'
import type { Beacon } from '#src/adapters/beacon/beacon.ts'
import type { Database } from '#src/db/database.ts'
import { type EngineDeps, gameDriver, soonest } from '#src/engine/game-engine.ts'
import { seedKeeper } from '#src/modules/fairness/seeds.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { addPlayer, orderFor, placeAll } from '../database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { type BeaconHost, startBeaconHost } from '../hosts/beacon-host.ts'
import { machineWait } from '../requests/patience.ts'
import { captureLog } from './captured-log.ts'
import { SCHEDULE } from './play-round.ts'

/** 10:00 in Singapore: the first round of the game day opens. */
export const OPENING = Date.UTC(2026, 10, 20, 2)
const FIRST_ISSUE = '20261120001'
export const KEY = 'a secret key of at least thirty-two characters'
const SECOND = 1_000

type Driving = {
  key?: string
  aborted?: boolean
  db?: Database
  beacon?: Beacon
  /** Settings that this engine was started with instead of the defaults. */
  setting?: { beaconDeadlineMs?: number; patienceMs?: number }
}

export type DrivenGame = Awaited<ReturnType<typeof driveByHand>>

/** Rounds of 210 s that are sealed at 180 s, from 10:00 to 02:00, by default. */
export async function driveByHand({
  beaconDeadlineMs = 600_000,
  schedule = {},
}: {
  beaconDeadlineMs?: number
  schedule?: { roundMs?: number; opensMinute?: number; closesMinute?: number }
} = {}) {
  const database = await createTestDatabase()
  let moment = OPENING
  // The beacon is not ours: its clock may differ.
  let beaconAheadMs = 0
  const host: BeaconHost = await startBeaconHost({
    genesisTime: OPENING / SECOND - 3_600,
    now: () => moment + beaconAheadMs,
  })
  const { log, lines } = captureLog()
  const seedsFor = (key: string, db: Database = database.db) =>
    seedKeeper({ db, cipher: secretCipher(key), length: 100, roundsADay: 10 })
  const deps = {
    db: database.db,
    schedule: { ...SCHEDULE, ...schedule },
    beaconDeadlineMs,
    // The clock stands still while a step waits: as long as a slow machine may need.
    patienceMs: 30_000,
    now: () => moment,
    measureClock: async () => {},
    wait: machineWait,
    log,
    roundChanged() {},
  }

  /** Sets the clock to this many seconds after the opening, and nothing else. */
  async function clockAt(seconds: number, { beaconAhead = 0 } = {}): Promise<void> {
    moment = OPENING + seconds * SECOND
    beaconAheadMs = beaconAhead * SECOND
    await database.freezeClock(moment)
  }

  /** Does what is due now, like the engine of a newly started process. */
  function drive({
    key = KEY,
    aborted = false,
    db = database.db,
    beacon = host.beacon,
    setting = {},
  }: Driving = {}): Promise<number> {
    const signal = aborted ? AbortSignal.abort() : new AbortController().signal
    const engine = { ...deps, ...setting, db, slowDb: db, beacon, seeds: seedsFor(key, db) }
    return driveGame(engine, 1, signal)
  }

  return {
    database,
    host,
    lines,
    clockAt,
    drive,
    /** What the clock watch needs. */
    watched: { ...deps, db: database.db, beacon: host.beacon, gameIds: [1], answerMs: 30_000 },
    /** Sets the clock and does what is due. */
    async driveAt(seconds: number, how: Driving = {}): Promise<number> {
      await clockAt(seconds)
      return drive(how)
    },
    seedOf: (chainId: number, index: number) => seedsFor(KEY).seedOf(chainId, index),
    /** The digits that follow from the announced inputs, computed from the operator's data and the real beacon. */
    async announcedDigits(row: Row): Promise<readonly number[]> {
      const beaconRound = Number(row.beacon_round)
      // Whatever the test's clock shows now, the beacon uses its own time.
      const before = moment
      moment = Math.max(moment, Number(row.draws_at) + 3 * SECOND)
      const value = host.source.releasedValue(beaconRound)
      moment = before
      const seed = await seedsFor(KEY).seedOf(Number(row.chain_id), Number(row.chain_index))
      return digitsBy({ ...row, seed, randomness: value?.randomness ?? '' })
    },
  }
}

export type Row = Record<string, unknown>

const ROUND = `select round.*, array[digit_1, digit_2, digit_3] as digits, encode(draw.seed, 'hex') as seed,
    encode(randomness, 'hex') as randomness, encode(commitment, 'hex') as commitment
  from rounds.round left join rounds.draw using (game_id, issue)
  join fairness.chain on chain.id = chain_id`

/** A round of the first game with its draw; by default the first round. */
export async function roundRow({ owner }: TestDatabase, issue = FIRST_ISSUE): Promise<Row> {
  const [row] = await owner.query<Row>(`${ROUND} where round.issue = $1`, [issue])
  return row ?? {}
}

/** All rounds of the first game, in order. */
export function roundRows({ owner }: TestDatabase): Promise<Row[]> {
  return owner.query<Row>(`${ROUND} where round.game_id = 1 order by issue`)
}

/** A player with 1,000 u who bets 100 on long and 100 on short, by default in the first round. */
export async function addBettor(database: TestDatabase, issue = FIRST_ISSUE): Promise<number> {
  const player = await addPlayer(database)
  expect(await bet(database, player, issue)).toBeNull()
  return player
}

/** Bets 100 on long and 100 on short; returns the reason of a refusal. */
export async function bet(
  database: TestDatabase,
  player: number,
  issue: string,
): Promise<string | null> {
  const round = { gameId: 1, issue, opensAt: 0, sealsAt: 0, drawsAt: 0 }
  const [reason] = await placeAll(database, [orderFor(player, round, { ruleIds: [1, 2] })])
  return reason ?? null
}

/**
 * The balance of {@link addBettor}'s player after a draw, and after a void: 100 of 200 staked paid 192, or all came
 * back.
 */
export const PAID = 992n * MICRO
export const REFUNDED = 1_000n * MICRO

/** The digits that anybody can compute from the published data, with the fairness package. */
export function digitsBy(row: Row): readonly number[] {
  return drawDigits({
    gameId: 1,
    issue: String(row.issue),
    seed: String(row.seed),
    randomness: String(row.randomness),
  })
}

/**
 * Does everything that is due in one game, and waits for all of it.
 *
 * @returns the milliseconds until something is due again
 * @throws the first step's error, after all other steps have ended
 */
async function driveGame(deps: EngineDeps, gameId: number, signal: AbortSignal): Promise<number> {
  const steps = await Promise.allSettled(await gameDriver(deps, gameId).turn(signal))
  return soonest(steps)
}
