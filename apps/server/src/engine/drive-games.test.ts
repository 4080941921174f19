/** Two engines on one database, on the true schedule, with a clock that the test moves. */
import { drawDigits } from '@sum28/fairness/draw-digits.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Clock, databaseClock } from '#src/adapters/clock/clock.ts'
import { leadership } from '#src/db/leadership.ts'
import { seedKeeper } from '#src/modules/fairness/seeds.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { type BeaconHost, startBeaconHost } from '#testing/hosts/beacon-host.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import {
  FIRST_ROUND,
  moveToDraw,
  moveToSeal,
  openIssue,
  playRound,
  SCHEDULE,
  timeOf,
} from '#testing/product/play-round.ts'
import { eventually } from '#testing/requests/patience.ts'
import { driveGames, type GamesDriver } from './run-engine.ts'

const GAMES = [1, 2, 3, 4]
const ROUND_MS = 210_000

type Opening = { database: TestDatabase; clock: Clock; host: BeaconHost }

/** The first rounds of a day may open. Moving the database's clock moves that of the engines too. */
async function opening(): Promise<Opening> {
  const own = await createTestDatabase()
  await own.moveClock(FIRST_ROUND)
  const clock = databaseClock(own.db)
  await clock.sync()
  const database = {
    ...own,
    async moveClock(at: number) {
      await own.moveClock(at)
      await clock.moved()
    },
  }
  const genesisTime = FIRST_ROUND / 1_000 - 300
  return { database, clock, host: await startBeaconHost({ genesisTime, now: clock.now }) }
}

function start({ database: { db, applicationUrl }, clock, host: { beacon } }: Opening) {
  const { log, lines } = captureLog('info')
  const engine: GamesDriver = driveGames({
    db,
    slowDb: db,
    schedule: SCHEDULE,
    beacon,
    beaconDeadlineMs: 60_000,
    seeds: seedKeeper({ db, cipher: secretCipher('x'.repeat(32)), length: 1_000, roundsADay: 100 }),
    now: clock.now,
    measureClock: clock.sync,
    wait: clock.wait,
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
  const open = await opening()
  return { database: open.database, engines: [start(open), start(open)] as const }
}

type Drawn = { game_id: number; issue: bigint; digits: number[]; seed: string; randomness: string }

function draws({ owner }: TestDatabase): Promise<Drawn[]> {
  return owner.query<Drawn>(
    `select game_id, issue, array[digit_1, digit_2, digit_3] as digits, encode(seed, 'hex') as seed,
       encode(randomness, 'hex') as randomness from rounds.draw order by issue`,
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
  const positions = await database.owner.column<number>(
    'select chain_index from rounds.round where game_id = 1 order by issue',
  )
  expect(positions).toEqual(positions.map((_, index) => index + 1))
}

describe('two engines on one database', () => {
  it('draw each round once, each game driven by one of them, and the other goes on when that one ends', async () => {
    const { database, engines } = await startTwo()
    await playRound({ database })
    await playRound({ database })
    const driversOf = (game: number) =>
      engines.filter(({ did }) => did('opened').some((each) => each.startsWith(`${game} `)))
    for (const game of GAMES) expect(driversOf(game)).toHaveLength(1)
    const [leader] = driversOf(1)
    const heir = engines.find((engine) => engine !== leader)
    await leader?.stop()
    await playRound({ database })
    expect(heir?.did('drawn').some((each) => each.startsWith('1 '))).toBe(true)
    await expectEachDrawnOnce(database, [...engines])
  })

  it('continue after the database was down, for a moment or over several rounds', async () => {
    const { database, engines } = await startTwo()
    await playRound({ database })
    for (const rounds of [0, 3]) {
      const now = await timeOf({ database })
      await database.takeAway()
      await new Promise((over) => setTimeout(over, 300))
      await database.giveBack()
      // The pools may still hold connections that were ended with the database.
      await eventually(() =>
        database.moveClock(now + rounds * ROUND_MS).then(
          () => true,
          () => undefined,
        ),
      )
      await openIssue({ database })
      await playRound({ database })
    }
    await expectNoneForgotten(database)
    await expectEachDrawnOnce(database, [...engines])
    await expectAlwaysTrue(database.owner)
  })
})

it('a settlement that waits for a lock delays no other round of its game: the next ones are sealed, drawn and settled in time', async () => {
  const open = await opening()
  const { database } = open
  const engine = start(open)
  const player = await addPlayer(database)
  const issue = await openIssue({ database })
  const round = { gameId: 1, issue, opensAt: 0, sealsAt: 0, drawsAt: 0 }
  expect(await placeAll(database, [orderFor(player, round)])).toEqual([null])
  const stateOfRound = async () => {
    return database.owner.value<string>(
      'select state from rounds.round where game_id = 1 and issue = $1',
      [issue],
    )
  }
  await moveToSeal({ database })
  await database.owner.transaction(async (holding) => {
    await holding.query('set local idle_in_transaction_session_timeout = 0')
    await holding.query('select from bets.bet where player_id = $1 for update', [player])
    await database.moveClock((await timeOf({ database })) + 33_000)
    // Before the clock goes on: a round that waits for its draw too long is voided.
    await eventually(async () => (await stateOfRound()) === 'drawn')
    for (const _later of [1, 2]) {
      await openIssue({ database })
      await moveToDraw({ database }, await moveToSeal({ database }))
    }
    expect(await stateOfRound()).toBe('drawn')
    // The settlement is not begun again with each turn.
    const waiting = `select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database() and query like '%bets.settle%'`
    expect(await database.owner.query(waiting)).toHaveLength(1)
  })
  await eventually(async () => (await stateOfRound()) === 'settled')
  await engine.stop()
  await expectAlwaysTrue(database.owner)
})

it('an engine that does not drive a game seals its round in place of a driver that has the lead and does nothing', async () => {
  const open = await opening()
  const { database } = open
  // It says nothing more, and must keep the lead however long the rest takes.
  const stuck = leadership(database.applicationUrl, {
    answerMs: 60_000,
    silenceMs: 600_000,
  })
  onTestFinished(() => stuck.close())
  for (const game of GAMES) expect(await stuck.holds(game)).toBe(true)
  const round = await openTestRound(database, { secondsLeft: 0, sealSeconds: 120 })
  const engine = start(open)
  await database.moveClock(round.sealsAt + 3_000)
  const sealed = `select from rounds.round where issue = $1 and state = 'sealed' and sealed_at < draws_at`
  await eventually(() => database.owner.exists(sealed, [round.issue]))
  const replaced = () => engine.did('sealed in the place of a driver that was late')
  await eventually(() => replaced().length > 0)
  expect(replaced()).toEqual([`1 ${round.issue}`])
  expect(engine.did('opened')).toEqual([])
})

type Ended = { state: string; void_reason: string | null; settled_at: unknown }

/** Every round that has ended by now is settled by running engines: drawn, or voided because its book was late. */
async function expectNoneForgotten(database: TestDatabase): Promise<void> {
  const { owner } = database
  const present = new Date(await timeOf({ database }))
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
