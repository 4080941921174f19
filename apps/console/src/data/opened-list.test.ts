import { expect, test } from 'vitest'
import { neighboursOf, rememberList } from '#src/data/opened-list.ts'

test('a page that was opened from a list has the rows beside its own as neighbours', () => {
  rememberList('players', [7, 5, 3])
  expect(neighboursOf('players', '7')).toEqual({ before: null, after: '5', position: 1, of: 3 })
  expect(neighboursOf('players', '5')).toEqual({ before: '7', after: '3', position: 2, of: 3 })
  expect(neighboursOf('players', '3')).toEqual({ before: '5', after: null, position: 3, of: 3 })
})

test('a page whose record is in no list, or in another list, has none', () => {
  rememberList('players', [7])
  expect(neighboursOf('players', '8')).toBeNull()
  expect(neighboursOf('rounds', '7')).toBeNull()
})
