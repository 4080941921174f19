/** A test of the server expects each refusal, so that a missing one is noticed. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REASONS } from '@sum28/contract/envelope.ts'
import { expect, it } from 'vitest'
import { REASONS_BY_WORD } from './refusal.ts'

const FOLDER = join(import.meta.dirname, '..')
const TESTS = globSync('**/*.test.ts', { cwd: FOLDER })
  .filter((file) => file !== 'refusal/refusal-words.test.ts')
  .map((file) => readFileSync(join(FOLDER, file), 'utf8'))
  .join('\n')

/** Defined by the wire and returned by no call. */
const GIVEN_BY_NO_CALL = ['passwords_differ']

const WORDS = Object.entries(REASONS_BY_WORD)

it.each(REASONS.filter((reason) => !GIVEN_BY_NO_CALL.includes(reason)))(
  'the reason %s is expected by a test',
  (reason) => {
    const words = WORDS.filter(([, given]) => given === reason).map(([word]) => word)
    const named = [reason, ...words].filter((name) => TESTS.includes(`'${name}'`))
    expect(named.length).toBeGreaterThan(0)
  },
)

it.each(WORDS)('a test expects the word %s of the database, or its reason', (...names) => {
  expect(names.some((name) => TESTS.includes(`'${name}'`))).toBe(true)
})
