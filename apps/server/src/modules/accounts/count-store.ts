/** Counts events that are limited, in the database: for all processes, and across restarts. */
import { createHash } from 'node:crypto'
import type { Queryable } from '#src/db/database.ts'
import { networksOf } from '#src/formats/network-of.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'

/** The owner of the count: a hash, so that no name and no address is stored. */
export type CountKey = Buffer

/** Whether the window of $3 seconds is over: also of one that began on a clock that was ahead, and is set back. */
const ENDED =
  '(counter.since <= app.now() - make_interval(secs => $3) or counter.since > app.now())'

/**
 * Counts one event, at most `max` within `seconds` of the first.
 *
 * @param limit `by`: 0 for an event that takes as long and is refused as one that counts, and does not
 * @returns 0 if it was counted, else the seconds until another is allowed
 */
export async function countWithin(
  db: Queryable,
  { key, max, seconds, by = 1 }: { key: CountKey; max: number; seconds: number; by?: 0 | 1 },
): Promise<number> {
  const counted = await db.query(
    `insert into accounts.counter as counter (key, tries) values ($1, $4)
     on conflict (key) do update set last_at = app.now(),
       since = case when ${ENDED} then app.now() else counter.since end,
       tries = $4 + case when ${ENDED} then 0 else counter.tries end
     where counter.tries < $2 or ${ENDED}
     returning key`,
    [key, max, seconds, by],
  )
  if (counted.length > 0) return 0
  return secondsUntil(db, `since + make_interval(secs => $2)`, [key, seconds])
}

/** Whether so many events were counted within `seconds` of the first. */
export function haveCounted(
  db: Queryable,
  { key, tries, seconds }: { key: CountKey; tries: number; seconds: number },
): Promise<boolean> {
  return db.exists(`select from accounts.counter where key = $1 and tries >= $2 and not ${ENDED}`, [
    key,
    tries,
    seconds,
  ])
}

/**
 * Counts one event for a network, at most `max` within `seconds` of the first, and for the networks around it, which
 * may have more (`networksOf`).
 *
 * @param limit `keyOf` makes the key of a network's count from its name
 * @returns the keys of the counts, or the seconds until another is allowed: then nothing was counted
 */
export async function countOfNetwork(
  db: Queryable,
  network: string,
  limit: { keyOf: (network: string) => CountKey; max: number; seconds: number },
): Promise<CountKey[] | number> {
  const counted: CountKey[] = []
  for (const { name, share } of networksOf(network)) {
    const key = limit.keyOf(name)
    const { max, seconds } = limit
    const wait = await countWithin(db, { key, max: max * share, seconds })
    if (wait > 0) {
      if (counted.length > 0) await countBack(db, counted)
      return wait
    }
    counted.push(key)
  }
  return counted
}

/**
 * Counts one event: the first `free` ones at once, then each only after a wait since the last. The wait doubles from
 * a second up to `waitMax` seconds. A day without any event resets the count.
 *
 * @returns 0 if it was counted, else the seconds to wait
 */
export async function countWithWait(
  db: Queryable,
  { key, free, waitMax }: { key: CountKey; free: number; waitMax: number },
): Promise<number> {
  const counted = await db.query(
    `insert into accounts.counter as counter (key) values ($1)
     on conflict (key) do update set last_at = app.now(),
       tries = case when counter.last_at <= app.now() - interval '1 day' then 1 else counter.tries + 1 end
     where counter.last_at + accounts.wait_after(counter.tries, $2, $3) <= app.now()
       or counter.last_at > app.now()
     returning key`,
    [key, free, waitMax],
  )
  if (counted.length > 0) return 0
  return secondsUntil(db, `last_at + accounts.wait_after(tries, $2, $3)`, [key, free, waitMax])
}

async function secondsUntil(
  db: Queryable,
  moment: string,
  values: readonly unknown[],
): Promise<number> {
  const [seconds = 1] = await db.column<number>(
    `select ceil(extract(epoch from ${moment} - app.now()))::float8
     from accounts.counter where key = $1`,
    values,
  )
  return Math.max(1, seconds)
}

const DAY_SECONDS = 86_400

/**
 * Counts one event of a player, at most `max` a day. Call it in the transaction of the event: if that is refused,
 * nothing is counted.
 *
 * @param event in the plural, such as `changes of limits`
 * @returns null if it was counted, or too_many_requests with the seconds until another is allowed
 */
export async function countOfDay(
  db: Queryable,
  { playerId, event, max }: { playerId: number; event: string; max: number },
): Promise<Refusal | null> {
  const key = createHash('sha256').update(`${event} of ${playerId}`).digest()
  const wait = await countWithin(db, { key, max, seconds: DAY_SECONDS })
  return wait > 0 ? refuse('too_many_requests', { retry_after: wait }) : null
}

/** Removes one event again, because it turned out to be right. */
export async function countBack(db: Queryable, keys: readonly CountKey[]): Promise<void> {
  await db.query(
    `update accounts.counter set tries = tries - 1 where key = any ($1::bytea[]) and tries > 0`,
    [keys],
  )
}

export async function forgetCounts(db: Queryable, keys: readonly CountKey[]): Promise<void> {
  await db.query(`delete from accounts.counter where key = any ($1::bytea[])`, [keys])
}
