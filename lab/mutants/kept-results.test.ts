import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { packResults, unpackResults } from './kept-results.ts'
import { type MutantResult, MutantResults } from './mutant-results.ts'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sum28-results-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function resultOf(id: string, verdict: MutantResult['verdict']): MutantResult {
  const found = { file: 'till.test.ts', test: 'pays', failure: 'not paid' }
  return {
    ...{ id, verdict, functionName: 'till.pay', rule: 'a sign is turned', before: '-', after: '+' },
    ...(verdict === 'found' ? found : { file: null, test: null, failure: null }),
    tests: 'abc',
  }
}

it('the last result of each fault that there is still goes into another clone, and replaces none there', () => {
  const [here, kept, fresh] = [makeFolder(), makeFolder(), makeFolder()]
  const results = new MutantResults(here)
  results.keep(resultOf('a', 'not found'))
  results.keep(resultOf('gone', 'found'))
  results.keep(resultOf('a', 'found'))
  results.forgetOthers(new Set(['a']))
  writeFileSync(join(here, 'reached.json'), '{}')
  packResults(here, kept)
  unpackResults(fresh, kept)
  const unpacked = new MutantResults(fresh)
  expect(unpacked.of('a')).toEqual(resultOf('a', 'found'))
  expect(unpacked.of('gone')).toBeUndefined()
  unpacked.keep(resultOf('b', 'not found'))
  unpackResults(fresh, kept)
  expect(new MutantResults(fresh).of('b')).toEqual(resultOf('b', 'not found'))
})
