/** How many numbers of documents, wallets and cards an account may give: each could be an excluded player's. */
import { payInfo, setPayInfo } from '@sum28/contract/money-routes.ts'
import { saveProfile, userInfo } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import type { Database } from '#src/db/database.ts'
import type { Mark, MarkKind } from '#src/modules/accounts/note-mark.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { registerMember, useWorkersApi } from '#testing/product/test-app.ts'
import { markNoter, NUMBERS_OF_NETWORK } from './likeness.ts'
import { exclude, protectionNow } from './protection-store.ts'

const KEY = 'a secret key of tests'
const KINDS: MarkKind[] = ['document', 'wallet', 'card']
const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 10, 20, 4)
const note = markNoter(secretCipher(KEY))

function give({ db }: { db: Database }, mark: Mark) {
  return db.transaction((tx) => note(tx, mark))
}

async function stage() {
  const database = await createTestDatabase()
  await database.freezeClock(START)
  const playerId = await addPlayer(database)
  let count = 0
  return {
    database,
    playerId,
    /** Gives a number that is new for the account, of each kind in turn. */
    giveNew: () => {
      count += 1
      const kind = KINDS[count % 3] ?? 'card'
      return give(database, { playerId, kind, value: `number ${count}` })
    },
  }
}

it('six new numbers are accepted in 24 hours, of all kinds together, and the next not 1 ms too early', async () => {
  const { database, giveNew } = await stage()
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
  const { database, giveNew } = await stage()
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
  const { database, playerId, giveNew } = await stage()
  const again = async (value: string) =>
    expect(await give(database, { playerId, kind: 'document', value })).toBeNull()
  for (let at = 0; at < 10; at += 1) await again(at % 2 ? 'AB 12-345.678' : 'ab12345678')
  for (let at = 0; at < 4; at += 1) expect(await giveNew()).toBeNull()
  const later = markNoter(secretCipher(`${KEY}, a year later`, [KEY]))
  const underLaterKey = { playerId, kind: 'wallet', value: 'number 1' } as const
  expect(await database.db.transaction((tx) => later(tx, underLaterKey))).toBeNull()
  expect(await giveNew()).toBeNull()
  expect(await giveNew()).toMatchObject({ refused: 'too_many_numbers' })
  await again('AB12345678')
})

it('many at once are no more than six', async () => {
  const { database, playerId } = await stage()
  const results = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      give(database, { playerId, kind: 'card', value: `card ${at}` }),
    ),
  )
  expect(results.filter((result) => result === null)).toHaveLength(6)
  expect(
    await database.owner.query('select from protection.mark where player_id = $1', [playerId]),
  ).toHaveLength(6)
})

it('the refusal of a number does not reveal its owner, and holds no account', async () => {
  const { database, playerId, giveNew } = await stage()
  const excluded = await addPlayer(database)
  await give(database, { playerId: excluded, kind: 'card', value: 'the card of another' })
  await exclude(database.db, { playerId: excluded, kind: 'time_out', lasting: '24 hours' })
  for (let at = 0; at < 6; at += 1) expect(await giveNew()).toBeNull()
  const ofAnother = await give(database, { playerId, kind: 'card', value: 'the card of another' })
  expect(ofAnother).toEqual(await giveNew())
  expect(await protectionNow(database.db, playerId)).toMatchObject({ excludedBy: null })
})

it('all accounts on one network together may give a hundred new numbers a day, and another network is independent', async () => {
  const { database } = await stage()
  const network = '203.0.113.7'
  let player = await addPlayer(database)
  for (let at = 0; at < NUMBERS_OF_NETWORK; at += 1) {
    if (at % 5 === 0) player = await addPlayer(database)
    const mark = { playerId: player, kind: 'card', value: `card ${at}`, network } as const
    expect(await give(database, mark)).toBeNull()
    // Numbers that the account gave before do not count for the network either.
    if (at % 10 === 0) expect(await give(database, mark)).toBeNull()
  }
  const playerId = await addPlayer(database)
  const more = { playerId, kind: 'card', value: 'one more', network } as const
  const held = await give(database, more)
  expect(held).toMatchObject({ refused: 'too_many_numbers', details: { hours: 24 } })
  // A number refused for the network is not counted for the account.
  expect(
    await database.owner.query('select from protection.mark where player_id = $1', [playerId]),
  ).toEqual([])
  expect(await give(database, { ...more, network: '203.0.113.8' })).toBeNull()
  await database.freezeClock(START + DAY)
  expect(await give(database, { ...more, value: 'and one more' })).toBeNull()
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
