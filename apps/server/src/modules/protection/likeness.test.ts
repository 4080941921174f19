/** Accounts that resemble an excluded one: found, held for staff, and decided. */
import { setPayInfo } from '@sum28/contract/money-routes.ts'
import { protectionState, takeBreak } from '@sum28/contract/protection-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import {
  confirmLikeness,
  listLikenesses,
  releaseLikeness,
} from '@sum28/contract/staff-protection-routes.ts'
import { startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { login, register, saveProfile, sendCode } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { USDT_MAINNET_CONTRACT } from '#src/adapters/chain/tron-address.ts'
import type { Database } from '#src/db/database.ts'
import { markAccounts } from '#src/jobs/mark-accounts.ts'
import { foldedDocument, isDocumentNumber } from '#src/modules/accounts/document.ts'
import type { Mark } from '#src/modules/accounts/note-mark.ts'
import { savePayMethod } from '#src/modules/withdrawals/pay-methods.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { addMemberWithData } from '#testing/people/member-with-data.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { addStaff, type StaffSession, staffSession } from '#testing/people/staff.ts'
import {
  mailedCode,
  registerByMail,
  TEST_PASSWORD,
  type TestMember,
  useWorkersApi,
} from '#testing/product/test-app.ts'
import { markNoter, markOf, noteEarlierMarks } from './likeness.ts'
import { exclude, protectionNow } from './protection-store.ts'

const test = useWorkersApi()
const KEY = 'a key of these tests of more than 32 characters'

const card = (number: string) => ({
  type: 0,
  acc: 'ANN LEE',
  acc_name: number,
  acc_bank: 'Bank of Hanoi',
})

async function breakOf(member: { token: string }) {
  return (await test.call(protectionState, {}, member)).data.exclusion
}

async function likenessesOf(user_id: number, staff?: StaffSession) {
  const session = staff ?? (await staffSession(test))
  return (await test.call(listLikenesses, { user_id }, session)).data.list
}

function note(db: Database, mark: Mark, keyed = secretCipher(KEY)) {
  return db.transaction((tx) => markNoter(keyed)(tx, mark))
}

/**
 * No other file of the worker gives it: if the break of its first player is confirmed to be a second one's too, all others
 * who have it are shown with that one.
 */
const OWN_CARD = '5425233430109903'

const HELD = { kind: 'likeness', until: null, may_ask_from: null }

it('an account with an excluded player’s mailbox, document, wallet or card is held for staff', async () => {
  const ann = await registerByMail(test, 'alike_ann')
  const wallet = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
  await test.call(setPayInfo, card('4000056655665556'), ann)
  await test.call(setPayInfo, { type: 1, acc: wallet, acc_name: 'TRC20' }, ann)
  await test.call(saveProfile, { idcard: 'AB 12-345.678' }, ann)
  await test.call(takeBreak, { months: 6 }, ann)

  const email = 'alike_ann+2@example.org'
  await test.call(sendCode, { email, event: 'register' })
  const again = await test.call(register, {
    username: 'alike_again',
    email,
    code: await mailedCode(test, email),
    password: TEST_PASSWORD,
    group_id: 1,
    adult: true,
  })
  expect(await likenessesOf(again.data.userinfo.id)).toMatchObject([
    {
      like_user_id: ann.id,
      like_username: 'alike_ann',
      like_in: 'email',
      holds: true,
      state: 'open',
    },
  ])
  expect(await breakOf(again.data.userinfo)).toEqual(HELD)

  const ways = {
    card: (member: TestMember) => test.call(setPayInfo, card('4000-0566 5566 5556'), member),
    wallet: (member: TestMember) =>
      test.call(setPayInfo, { type: 1, acc: wallet, acc_name: 'mine' }, member),
    document: (member: TestMember) => test.call(saveProfile, { idcard: 'ab12345678' }, member),
  }
  for (const [like_in, give] of Object.entries(ways)) {
    const member = await registerByMail(test, `alike_${like_in}`)
    expect(await breakOf(member)).toBeNull()
    expect(await give(member)).toMatchObject({ code: 1 })
    expect(await breakOf(member)).toEqual(HELD)
    expect(await likenessesOf(member.id)).toMatchObject([{ like_user_id: ann.id, like_in }])
  }
})

it('an account that signs in on the device of an excluded player is held for staff', async () => {
  const owner = await registerByMail(test, 'device_owner')
  const remembered = await test.call(login, {
    account: owner.username,
    password: TEST_PASSWORD,
    remember: true,
  })
  const Cookie = remembered.headers.get('set-cookie')?.split(';')[0] ?? ''
  await test.call(takeBreak, { months: 6 }, { token: remembered.data.userinfo.token })
  const other = await registerByMail(test, 'device_other')
  expect(await breakOf(other)).toBeNull()
  const credentials = { account: other.username, password: TEST_PASSWORD }
  const signedIn = await test.call(login, credentials, { headers: { Cookie } })
  expect(await breakOf(signedIn.data.userinfo)).toEqual(HELD)
  expect(await likenessesOf(other.id)).toMatchObject([
    { like_user_id: owner.id, like_in: 'device' },
  ])
  // The owner's own sign-in resembles no other.
  expect(await likenessesOf(owner.id)).toHaveLength(1)
})

it('is released by a member of staff, once, and then is not held for the same again', async () => {
  const [finance, auditor] = [await addStaff(test, 'finance'), await addStaff(test, 'auditor')]
  const eve = await registerByMail(test, 'released_eve')
  await test.call(takeBreak, { months: 6 }, eve)
  await test.call(setPayInfo, card(OWN_CARD), eve)
  const bob = await registerByMail(test, 'released_bob')
  await test.call(setPayInfo, card(OWN_CARD), bob)
  const [found] = await likenessesOf(bob.id, auditor)
  if (!found) throw new Error('no likeness was found')
  const { needs } = (await test.call(startNeeds, {}, finance)).data
  expect(needs.map(({ need }) => need)).toContain('accounts_alike')

  const decision = { id: found.id, reason: 'a couple with one card' }
  expect(await test.call(releaseLikeness, decision, auditor)).toMatchObject({ code: 403 })
  expect(await test.call(releaseLikeness, { id: found.id, reason: ' ' }, finance)).toMatchObject({
    code: 400,
  })
  const owner = await staffSession(test)
  const both = await Promise.all([
    test.call(releaseLikeness, decision, finance),
    test.call(confirmLikeness, decision, owner),
  ])
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1])
  expect(both.find(({ code }) => code === 0)?.data).toMatchObject({ reason: 'already_decided' })
  const [decided] = await likenessesOf(bob.id)
  expect(decided).toMatchObject({ reason: 'a couple with one card', holds: false })
  const isReleased = decided?.state === 'released'
  const isExcluded = async () => (await breakOf(bob))?.kind === 'self_exclusion'
  expect(await isExcluded()).toBe(!isReleased)
  // Decided otherwise, with the reason and what was decided before in the log.
  const other = isReleased ? confirmLikeness : releaseLikeness
  const change = { id: found.id, reason: 'seen again' }
  const refused = await test.call(other, change, finance)
  expect(refused.data).toMatchObject({ reason: 'already_decided' })
  expect(await test.call(other, { ...change, again: 1 }, finance)).toMatchObject({ code: 1 })
  const rows = await test.call(listAuditRows, { subject: `player:${bob.id}`, limit: 1 }, owner)
  expect(rows.data.list[0]?.details).toMatchObject({
    before: { reason: 'a couple with one card' },
    after: { decided_by: finance.login.name, reason: 'seen again' },
  })
  expect(await isExcluded()).toBe(isReleased)
  await test.call(setPayInfo, card('5200828282828210'), bob)
  await test.call(setPayInfo, card(OWN_CARD), bob)
  expect(await likenessesOf(bob.id)).toHaveLength(1)
  expect(await test.call(releaseLikeness, { id: 999_999, reason: 'x' }, finance)).toMatchObject({
    http: 404,
  })
})

it('marks are found under an earlier key, and are made again under the present one', async () => {
  const database = await createTestDatabase()
  const { db } = database
  const ann = await addPlayer(database, { u: 0, name: 'keyed_ann' })
  const bob = await addPlayer(database, { u: 0 })
  const card = { kind: 'card', value: '4012888888881881' } as const
  const email = { kind: 'email', value: 'keyed_ann@example.org' } as const
  const cipher = secretCipher(KEY)
  await savePayMethod(
    { db, cipher, noteMark: markNoter(cipher), usdtContract: USDT_MAINNET_CONTRACT },
    {
      playerId: ann,
      kind: 'bank',
      number: card.value,
      label: 'ANN LEE',
      bankName: 'Bank',
      branchCode: '',
      branchName: '',
      note: '',
      network: '10.0.0.1',
    },
  )
  await note(db, { playerId: ann, ...email })
  await exclude(db, { playerId: ann, kind: 'self_exclusion', lasting: '6 months' })
  const later = secretCipher(`${KEY}, a year later`, [KEY])
  await note(db, { playerId: bob, ...card }, later)
  expect(await protectionNow(db, bob)).toMatchObject({ excludedBy: 'likeness' })

  expect(await markAccounts({ db, cipher: later })).toBeGreaterThanOrEqual(2)
  expect(await markAccounts({ db, cipher: later })).toBe(0)
  const ofAnn = await db.query<{ kind: string; hash: Buffer }>(
    'select kind, hash from protection.mark where player_id = $1 and key_id = $2 order by kind',
    [ann, later.keyId],
  )
  expect(ofAnn).toEqual(
    [card, email].map((mark) => ({ kind: mark.kind, hash: markOf(later, mark) })),
  )
  // No value is stored in the form in which it was given.
  const everything = JSON.stringify(await db.query('select mark::text from protection.mark'))
  expect(everything).not.toMatch(/4012888888881881|keyed_ann/)
})

it('an account that is anonymised gets no marks again under another key, also if its values were read before', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const anonymise = 'select own_account.anonymise(10)'
  async function addClosed(u: number) {
    const playerId = await addMemberWithData(database, { u })
    await changePlayer(database, playerId, `state = 'closed', closed_at = '2001-01-01'`)
    return playerId
  }
  const [cipher, later] = [secretCipher(KEY), secretCipher(`${KEY}, a year later`, [KEY])]
  await addClosed(1)
  await owner.query('update withdrawals.pay_method set key_id = $1', [cipher.keyId])
  expect(await owner.value(anonymise)).toBe(1)
  expect(await markAccounts({ db, cipher: later })).toBe(1)
  const marks = () => owner.query('select player_id, kind from protection.mark')
  expect(await marks()).toEqual([])

  const playerId = await addClosed(2)
  const read = [{ playerId, kind: 'email' as const, hash: Buffer.alloc(32) }]
  await answerAfter(database, {
    first: (tx) => tx.query(anonymise),
    second: () =>
      db.transaction((tx) =>
        noteEarlierMarks(tx, { cipher: later, players: [playerId], marks: read }),
      ),
  })
  expect(await marks()).toEqual([])
})

it.each([
  ['a.b+offers@gmail.com', 'ab@googlemail.com', true],
  ['a.b@example.org', 'ab@example.org', false],
  ['ann+1@example.org', 'ann@example.org', true],
  ['+1@example.org', '+2@example.org', false],
])('the mailbox of %s and of %s: the same is %s', (one, other, same) => {
  const keyed = secretCipher(KEY)
  const [a, b] = [one, other].map((value) =>
    markOf(keyed, { kind: 'email', value }).toString('hex'),
  )
  expect(a === b).toBe(same)
})

describe('a document’s number', () => {
  it.each([
    ['in Cyrillic letters', 'АВ 12345678'],
    ['in Greek letters', 'ΑΒ12345678'],
    ['with one Cyrillic letter, a small one', 'aв-12345678'],
    ['with Arabic digits', 'AB١٢٣٤٥٦٧٨'],
    ['with Devanagari digits', 'AB१२३४५६७८'],
    ['with wide characters', 'ＡＢ１２３４５６７８'],
    ['with marks on its letters', 'ÁB\u030112345678'],
    ['with brackets', 'AB123456(78)'],
    ['with wide brackets', 'AB123456（78）'],
    ['with an ideographic space', 'AB\u300012345678'],
    ['with a no-break space', 'AB\u00a012345678'],
    ['with a tab', 'AB\t12345678'],
    ['with a wide hyphen', 'AB－12345678'],
    ['with a dash', 'AB–12345678'],
    ['with the sign of a number', 'AB № 12345678'],
    ['with a mark of direction', 'AB\u200f12345678'],
    ['with a letter that is not seen', 'AB1234\u31645678'],
  ])('that is typed %s is the same one', (_how, typed) => {
    const keyed = secretCipher(KEY)
    const mark = (value: string) => markOf(keyed, { kind: 'document', value }).toString('hex')
    expect(isDocumentNumber(typed)).toBe(true)
    expect(mark(typed)).toBe(mark('AB12345678'))
  })

  it.each(['БГ123456', '粤A12345', 'กข 1234', 'ب-123456'])(
    '%s, which looks like no other, is accepted and compared as it is',
    (typed) => {
      expect(isDocumentNumber(typed)).toBe(true)
      expect(foldedDocument(typed)).toBe(typed.replaceAll(/[ -]/g, ''))
    },
  )

  it.each(['none', 'không có', 'tidak ada', '没有号码', 'لا يوجد'])(
    '%s, which many would write who have none, is refused',
    (typed) => {
      expect(isDocumentNumber(typed)).toBe(false)
    },
  )

  it.each([
    'ꓮB12345678',
    'ᎪB12345678',
    'ᴀB12345678',
    'AB₤12345',
    '123',
    '••••4567',
    '****4567',
    'A＊＊＊4567',
  ])('%s is refused', (typed) => {
    expect(isDocumentNumber(typed)).toBe(false)
  })

  it('that is sent back as it was shown stays as it is', async () => {
    const ann = await registerByMail(test, 'shown_ann')
    const { data } = await test.call(saveProfile, { idcard: 'ZK87651234' }, ann)
    const stored = () =>
      test.database.owner.query('select * from accounts.document where player_id = $1', [ann.id])
    const before = await stored()
    const saved = await test.call(saveProfile, { idcard: data.idcard, avatar: 'preset:2' }, ann)
    expect(saved).toMatchObject({ code: 1, data: { idcard: '••••1234', avatar: 'preset:2' } })
    expect(await stored()).toEqual(before)
    const fields = { idcard: expect.any(String) }
    const other = await test.call(saveProfile, { idcard: '••••5678' }, ann)
    expect(other).toMatchObject({ http: 400, data: { fields } })
  })
})
