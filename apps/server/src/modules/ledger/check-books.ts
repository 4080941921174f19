/** The checks of the books: all of history after every test that moves money, new rows daily. */
import type { Queryable } from '#src/db/database.ts'
import type { Log } from '#src/process/log.ts'
import { RULES, type Rule } from './rules-of-the-books.ts'

/** Rows of so many days before the last check are checked again: they may not have been visible then. */
const OVERLAP_DAYS = 2

/** A delayed round is settled within so many days. */
const DELAY_DAYS = 7

/** Before everything, and after it. */
const BEGINNING = '-infinity'
const END = 'infinity'

const ROWS_NAMED = 20

type Deps = { db: Queryable; log: Log }

/** From a day to a day, with both. */
type Days = { from: string; to: string }

/**
 * Checks every rule over all of history, day by day, and logs each broken rule with the first rows that break it. It takes
 * longer the more history there is: for the job of a restore, and for tests.
 *
 * @param order what it is done for. If that was begun and interrupted, it goes on after the last day that was right as
 *   all before it
 * @returns the names of the broken rules
 */
export async function checkAllBooks(deps: Deps, order = ''): Promise<string[]> {
  const { db } = deps
  const begun = await db.first<{ since: string }>(
    'select (whole_through + 1)::text as since from app.books_checked where whole_order = $1',
    [order],
  )
  const since = begun?.since ?? BEGINNING
  const { look, end } = lookForBroken(deps)
  for (const days of await daysSince(db, since)) {
    const broken = await look(['days', 'rounds'], days)
    if (broken.size > 0) continue
    // More may come to the last days: those are checked again.
    await db.query(
      `update app.books_checked
       set whole_order = $1, whole_through = least($2::date, app.now()::date - $3::integer)`,
      [order, days.to, OVERLAP_DAYS + DELAY_DAYS],
    )
  }
  await look(['now', 'whole'])
  await db.query('update app.books_checked set whole_order = null, whole_through = null')
  return end({ whole: true, order, since })
}

/**
 * Checks the rows since the books were last found right, day by day, and the present state, and logs each broken rule. As
 * long as a row is wrong, the next check begins where this one did.
 *
 * @returns the names of the broken rules
 */
export async function checkNewBooks(deps: Deps): Promise<string[]> {
  const { db } = deps
  const { since, delayed, now } = await db.one<{ since: string; delayed: string; now: string }>(
    `select since::text, (since - $2::integer)::text as delayed, app.now()::text as now
     from (select through::date - $1::integer as since from app.books_checked) checked`,
    [OVERLAP_DAYS, DELAY_DAYS],
  )
  const { look, end } = lookForBroken(deps)
  for (const days of await daysSince(db, delayed)) {
    const broken = await look(days.to < since ? ['rounds'] : ['days', 'rounds'], days)
    // Today counts as checked once the present state was, too.
    if (broken.size > 0 || days.to === END) continue
    await db.query('update app.books_checked set through = greatest(through, $1::date + 1)', [
      days.to,
    ])
  }
  const broken = await look(['now'])
  await db.query(
    `update app.books_checked set through = case when $2 then through else greatest(through, $1) end,
       wrong_since = case when $2 then coalesce(wrong_since, $1) end`,
    [now, broken.size > 0],
  )
  return end({ since })
}

export function rowsAgainst(
  db: Queryable,
  { sql, scope }: Rule,
  { from, to }: Days = { from: BEGINNING, to: END },
): Promise<object[]> {
  return db.query(sql, scope === 'days' || scope === 'rounds' ? [from, to] : [])
}

/** The days since one, one by one: the first has all before the first round too, and the last what is dated later. */
function daysSince(db: Queryable, since: string): Promise<Days[]> {
  return db.query<Days>(
    `select case n when 0 then $1::date else first + n end::text as from,
       case first + n when today then 'infinity' else first + n end::text as to
     from (
       select today, least(today, greatest($1::date, coalesce((select min(draws_at)::date from rounds.round), today))) as first
       from (select app.now()::date as today) clock
     ) known, generate_series(0, today - first) n order by n`,
    [since],
  )
}

function lookForBroken({ db, log }: Deps) {
  const broken = new Set<string>()
  return {
    /** @returns the names of all rules that were found broken until now */
    async look(scopes: readonly Rule['scope'][], days?: Days): Promise<ReadonlySet<string>> {
      for (const rule of RULES.filter(({ scope }) => scopes.includes(scope))) {
        const rows = await rowsAgainst(db, rule, days)
        if (rows.length === 0) continue
        broken.add(rule.name)
        const named = JSON.stringify(rows.slice(0, ROWS_NAMED), asText)
        log.error(
          { rule: rule.name, ...days, count: rows.length, rows: named },
          'the books are wrong',
        )
      }
      return broken
    },
    end(checked: object): string[] {
      if (broken.size === 0) log.info(checked, 'the books are right')
      return [...broken]
    },
  }
}

function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
