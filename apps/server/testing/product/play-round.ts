/**
 * Time in a test's hands: the product's rounds are those of its true schedule, and the test moves the clock to their
 * seal and their draw. All four games run in step.
 */

import { MICRO } from '@sum28/domain/money.ts'
import type { ScheduleRules } from '@sum28/domain/schedule.ts'
import { only } from '#src/db/database.ts'
import type { Order } from '#src/modules/bets/place-bet.ts'
import type { TestRound } from '../database/fixtures.ts'
import { answerAfter } from '../database/simultaneous-calls.ts'
import type { TestDatabase } from '../database/test-database.ts'
import { eventually } from '../requests/patience.ts'
import { SECRET_KEY, SEED_KEY } from './secret-key.ts'

/** Twenty seconds after the first rounds of a game day opened in Singapore, for the product's start. */
export const FIRST_ROUND = Date.UTC(2026, 10, 20, 2, 0, 20)

export const TRUE_SCHEDULE = {
  GAME_TIMEZONE: 'Asia/Singapore',
  OPENING_HOURS: '10:00-02:00',
  ROUND_SECONDS: '210',
  SEAL_SECONDS: '30',
  // With it the beacon began long ago, and not when the product is started.
  SECRET_KEY,
  SEED_KEY,
}

const ROUND_MS = Number(TRUE_SCHEDULE.ROUND_SECONDS) * 1_000
const SEAL_MS = Number(TRUE_SCHEDULE.SEAL_SECONDS) * 1_000

/** {@link TRUE_SCHEDULE}, for parts that take a schedule. */
export const SCHEDULE: ScheduleRules = {
  timeZone: TRUE_SCHEDULE.GAME_TIMEZONE,
  opensMinute: 600,
  closesMinute: 1_560,
  roundMs: ROUND_MS,
  sealMs: SEAL_MS,
}

/** The same, with rounds at each hour. */
export const ALL_DAY: ScheduleRules = { ...SCHEDULE, opensMinute: 0, closesMinute: 1_440 }

/** A beacon value comes at most this long after the end of the round that waits for it, in milliseconds. */
const BEACON_MS = 3_000

/** A running product, by its database. */
type Product = { readonly database: TestDatabase }

const HOUR_MS = 3_600_000

/**
 * Twenty seconds after the next game day's first rounds open, if no round is open now or the day's last rounds are
 * near; null otherwise.
 */
export async function morningAfter(product: Product): Promise<number | null> {
  const sinceOpening = ((await timeOf(product)) - FIRST_ROUND) / HOUR_MS
  return sinceOpening % 24 < 15 ? null : FIRST_ROUND + Math.ceil(sinceOpening / 24) * 24 * HOUR_MS
}

type RoundTimes = { issue: string; state: string; sealsAt: number; drawsAt: number }

const TIMES = `select issue::text, state::text, extract(epoch from seals_at)::float8 * 1000 as "sealsAt",
  extract(epoch from draws_at)::float8 * 1000 as "drawsAt"`

/** The product's time, in milliseconds since 1970. */
export async function timeOf({ database }: Product): Promise<number> {
  return database.owner.value<number>(`select extract(epoch from app.now())::float8 * 1000 as now`)
}

/** The number of the round that is open in all games; waits until the engine has opened it. */
export async function openIssue({ database }: Product): Promise<string> {
  const { issue } = await openRounds(database)
  return issue
}

/**
 * The number of a round that accepts bets in all games for so many more seconds. If the running one is too near its
 * seal, or staff voided it in a game, it is played to its end. If a test before has moved the clock past a seal or a
 * draw, whatever the engine makes of that round is its end. The next one is meant then.
 */
export async function openIssueFor(product: Product, seconds: number): Promise<string> {
  for (;;) {
    const { issue, sealsAt, drawsAt, open, ended } = await latestRounds(product)
    const now = await timeOf(product)
    if (open && sealsAt - now >= seconds * 1000) return issue
    if (ended) {
      // Nothing opens before a round's end that was void early, nor in the last seconds of one that nobody opened.
      const beginsAt = drawsAt + Math.max(0, Math.ceil((now - drawsAt) / ROUND_MS)) * ROUND_MS
      const opensLater = now < drawsAt || beginsAt - now <= SEAL_MS
      if (opensLater) await product.database.moveClock(beginsAt)
      await eventually(async () => (await latestRounds(product)).issue !== issue)
    } else if (now < sealsAt) {
      await playToEnd(product, issue)
    } else {
      const latestThat = (isSo: (latest: LatestRounds) => boolean) =>
        eventually(async () => {
          const latest = await latestRounds(product)
          return latest.issue !== issue || isSo(latest)
        })
      await latestThat(({ closed }) => closed)
      await reach(product, drawsAt + BEACON_MS)
      await latestThat((latest) => latest.ended)
    }
  }
}

type LatestRounds = RoundTimes & {
  /** In all games. */
  open: boolean
  /** In all games: sealed, or further. */
  closed: boolean
  /** In all games: settled or void. */
  ended: boolean
}

/** Waits for the games whose round has not been opened yet, unless the clock has been moved past it. */
function latestRounds({ database }: Product): Promise<LatestRounds> {
  return eventually(async () => {
    const [latest] = await database.owner.query<LatestRounds & { whole: boolean }>(
      `${TIMES}, bool_and(state = 'open') over round as open,
         bool_and(state <> 'open') over round as closed,
         bool_and(state in ('settled', 'voided')) over round as ended,
         count(*) over round = 4 or app.now() >= seals_at as whole
       from rounds.round window round as (partition by draws_at) order by draws_at desc limit 1`,
    )
    return latest?.whole ? latest : undefined
  })
}

/** Moves the clock to the seal of the running rounds, and waits until their books are closed. */
export async function moveToSeal(product: Product): Promise<string> {
  const { issue, sealsAt } = await openRounds(product.database)
  await product.database.moveClock(sealsAt)
  await untilAll(product, issue, ['sealed'])
  return issue
}

/** Moves the clock past the draw of sealed rounds, and waits until they are settled. */
export async function moveToDraw(product: Product, issue: string): Promise<void> {
  const { drawsAt } = await timesOf(product, issue)
  await reach(product, drawsAt + BEACON_MS)
  await untilAll(product, issue, ['settled'])
}

/** Moves the clock to this time, unless it is later already. */
async function reach(product: Product, at: number): Promise<void> {
  if ((await timeOf(product)) < at) await product.database.moveClock(at)
}

async function timesOf({ database }: Product, issue: string): Promise<RoundTimes> {
  return only(
    await database.owner.query<RoundTimes>(
      `${TIMES} from rounds.round where issue = $1 and game_id = 1`,
      [issue],
    ),
  )
}

/**
 * Plays an open round of all games to its end.
 *
 * @param act what the test does before the seal: bets, mostly
 * @param seconds for so long the round accepts bets, at least
 * @returns the round's number
 */
export async function playRound(
  product: Product,
  act: (issue: string) => unknown = () => {},
  seconds = 60,
): Promise<string> {
  const issue = await openIssueFor(product, seconds)
  await act(issue)
  await playToEnd(product, issue)
  return issue
}

async function playToEnd(product: Product, issue: string): Promise<void> {
  const { sealsAt } = await timesOf(product, issue)
  await reach(product, sealsAt)
  await untilAll(product, issue, ['sealed', 'drawn', 'settled'])
  await moveToDraw(product, issue)
}

function openRounds(database: TestDatabase): Promise<RoundTimes> {
  return eventually(async () => {
    const rounds = await database.owner.query<RoundTimes>(
      `${TIMES} from rounds.round where state = 'open' and app.now() >= opens_at and app.now() < seals_at`,
    )
    return rounds.length === 4 ? rounds[0] : undefined
  })
}

/**
 * Waits until the round is in one of the states in all games. A void one fails the test, unless two persons of it have
 * voided the round.
 */
async function untilAll(
  { database }: Product,
  issue: string,
  states: readonly string[],
): Promise<void> {
  await eventually(async () => {
    const rounds = await database.owner.query<{ state: string; done: boolean }>(
      `select state::text, sealed_at is not null and state <> 'voided' as done
       from rounds.round where issue = $1 and void_reason is distinct from 'two_persons'`,
      [issue],
    )
    if (rounds.some(({ state }) => state === 'voided')) throw new Error(`round ${issue} is void`)
    return rounds.every(({ state, done }) => done && states.includes(state))
  })
}

/** Acts 1 ms before a round's end, or another moment, while somebody else holds the round until then. */
export async function heldUntilTheEnd<Answer>(
  database: TestDatabase,
  round: { issue: string; drawsAt: number },
  act: () => Promise<Answer>,
  end = round.drawsAt,
): Promise<Answer> {
  await database.freezeClock(end - 1)
  return answerAfter(database, {
    first: (tx) =>
      tx.query('select from rounds.round where issue = $1 for no key update', [round.issue]),
    second: act,
    whileWaiting: () => database.freezeClock(end),
  })
}

/** An order as a request makes it: by default 100 u on long in the game's basic room, without a key. */
export function betOrder(
  playerId: number,
  { gameId, issue }: Pick<TestRound, 'gameId' | 'issue'>,
  change: Partial<Order> = {},
): Order {
  return {
    playerId,
    gameId,
    roomId: gameId * 10 + 1,
    issue,
    ruleIds: [1],
    stake: 100n * MICRO,
    followId: null,
    idempotencyKey: null,
    ...change,
  }
}
