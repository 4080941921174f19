/**
 * Goal: the measurement with ten million rows includes every list of the console. Method: the calls of staff that
 * return pages are taken from the contract, and searched for in the bench.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { STAFF_ROUTES } from '../packages/contract/src/staff-routes.ts'

const BENCH = readFileSync(join(import.meta.dirname, '../lab/bench/console-reads.ts'), 'utf8')

const LISTS = STAFF_ROUTES.filter(({ request }) => {
  const fields = 'shape' in request ? Object.keys(request.shape as object) : []
  return fields.includes('after') || fields.includes('page')
}).map(({ path }) => path)

it('every list of staff is measured by the bench of the console', () => {
  expect(LISTS.length).toBeGreaterThan(20)
  const measured = [...BENCH.matchAll(/^ {2}'(\/api\/staff\/[\w/]+)': \{/gm)].map(
    ([, path]) => path,
  )
  expect(measured.toSorted()).toEqual(LISTS.toSorted())
})
