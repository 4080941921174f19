/** The faults for which explained.md says why they change nothing. */
import { existsSync, readFileSync } from 'node:fs'
import type { SqlMutant } from './sql-mutants.ts'

type Named = Pick<SqlMutant, 'functionName' | 'rule' | 'before' | 'occurrence'>

/**
 * Reads the table whose rows begin with a function, a rule and the text that is changed, with the number
 * of its place behind it where it is not the first of its kind: `and ended_at is null` 2.
 */
export function readExplained(path: string) {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const rows = new Set(
    [...text.matchAll(/^\| `([\w.]+)` \| ([^|]+) \| `(.*?)`(?: (\d+))? \|/gm)].map((row) =>
      keyOf({
        functionName: row[1] ?? '',
        rule: row[2] ?? '',
        before: (row[3] ?? '').replaceAll('\\|', '|'),
        occurrence: Number(row[4] ?? 1),
      }),
    ),
  )
  return {
    has: (mutant: Named) => rows.has(keyOf(mutant)),
    /** Rows that match none of these faults any more. */
    unused(mutants: readonly Named[]): string[] {
      const present = new Set(mutants.map(keyOf))
      return [...rows].filter((row) => !present.has(row))
    },
  }
}

function keyOf({ functionName, rule, before, occurrence }: Named): string {
  return [functionName, rule.trim(), before.trim(), occurrence].join(' | ')
}
