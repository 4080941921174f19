import type { RoomTerms } from '@sum28/contract/staff-games-routes.ts'
import { describe, expect, it } from 'vitest'
import { readDraft, typedReturn } from './terms-draft.ts'

const ROOM: RoomTerms = {
  id: 11,
  game_id: 1,
  game_name: 'DOT',
  title: 'Basic',
  type: 0,
  rules_version: 3,
  stake_min: '100.00',
  stake_max: '1000.00',
  entry_min: '100.00',
  waiting: null,
  odds: [
    { rule_id: 1, outcome: 'long', ways: 500, odds: '1.92' },
    { rule_id: 400, outcome: '0', ways: 1, odds: '960' },
  ],
}

describe('a draft of a change', () => {
  it('proposes only the changed values, with the version on which they are based', () => {
    const typed = { stake_min: '50', entry_min: '100.0', 1: '1.8', 400: '960.0' }
    expect(readDraft(ROOM, typed)).toEqual({
      wrong: new Map(),
      request: { id: 11, rules_version: 3, stake_min: '50', odds: '1:1.8' },
    })
  })

  it('proposes nothing while no value differs', () => {
    expect(readDraft(ROOM, {}).request).toBeNull()
    expect(readDraft(ROOM, { 1: '1.920' }).request).toBeNull()
  })

  it.each([
    [{ 1: '1.499' }, '1'],
    [{ 1: '2.001' }, '1'],
    [{ 1: '' }, '1'],
    [{ 1: '1.9999' }, '1'],
    [{ stake_min: '0' }, 'stake_min'],
    [{ stake_min: 'x' }, 'stake_min'],
    [{ stake_min: '1001' }, 'stake_max'],
    [{ entry_min: '-1' }, 'entry_min'],
  ])('with %j marks %s', (typed, field) => {
    const { wrong, request } = readDraft(ROOM, typed)
    expect([...wrong.keys()]).toEqual([field])
    expect(request).toBeNull()
  })
})

it('the return of typed odds is odds × ways, fair from 0.75 to 1', () => {
  expect(typedReturn(500, '1.5')).toEqual({ ppm: 750_000, fair: true })
  expect(typedReturn(500, '2')).toEqual({ ppm: 1_000_000, fair: true })
  expect(typedReturn(500, '2.001')).toEqual({ ppm: 1_000_500, fair: false })
  expect(typedReturn(500, '2,0')).toBeNull()
})
