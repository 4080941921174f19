/** A flood of passwords only harms its sender. */

import { setSafety } from '@sum28/contract/money-routes.ts'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { login, register } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { isRefusal } from '#src/refusal/refusal.ts'
import { setCode, TEST_CODE } from '#testing/people/cashier.ts'
import { addStaff, proofOf, signInStaff } from '#testing/people/staff.ts'
import { fillLane } from '#testing/product/fill-lane.ts'
import { registerMember, TEST_PASSWORD, useWorkersApi } from '#testing/product/test-app.ts'
import { boundedWork } from './hashing.ts'

const test = useWorkersApi()

const HELD = { http: 429, code: 429, data: { reason: 'too_many_requests', retry_after: 2 } }

const signIn = (account: string, password = TEST_PASSWORD) =>
  test.call(login, { account, password })

describe('when strangers send more passwords than can be hashed', () => {
  it('one more is refused at once, whoever sends it, with a time to retry', async () => {
    const member = await registerMember(test, 'held_up')
    const { slots, end } = await fillLane('strangers')
    expect(slots).toBeGreaterThan(50)
    expect(slots).toBeLessThan(200)
    for (const account of [member.username, 'nobody_at_all']) {
      const reply = await signIn(account)
      expect(reply).toMatchObject(HELD)
      expect(reply.headers.get('retry-after')).toBe('2')
    }
    const visitor = { username: 'guest_held_up', password: 'qwzxvk', group_id: 2 }
    expect(await test.call(register, visitor)).toMatchObject(HELD)
    await end()
    expect(await signIn(member.username)).toMatchObject({ code: 1 })
    expect(await test.call(register, visitor)).toMatchObject({ code: 1 })
  })

  it('signed-in players, and staff, do not wait', async () => {
    const member = await registerMember(test, 'not_held_up')
    const { login: person } = await addStaff(test, 'support')
    await fillLane('strangers')
    await setCode(test, member)
    await signInStaff(test, person)
  })
})

it('when staff sign-ins are flooded, players can sign in, and refusals cost a member of staff no try', async () => {
  const member = await registerMember(test, 'far_from_staff')
  const { login: person } = await addStaff(test, 'support')
  const credentials = { account: person.name, ...(await proofOf(test, person)) }
  const { end } = await fillLane('staff')
  // More often than a name has tries.
  for (let n = 0; n < 12; n += 1) {
    expect(await test.call(staffLogin, credentials)).toMatchObject(HELD)
  }
  expect(await signIn(member.username)).toMatchObject({ code: 1 })
  await end()
  await signInStaff(test, person)
})

it('when players’ codes are flooded, strangers can sign in, and refusals cost a player no try of his code', async () => {
  const member = await registerMember(test, 'keeps_tries')
  await setCode(test, member)
  const { end } = await fillLane('players')
  const change = { new_code: '314159', old_code: TEST_CODE }
  for (let n = 0; n < 6; n += 1) {
    expect(await test.call(setSafety, change, member)).toMatchObject(HELD)
  }
  expect(await signIn(member.username)).toMatchObject({ code: 1 })
  await end()
  const wrong = { new_code: '314159', old_code: '000000' }
  expect(await test.call(setSafety, wrong, member)).toMatchObject({
    data: { reason: 'security_code_wrong', tries_left: 4 },
  })
  expect(await test.call(setSafety, change, member)).toMatchObject({ code: 1 })
})

const HOME = '198.51.100.7'

describe('bounded work', () => {
  it('runs a limited number at once, lets a limited number wait for their turn, and refuses the rest at once', async () => {
    const bounded = boundedWork({ atOnce: 2, waitingMax: 3, ofNetwork: 1 })
    const begun: number[] = []
    const ends: (() => void)[] = []
    const work = (n: number) => async () => {
      begun.push(n)
      await new Promise<void>((end) => ends.push(end))
      return 'done'
    }
    const endOne = async () => {
      ends.shift()?.()
      // The ended work and its successor each need a turn of the event loop.
      await new Promise((next) => setImmediate(next))
    }
    const all = Array.from({ length: 10 }, (_, n) => bounded(`192.0.2.${n}`, work(n)))
    expect(begun).toEqual([0, 1])
    const refused = { refused: 'too_many_requests', details: { retry_after: 2 } }
    for (const each of all.slice(5)) {
      expect(await each).toEqual({ ...refused, wording: 'unavailable' })
    }
    for (const running of [3, 4, 5, 5, 5]) {
      await endOne()
      expect(begun).toHaveLength(running)
    }
    expect(begun).toEqual([0, 1, 2, 3, 4])
    expect(await Promise.all(all.slice(0, 5))).toEqual(Array(5).fill('done'))
    const again = bounded(HOME, work(10))
    // One network has its share alone: concurrency-limit.test.ts.
    expect(isRefusal(await bounded(HOME, work(11)))).toBe(true)
    await endOne()
    expect(await again).toBe('done')
  })

  it('releases its place even if it fails', async () => {
    const bounded = boundedWork({ atOnce: 1, waitingMax: 1, ofNetwork: 2 })
    const failing = bounded(HOME, async () => {
      throw new Error('broken')
    })
    const next = bounded(HOME, async () => 'done')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('done')
    expect(isRefusal(await bounded(HOME, async () => 'done'))).toBe(false)
  })
})
