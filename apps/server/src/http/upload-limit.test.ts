import { expect, it } from 'vitest'
import type { Caller, StaffCaller } from '#src/http/caller.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import { uploadLimit } from './upload-limit.ts'

const member = (playerId: number) => ({ playerId, groupId: 1 }) as Caller
const visitor = (playerId: number) => ({ playerId, groupId: 2 }) as Caller
const staff = (staffId: number) => ({ staffId }) as StaffCaller

/** Begins uploads one after the other, and says whether each was taken; all of them end by `endAll`. */
function places() {
  const limit = uploadLimit()
  const ends: (() => void)[] = []
  return {
    take(caller: Caller | StaffCaller, network: number): boolean {
      const end = limit.begin(caller, `203.0.113.${network}`)
      if (isRefusal(end)) return false
      ends.push(end)
      return true
    },
    endAll() {
      for (const end of ends.splice(0)) end()
    },
  }
}

/** Takes the twelve places of members, each of another network. */
function takeAllOfMembers({ take }: ReturnType<typeof places>): void {
  for (let n = 0; n < 12; n += 1) expect(take(member(n), n)).toBe(true)
  expect(take(member(50), 50)).toBe(false)
}

it('a member uploads one file at a time, and a network three', () => {
  const { take, endAll } = places()
  for (const n of [1, 2, 3]) expect(take(member(n), 1)).toBe(true)
  expect(take(member(1), 9)).toBe(false)
  expect(take(member(8), 1)).toBe(false)
  endAll()
  for (const n of [1, 2, 3]) expect(take(member(n), 1)).toBe(true)
})

it('a few networks with many members leave places for others, twelve in all', () => {
  const { take } = places()
  for (const n of [1, 2, 3])
    expect([take(member(n), 1), take(member(10 + n), 2)]).toEqual([true, true])
  // A third network gets a place, and no second one.
  expect([take(member(6), 3), take(member(7), 3)]).toEqual([true, false])
  for (const network of [4, 5, 6, 7, 8]) expect(take(member(100 + network), network)).toBe(true)
  expect(take(member(200), 9)).toBe(false)
})

it('visitors, of whom anybody may be many, have three places, and take none of members', () => {
  const all = places()
  for (const n of [1, 2, 3]) {
    expect([all.take(visitor(n), n), all.take(visitor(50 + n), n)]).toEqual([true, false])
  }
  expect(all.take(visitor(9), 9)).toBe(false)
  takeAllOfMembers(all)
})

it('staff have places of their own: eight, two for each', () => {
  const all = places()
  takeAllOfMembers(all)
  const { take } = all
  for (const n of [1, 2, 3, 4]) expect([take(staff(n), 1), take(staff(n), 1)]).toEqual([true, true])
  expect([take(staff(1), 1), take(staff(5), 1)]).toEqual([false, false])
  all.endAll()
  for (const n of [1, 1]) expect(take(staff(n), 1)).toBe(true)
  expect(take(staff(1), 1)).toBe(false)
})
