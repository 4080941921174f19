import { describe, expect, it } from 'vitest'
import { factsOf, subjectPath } from './audit-facts.ts'

describe('the facts of a row of the log', () => {
  it('are the fields that changed, before and after, and the others one by one', () => {
    const before = { role: 'support', email: 'a@example.org', active: true }
    const after = { role: 'finance', email: 'a@example.org', active: true }
    expect(factsOf({ before, after, reason: 'a new task' })).toEqual([
      { field: 'role', before: 'support', after: 'finance' },
      { field: 'reason', after: 'a new task' },
    ])
  })

  it('show what was not there before, or is not there any more, as a dash', () => {
    expect(factsOf({ before: null, after: { number: '12' } })).toEqual([
      { field: 'number', before: '—', after: '12' },
    ])
    expect(factsOf({ before: { number: '12' }, after: null })).toEqual([
      { field: 'number', before: '12', after: '—' },
    ])
    expect(factsOf({ before: 6, after: 0 })).toEqual([{ field: 'value', before: '6', after: '0' }])
  })

  it('name nested fields by their path, and join lists', () => {
    expect(
      factsOf({
        before: { odds: { '1': 1.9, '2': 1.9 }, languages: ['en'] },
        after: { odds: { '1': 1.95, '2': 1.9 }, languages: ['en', 'vi'] },
        payments: [1, 2],
        parts: [{ id: 4, state: 'paid' }],
      }),
    ).toEqual([
      { field: 'odds · 1', before: '1.9', after: '1.95' },
      { field: 'languages', before: 'en', after: 'en, vi' },
      { field: 'payments', after: '1, 2' },
      { field: 'parts · 1 · id', after: '4' },
      { field: 'parts · 1 · state', after: 'paid' },
    ])
  })

  it('say that nothing changed where before and after are alike, and name fields in words', () => {
    expect(factsOf({ before: { a: 1 }, after: { a: 1 } })).toEqual([])
    expect(factsOf({ stake_min: '1.00', note: null })).toEqual([
      { field: 'stake min', after: '1.00' },
      { field: 'note', after: '—' },
    ])
  })
})

describe('the subject of a row', () => {
  it.each([
    ['player:7', '/players/7/show'],
    ['withdrawal:12', '/withdrawals/12/show'],
    ['round:1:20261120001', '/rounds/1-20261120001/show'],
    ['bank_batch:3', '/bank-batches/3/show'],
    ['adjustment:4', '/proposals?filter=%7B%22id%22%3A%224%22%7D'],
    ['betting', '/stops'],
    ['staff:2', '/members'],
    ['member:ann', '/members?filter=%7B%22q%22%3A%22ann%22%7D'],
    ['something:1', null],
  ])('%s leads to %s', (subject, path) => {
    expect(subjectPath(subject)).toBe(path)
  })
})
