/** The rules of the SQL house, read from the text of sql/functions. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SCHEMAS } from './apply-functions.ts'

const FOLDER = new URL('../../sql/functions/', import.meta.url)

/** Each file's text without its comments, by the name of its schema; the clock is a part of app. */
const TEXTS = readdirSync(FOLDER).map((file) => ({
  schema: file === 'clock.sql' ? 'app' : file.replace('.sql', ''),
  text: readFileSync(new URL(file, FOLDER), 'utf8').replace(/--[^\n]*/g, ''),
}))

it('only wallet calls the ledger’s functions and writes its tables', () => {
  const calls =
    /\bledger\.\w+\s*\(|\b(?:insert into|update|delete from|truncate|lock table)\s+ledger\.\w+/g
  const found = TEXTS.filter(({ schema }) => schema !== 'wallet' && schema !== 'ledger').flatMap(
    ({ schema, text }) => (text.match(calls) ?? []).map((call) => `${schema}.sql: ${call}`),
  )
  expect(found).toEqual([])
  expect(TEXTS.find(({ schema }) => schema === 'wallet')?.text).toMatch(calls)
})

it('a file names only its own schema and those that stand before it', () => {
  const found = TEXTS.flatMap(({ schema, text }) => {
    const later = SCHEMAS.slice(SCHEMAS.indexOf(schema) + 1).join('|') || 'none'
    // What stands between quotes is data, such as the name of an advisory lock.
    const code = text.replace(/'(?:[^'\n]|'')*'/g, `''`)
    const names = code.match(new RegExp(`(?<![\\w.])(?:${later})\\.\\w+`, 'g')) ?? []
    return names.map((name) => `${schema}.sql: ${name}`)
  })
  expect(found).toEqual([])
})

it('a function fits a screen: 60 lines from its name to its end', () => {
  const long = TEXTS.flatMap(({ text }) =>
    text
      .split(/^(?=create or replace )/m)
      .filter((statement) => statement.startsWith('create or replace function'))
      .map((statement) => {
        const end = /^(\$\$|end);$|^return [^;]*;$/m.exec(statement)
        const lines = statement.slice(0, end ? end.index + end[0].length : undefined).split('\n')
        return { name: /function ([\w.]+)/.exec(statement)?.[1], lines: lines.length }
      })
      .filter(({ lines }) => lines > 60),
  )
  expect(long).toEqual([])
})
