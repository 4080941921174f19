/** How many numbers of documents, wallets and cards an account may give: each could be an excluded player's. */
import { payInfo, setPayInfo } from '@sum28/contract/money-routes.ts'
import { saveProfile, userInfo } from '@sum28/contract/user-routes.ts'
import { beforeEach, expect, it } from 'vitest'
import type { Mark, MarkKind } from '#src/modules/accounts/note-mark.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { registerMember, useWorkersApi } from '#testing/product/test-app.ts'
import { markNoter, NUMBERS_OF_NETWORK } from './likeness.ts'
import { exclude, protectionNow } from './protection-store.ts'

const KEY = 'a secret key of tests'
const KINDS: MarkKind[] = ['document', 'wallet', 'card']
const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 10, 20, 4)

const { database, db, owner } = eachTestDatabase()
let playerId: number
let count: number

beforeEach(async () => {
  await database.freezeClock(START)
  playerId = await addPlayer(database)
  count = 0
})

function give(mark: Mark, note = markNoter(secretCipher(KEY))) {
  return db.transaction((tx) => note(tx, mark))
}

/** Gives a number that is new for the account, of each kind in turn. */
function giveNew() {
  count += 1
  return give({ playerId, kind: KINDS[count % 3] ?? 'card', value: `number ${count}` })
}

function marks() {
  return owner.query('select from protection.mark where player_id = $1', [playerId])
}

it('six new numbers are accepted in 24 hours, of all kinds together, and the next not 1 ms too early', async () => {
  for (let at = 0; at < 6; at += 1) {
    await database.freezeClock(START + at * HOUR)
    expect(await giveNew()).toBeNull()
  }
  const hours = (retry_after: number, hours: number) => ({
    refused: 'too_many_numbers',
    details: { retry_after, hours },
  })
  expect(await giveNew()).toEqual(hours(19 * 3_600, 19))
  await database.freezeClock(START + DAY - 1)
  expect(await giveNew()).toEqual(hours(1, 1))
  await database.freezeClock(START + DAY)
  expect(await giveNew()).toBeNull()
  // The next number is allowed a day after the second of the six.
  expect(await giveNew()).toEqual(hours(3_600, 1))
})

it('fifteen are accepted in 30 days, and the next not 1 ms too early', async () => {
  for (let at = 0; at < 15; at += 1) {
    await database.freezeClock(START + at * DAY)
    expect(await giveNew()).toBeNull()
  }
  await database.freezeClock(START + 15 * DAY)
  const wait = { retry_after: 15 * 86_400, hours: 360, days: 15 }
  expect(await giveNew()).toEqual({
    refused: 'too_many_numbers',
    wording: 'too_many_numbers_for_days',
    details: wait,
  })
  await database.freezeClock(START + 30 * DAY - 1)
  expect(await giveNew()).toMatchObject({ refused: 'too_many_numbers' })
  await database.freezeClock(START + 30 * DAY)
  expect(await giveNew()).toBeNull()
})

it('a number that the account gave before is not counted, however it is typed and under whichever key, and is always accepted', async () => {
  const again = async (value: string) =>
    expect(await give({ playerId, kind: 'document', value })).toBeNull()
  for (let at = 0; at < 10; at += 1) await again(at % 2 ? 'AB 12-345.678' : 'ab12345678')
  for (let at = 0; at < 4; at += 1) expect(await giveNew()).toBeNull()
  const later = markNoter(secretCipher(`${KEY}, a year later`, [KEY]))
  const underLaterKey = { playerId, kind: 'wallet', value: 'number 1' } as const
  expect(await give(underLaterKey, later)).toBeNull()
  expect(await giveNew()).toBeNull()
  expect(await giveNew()).toMatchObject({ refused: 'too_many_numbers' })
  await again('AB12345678')
})

it('many at once are no more than six', async () => {
  const results = await Promise.all(
    Array.from({ length: 30 }, (_, at) => give({ playerId, kind: 'card', value: `card ${at}` })),
  )
  expect(results.filter((result) => result === null)).toHaveLength(6)
  expect(await marks()).toHaveLength(6)
})

it('the refusal of a number does not reveal its owner, and holds no account', async () => {
  const excluded = await addPlayer(database)
  await give({ playerId: excluded, kind: 'card', value: 'the card of another' })
  await exclude(db, { playerId: excluded, kind: 'time_out', lasting: '24 hours' })
  for (let at = 0; at < 6; at += 1) expect(await giveNew()).toBeNull()
  const ofAnother = await give({ playerId, kind: 'card', value: 'the card of another' })
  expect(ofAnother).toEqual(await giveNew())
  expect(await protectionNow(db, playerId)).toMatchObject({ excludedBy: null })
})

it('all accounts on one network together may give a hundred new numbers a day, and another network is independent', async () => {
  const network = '203.0.113.7'
  for (let at = 0; at < NUMBERS_OF_NETWORK; at += 1) {
    if (at % 5 === 0) playerId = await addPlayer(database)
    const mark = { playerId, kind: 'card', value: `card ${at}`, network } as const
    expect(await give(mark)).toBeNull()
    // Numbers that the account gave before do not count for the network either.
    if (at % 10 === 0) expect(await give(mark)).toBeNull()
  }
  playerId = await addPlayer(database)
  const more = { playerId, kind: 'card', value: 'one more', network } as const
  const held = await give(more)
  expect(held).toMatchObject({ refused: 'too_many_numbers', details: { hours: 24 } })
  // A number refused for the network is not counted for the account.
  expect(await marks()).toEqual([])
  expect(await give({ ...more, network: '203.0.113.8' })).toBeNull()
  await database.freezeClock(START + DAY)
  expect(await give({ ...more, value: 'and one more' })).toBeNull()
})

const test = useWorkersApi()

it('the refusal says when the player may give another, and his present data stays', async () => {
  const ann = await registerMember(test)
  for (const at of [1, 2, 3, 4]) {
    expect(await test.call(saveProfile, { idcard: `AB 12345${at}` }, ann)).toMatchObject({
      code: 1,
    })
  }
  const card = (acc_name: string) => ({ type: 0, acc: 'ANN', acc_name, acc_bank: 'Bank of Hanoi' })
  for (const number of ['4242424242424242', '5555555555554444']) {
    expect(await test.call(setPayInfo, card(number), ann)).toMatchObject({ code: 1 })
  }
  const before = await test.call(payInfo, { type: 0 }, ann)
  for (const refused of [
    await test.call(setPayInfo, card('6011111111111117'), ann),
    await test.call(saveProfile, { idcard: 'AB 123459', avatar: 'preset:5' }, ann),
  ]) {
    expect(refused).toMatchObject({ http: 200, code: 0, data: { reason: 'too_many_numbers' } })
    expect(refused.msg).toMatch(/Another one can be given in 24 hours/)
    expect(refused.headers.get('retry-after')).not.toBeNull()
  }
  expect((await test.call(payInfo, { type: 0 }, ann)).data).toEqual(before.data)
  // The avatar in the same call is not saved either.
  const { data: profile } = await test.call(userInfo, {}, ann)
  expect(profile).toMatchObject({ idcard: '••••3454', avatar: 'preset:1' })
})
