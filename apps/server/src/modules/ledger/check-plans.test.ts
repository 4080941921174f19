/** The daily check of the books reads new rows by an index, however many old ones there are. */
import { beforeAll, expect, it } from 'vitest'
import { cloneUnusedDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { RULES } from './rules-of-the-books.ts'

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

let database: TestDatabase

beforeAll(async () => {
  database = await cloneUnusedDatabase()
  // It contains the day, but last: a condition on the day alone reads all of it.
  await database.owner.query('alter table bets.bet drop constraint bet_pkey')
  return () => database.drop()
})

/** Tables that may be read whole: a row for each player, account, round or proposal. A year has 400,000 rounds. */
const SMALL = /^(account_total|balance|player|proposal|round|winner)$/

it.each(
  RULES.filter(({ scope }) => scope === 'days' || scope === 'rounds').map(({ name, sql }) => ({
    name,
    sql,
  })),
)('“$name” reads only rows that an index finds', async ({ sql }) => {
  const { owner } = database
  const fresh = sql.replaceAll(/\$[12]/g, 'now()')
  const [row] = await owner.transaction(async (tx) => {
    // The tables are empty here: what can be read by an index is, and rows are joined one by one.
    for (const way of ['seqscan', 'hashjoin', 'mergejoin']) {
      await tx.query(`set local enable_${way} = off`)
    }
    return tx.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json, costs off) ${fresh}`)
  })
  const reads = row ? wholeReads(row['QUERY PLAN'][0].Plan) : []
  expect(reads).toEqual([])
})

function wholeReads(plan: Plan): string[] {
  const relation = plan['Relation Name'] ?? ''
  const isWhole =
    /^(Seq|Index|Index Only) Scan$/.test(plan['Node Type']) &&
    !plan['Index Cond'] &&
    !SMALL.test(relation)
  return [
    ...(isWhole ? [`${plan['Node Type']} of ${relation}`] : []),
    ...(plan.Plans ?? []).flatMap(wholeReads),
  ]
}
