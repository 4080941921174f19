/** The checks of the books: all of history after every test that moves money, new rows daily. */
import type { Queryable } from '#src/db/database.ts'
import type { Log } from '#src/process/log.ts'
import { RULES, type Rule } from './rules-of-the-books.ts'

/** Rows this long before the last check are checked again: they may not have been visible then. */
const OVERLAP = '2 days'

/** Before everything. */
const BEGINNING = '-infinity'

const ROWS_NAMED = 20

type Deps = { db: Queryable; log: Log }

/**
 * Checks every rule over all of history, and logs each broken rule with the first rows that break it. It takes longer
 * the more history there is: for the job of a restore, and for tests.
 *
 * @returns the names of the broken rules
 */
export function checkAllBooks(deps: Deps): Promise<string[]> {
  return check(deps, RULES, BEGINNING)
}

/**
 * Checks the rows since the books were last found right, and the present state, and logs each broken rule. As long as
 * a rule is broken, the next check begins where this one did.
 *
 * @returns the names of the broken rules
 */
export async function checkNewBooks({ db, log }: Deps): Promise<string[]> {
  const { since, now } = await db.one<{ since: string; now: string }>(
    `select (through - $1::interval)::text as since, app.now()::text as now from app.books_checked`,
    [OVERLAP],
  )
  const broken = await check(
    { db, log },
    RULES.filter(({ scope }) => scope !== 'whole'),
    since,
  )
  await db.query(
    broken.length === 0
      ? 'update app.books_checked set through = $1, wrong_since = null'
      : 'update app.books_checked set wrong_since = coalesce(wrong_since, $1)',
    [now],
  )
  return broken
}

export function rowsAgainst(
  db: Queryable,
  { sql, scope }: Rule,
  since: string = BEGINNING,
): Promise<object[]> {
  return db.query(sql, scope === 'since' ? [since] : [])
}

async function check({ db, log }: Deps, rules: readonly Rule[], since: string): Promise<string[]> {
  const broken: string[] = []
  for (const rule of rules) {
    const rows = await rowsAgainst(db, rule, since)
    if (rows.length === 0) continue
    broken.push(rule.name)
    log.error(
      {
        rule: rule.name,
        count: rows.length,
        rows: JSON.stringify(rows.slice(0, ROWS_NAMED), asText),
      },
      'the books are wrong',
    )
  }
  if (broken.length === 0) log.info({ rules: rules.length, since }, 'the books are right')
  return broken
}

function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
