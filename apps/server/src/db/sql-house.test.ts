/** The rules of the SQL code, checked in the text of sql/functions. */
import { REASONS } from '@sum28/contract/envelope.ts'
import { expect, it } from 'vitest'
import { REASONS_BY_WORD } from '#src/refusal/refusal.ts'
import { readFunctions, SCHEMAS } from './apply-functions.ts'

/** Each file's text without its comments, with its schema. */
const TEXTS = (await readFunctions(new URL('../../sql/functions/', import.meta.url))).map(
  ({ schema, sql }) => ({ schema, text: sql.replace(/--[^\n]*/g, '') }),
)

function functionsOf(text: string): string[] {
  return text
    .split(/^(?=create or replace )/m)
    .filter((statement) => statement.startsWith('create or replace function'))
    .map((statement) => {
      const end = /^(\$\$|end);$|^return [^;]*;$/m.exec(statement)
      return statement.slice(0, end ? end.index + end[0].length : undefined)
    })
}

function nameOf(statement: string): string | undefined {
  return /function ([\w.]+)/.exec(statement)?.[1]
}

it('only wallet calls the ledger’s functions and writes its tables', () => {
  const calls =
    /\bledger\.\w+\s*\(|\b(?:insert into|update|delete from|truncate|lock table)\s+ledger\.\w+/g
  const faults = TEXTS.filter(({ schema }) => schema !== 'wallet' && schema !== 'ledger').flatMap(
    ({ schema, text }) => (text.match(calls) ?? []).map((call) => `${schema}.sql: ${call}`),
  )
  expect(faults).toEqual([])
  expect(TEXTS.find(({ schema }) => schema === 'wallet')?.text).toMatch(calls)
})

it('only staff.write_audit writes the audit log', () => {
  const writers = TEXTS.flatMap(({ text }) =>
    functionsOf(text).filter((statement) => /insert into staff\.audit\b/.test(statement)),
  )
  expect(writers.map(nameOf)).toEqual(['staff.write_audit'])
})

it('a file names only its own schema and preceding ones', () => {
  const faults = TEXTS.flatMap(({ schema, text }) => {
    const later = SCHEMAS.slice(SCHEMAS.indexOf(schema) + 1).join('|') || 'none'
    // Text between quotes is data, such as the name of an advisory lock.
    const code = text.replace(/'(?:[^'\n]|'')*'/g, `''`)
    const names = code.match(new RegExp(`(?<![\\w.])(?:${later})\\.\\w+`, 'g')) ?? []
    return names.map((name) => `${schema}.sql: ${name}`)
  })
  expect(faults).toEqual([])
})

/** From a function's name to its end. */
const LINES_MAX = 50

it('a function fits a screen', () => {
  const long = TEXTS.flatMap(({ text }) =>
    functionsOf(text)
      .map((statement) => ({ name: nameOf(statement), lines: statement.split('\n').length }))
      .filter(({ lines }) => lines > LINES_MAX),
  )
  expect(long).toEqual([])
})

/** Words for success, or for a key that was used before. */
const NO_REFUSALS = `
  accepted active added approved asked begun cancelled changed cleared closed confirmed corrected end_requested first
  frozen given_back open paid part proposed raised rejected released removed renewed replay requested required reset
  returned saved sent set stale taken taken_back used waiting
`
  .trim()
  .split(/\s+/)

it('functions refuse with reasons of the wire, and with the words of the table in refusal.ts', () => {
  const all = TEXTS.map(({ text }) => text).join('\n')
  const answers = [
    /\breturn '(\w+)'/g,
    /\banswer := '(\w+)'/g,
    /\bselect '(\w+)'::text/g,
    /\.reason := '(\w+)'/g,
    /raise exception '(\w+)' using errcode = 'STAFF'/g,
  ].flatMap((form) => [...all.matchAll(form)].map(([, word]) => word))
  const judged = TEXTS.flatMap(
    ({ text }) => text.match(/select case\n[\s\S]*?\n *end as reason\b/g) ?? [],
  )
  const verdicts = judged.flatMap((text) =>
    [...text.matchAll(/then '(\w+)'/g)].map(([, word]) => word),
  )
  expect(judged).toHaveLength(4)
  const reasons: readonly (string | undefined)[] = REASONS
  const others = [...new Set([...answers, ...verdicts])].filter((word) => !reasons.includes(word))
  expect(others.sort()).toEqual([...Object.keys(REASONS_BY_WORD), ...NO_REFUSALS].sort())
})
