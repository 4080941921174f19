/** Two engines on one database, in real time, with rounds of a second and a half. */
import { drawDigits } from '@sum28/fairness/draw-digits.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { leadership } from '#src/db/leadership.ts'
import { seedKeeper } from '#src/modules/fairness/seeds.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { expectAlwaysTrue } from '#testing/always-true.ts'
import { type BeaconHost, startBeaconHost } from '#testing/beacon-host.ts'
import { captureLog } from '#testing/captured-log.ts'
import { eventually, machineWait } from '#testing/eventually.ts'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/fixtures.ts'
import { FIRST_ROUND } from '#testing/play-round.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { driveGames, type GamesDriver } from './run-engine.ts'

const GAMES = [1, 2]

/** Whatever the time of day is, these rounds are of a morning. */
const AHEAD = FIRST_ROUND - Date.now()
const now = () => Date.now() + AHEAD

async function databaseAtOpening(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await database.moveClock(now())
  return database
}

function start({ db, applicationUrl }: TestDatabase, { beacon }: BeaconHost) {
  const { log, lines } = captureLog('info')
  const engine: GamesDriver = driveGames({
    db,
    slowDb: db,
    schedule: {
      timeZone: 'Asia/Singapore',
      opensMinute: 600,
      closesMinute: 1_560,
      roundMs: 1_500,
      // A slow machine needs some of it to seal a round before its end.
      sealMs: 1_000,
    },
    beacon,
    beaconDeadlineMs: 60_000,
    seeds: seedKeeper({ db, cipher: secretCipher('x'.repeat(32)), length: 1_000, roundsADay: 100 }),
    now,
    wait: machineWait,
    log,
    roundChanged() {},
    // A busy machine may be slow to ask and to answer: the lead is lost only with its connection, as tests want.
    leadership: leadership(applicationUrl, { answerMs: 60_000, silenceMs: 600_000 }),
    gameIds: GAMES,
  })
  let ended: Promise<void> | null = null
  const stop = () => {
    ended ??= engine.stop()
    return ended
  }
  onTestFinished(stop)
  return {
    stop,
    /** The rounds in which this engine made a step, as `game issue`. */
    did: (step: string): string[] =>
      lines
        .map((line) => JSON.parse(line) as { msg: string; gameId: number; issue: string })
        .filter(({ msg }) => msg === step)
        .map(({ gameId, issue }) => `${gameId} ${issue}`),
  }
}

async function startTwo() {
  const database = await databaseAtOpening()
  const host = await startBeaconHost({
    genesisTime: Math.floor(FIRST_ROUND / 1_000) - 100,
    now,
    period: 1,
  })
  return { database, engines: [start(database, host), start(database, host)] as const }
}

type Drawn = { game_id: number; issue: bigint; digits: number[]; seed: string; randomness: string }

function draws({ owner }: TestDatabase): Promise<Drawn[]> {
  return owner.query<Drawn>(
    `select game_id, issue, array[digit_1, digit_2, digit_3] as digits, encode(seed, 'hex') as seed,
       encode(randomness, 'hex') as randomness from rounds.draw order by issue`,
  )
}

/** Waits for this many more draws. */
async function moreDraws(database: TestDatabase, count: number): Promise<void> {
  const before = (await draws(database)).length
  await eventually(async () =>
    (await draws(database)).length >= before + count ? true : undefined,
  )
}

async function expectEachDrawnOnce(database: TestDatabase, engines: ReturnType<typeof start>[]) {
  await Promise.all(engines.map(({ stop }) => stop()))
  const stored = await draws(database)
  const reported = engines.flatMap(({ did }) => did('drawn'))
  expect(new Set(reported).size).toBe(reported.length)
  // If a connection broke, a draw may be stored although its answer was lost.
  expect(stored.map(({ game_id, issue }) => `${game_id} ${issue}`)).toEqual(
    expect.arrayContaining(reported),
  )
  for (const { game_id: gameId, issue, digits, seed, randomness } of stored) {
    expect(digits).toEqual(drawDigits({ gameId, issue: String(issue), seed, randomness }))
  }
  const positions = await database.owner.query<{ chain_index: number }>(
    'select chain_index from rounds.round where game_id = 1 order by issue',
  )
  expect(positions.map(({ chain_index }) => chain_index)).toEqual(
    positions.map((_, index) => index + 1),
  )
}

describe('two engines on one database', () => {
  it('draw each round once, and each game is driven by one of them', async () => {
    const { database, engines } = await startTwo()
    await moreDraws(database, 4)
    await expectEachDrawnOnce(database, [...engines])
    for (const game of GAMES) {
      const drivers = engines.filter(({ did }) =>
        did('opened').some((each) => each.startsWith(`${game} `)),
      )
      expect(drivers).toHaveLength(1)
    }
  })

  it('take over from each other when one ends', async () => {
    const { database, engines } = await startTwo()
    await moreDraws(database, 2)
    const [first, second] = engines
    const leader = first.did('opened').length > 0 ? first : second
    const heir = leader === first ? second : first
    await leader.stop()
    await moreDraws(database, 3)
    expect(heir.did('drawn').length).toBeGreaterThan(0)
    await expectEachDrawnOnce(database, [...engines])
  })

  it('continue when the connections that hold their lead are killed, repeatedly', async () => {
    const { database, engines } = await startTwo()
    for (const _time of [1, 2, 3]) {
      await moreDraws(database, 1)
      await database.owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'sum28 engine' and datname = current_database()`,
      )
    }
    await moreDraws(database, 2)
    await expectEachDrawnOnce(database, [...engines])
  })
  it('continue after the database was down, for a moment or over several rounds', async () => {
    const { database, engines } = await startTwo()
    await moreDraws(database, 2)
    for (const awayMs of [300, 2_500]) {
      await database.takeAway()
      await new Promise((over) => setTimeout(over, awayMs))
      await database.giveBack()
      await eventually(() =>
        draws(database).then(
          () => true,
          () => undefined,
        ),
      )
      await moreDraws(database, 2)
    }
    await expectNoneForgotten(database)
    await expectEachDrawnOnce(database, [...engines])
    await expectAlwaysTrue(database.owner)
  })
})

describe('a settlement that waits for a lock', () => {
  // A busy machine may void the round instead: its refund then waits for the same lock.
  it('delays no other round of its game: the next ones are sealed, drawn and settled in time', async () => {
    const database = await databaseAtOpening()
    const host = await startBeaconHost({
      genesisTime: Math.floor(FIRST_ROUND / 1_000) - 100,
      now,
      period: 1,
    })
    const engine = start(database, host)
    const player = await addPlayer(database)
    const betOnOpen = async () => {
      const [open] = await database.owner.query<{ issue: string }>(
        `select issue::text from rounds.round where game_id = 1 and state = 'open'`,
      )
      if (!open) return undefined
      const round = { gameId: 1, issue: open.issue, opensAt: 0, sealsAt: 0, drawsAt: 0 }
      const [reason] = await placeAll(database, [orderFor(player, round)])
      return reason === null ? open.issue : undefined
    }
    const isSettled = async (issue: string) => {
      const [round] = await database.owner.query(
        'select from rounds.round where game_id = 1 and issue = $1 and settled_at is not null',
        [issue],
      )
      return round !== undefined
    }
    /** Holds the bet until two later rounds are settled; false if its own round was settled before the lock. */
    const hold = (issue: string) =>
      database.owner.transaction(async (holding) => {
        await holding.query('set local idle_in_transaction_session_timeout = 0')
        await holding.query('select from bets.bet where player_id = $1 for update', [player])
        if (await isSettled(issue)) return false
        await eventually(async () => {
          const later = await database.owner.query(
            `select from rounds.round where game_id = 1 and issue > $1 and state = 'settled'`,
            [issue],
          )
          return later.length >= 2 || undefined
        })
        expect(await isSettled(issue)).toBe(false)
        return true
      })
    let issue: string
    do issue = await eventually(betOnOpen)
    while (!(await hold(issue)))
    await eventually(async () => (await isSettled(issue)) || undefined)
    await engine.stop()
    await expectAlwaysTrue(database.owner)
  })
})

describe('an engine that does not drive a game', () => {
  it('seals its round in place of a driver that has the lead and does nothing', async () => {
    const database = await databaseAtOpening()
    const host = await startBeaconHost({
      genesisTime: Math.floor(FIRST_ROUND / 1_000) - 100,
      now,
      period: 1,
    })
    // It says nothing more, and must keep the lead however long the rest takes.
    const stuck = leadership(database.applicationUrl, {
      answerMs: 60_000,
      silenceMs: 600_000,
    })
    onTestFinished(() => stuck.close())
    for (const game of GAMES) expect(await stuck.holds(game)).toBe(true)
    const round = await openTestRound(database, { secondsLeft: 0, sealSeconds: 120 })
    const engine = start(database, host)
    await eventually(async () => {
      const [row] = await database.owner.query<{ state: string }>(
        'select state from rounds.round where issue = $1 and sealed_at < draws_at',
        [round.issue],
      )
      return row?.state === 'sealed' || undefined
    })
    const replaced = () => engine.did('sealed in the place of a driver that was late')
    await eventually(() => replaced().length > 0 || undefined)
    expect(replaced()).toEqual([`1 ${round.issue}`])
    expect(engine.did('opened')).toEqual([])
  })
})

type Ended = { state: string; void_reason: string | null; settled_at: unknown }

/** Every round that has ended by now is settled by running engines: drawn, or voided because its book was late. */
async function expectNoneForgotten({ owner }: TestDatabase): Promise<void> {
  const present = new Date(now())
  const ended = await eventually(async () => {
    const rounds = await owner.query<Ended>(
      'select state, void_reason, settled_at from rounds.round where draws_at < $1',
      [present],
    )
    return rounds.every(({ settled_at: at }) => at !== null) ? rounds : undefined
  })
  for (const { state, void_reason: reason } of ended) {
    expect([
      ['settled', null],
      ['voided', 'sealed_late'],
    ]).toContainEqual([state, reason])
  }
}
