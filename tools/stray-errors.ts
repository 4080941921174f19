/**
 * A reporter for vitest: writes errors that belong to no test, which its JSON report leaves out, to the file named by
 * STRAY_ERRORS_FILE: the test file and the test that ran, and below them, indented, the error and its stack.
 */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter } from 'vitest/node'

/** What vitest tells of an error; the last two are its own names. */
type StrayError = {
  type?: string
  name?: string
  message?: string
  stack?: string
  VITEST_TEST_PATH?: string
  VITEST_TEST_NAME?: string
}

export default class StrayErrors implements Reporter {
  onTestRunEnd(_modules: unknown, errors: readonly StrayError[]): void {
    writeFileSync(process.env.STRAY_ERRORS_FILE ?? '', errors.map(strayError).join(''))
  }
}

/** One error as lines of text, the last one ended. */
export function strayError(error: StrayError): string {
  const { type, name, message, stack, VITEST_TEST_PATH: file, VITEST_TEST_NAME: test } = error
  const where = file ? relative(process.cwd(), file) : 'outside of the test files'
  const when = test ? `during or after “${test}”` : 'outside of a test'
  const positions = (stack ?? '')
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
  const lines = [`${type ?? 'error'}: ${name}: ${message}`, ...positions]
  return [`${where} › ${when}`, ...lines.map((line) => `    ${line}`), ''].join('\n')
}
