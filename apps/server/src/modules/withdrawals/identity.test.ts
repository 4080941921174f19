/** Identity: what a player sends to prove it, who sees it, and the withdrawals that wait for it. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import * as wire from '@sum28/contract/money-routes.ts'
import { protectionState } from '@sum28/contract/protection-routes.ts'
import * as staffWire from '@sum28/contract/staff-protection-routes.ts'
import { approveWithdrawal, listWithdrawals, oneWithdrawal } from '@sum28/contract/staff-routes.ts'
import { startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { strFromU8, unzipSync } from 'fflate'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { keysOf } from '#src/adapters/local-keys.ts'
import { openDatabase } from '#src/db/database.ts'
import { reencryptNumbers } from '#src/jobs/reencrypt-numbers.ts'
import { ownDataZip } from '#src/modules/own-account/make-own-data.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { moveMoney } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { loggedActions } from '#testing/database/stored-rows.ts'
import { memberWithMoney, withdraw } from '#testing/people/cashier.ts'
import { addSeatedPlayer, type SeatedPlayer } from '#testing/people/seated-player.ts'
import { addStaff } from '#testing/people/staff.ts'
import {
  API_ALONE,
  answerTo,
  expectSuccess,
  faultsOf,
  shareTestApp,
} from '#testing/product/test-app.ts'
import { picture } from '#testing/requests/pictures.ts'
import { forgetUnusedDocuments, yearsBetween } from './identity.ts'

const test = shareTestApp(API_ALONE)

const CARD = await picture('jpeg', { width: 80, height: 60 })
const FACTS = { name: 'Nguyễn Văn An', birth_date: '1990-02-28', address: '1 Lê Lợi, Huế' }

async function upload(
  member: SeatedPlayer,
  bytes: Buffer,
  { name = 'card.jpg', address = '127.0.0.1' } = {},
) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  const headers = { Token: member.token, 'x-forwarded-for': address }
  const reply = await test.fetch(wire.addIdentityPicture.path, {
    method: 'POST',
    body: form,
    headers,
  })
  return (await reply.json()) as { code: number; msg: string; data: Record<string, unknown> }
}

async function send(
  member: SeatedPlayer,
  change: Partial<typeof FACTS & { document: string }> = {},
) {
  return test.call(wire.sendIdentity, { ...FACTS, ...change }, member)
}

/** A player who has sent what proves his identity. */
async function sent() {
  const member = await addSeatedPlayer(test.database, { u: 10 })
  await upload(member, CARD)
  expectSuccess(await send(member))
  return member
}

/** Makes what a player has sent, and staff decided about it, so many days older. */
const makeOlder = (member: SeatedPlayer, days: number) =>
  test.database.owner.query(
    `with picture as (
       update withdrawals.identity_picture set added_at = added_at - interval '1 day' * $2::integer where player_id = $1)
     update withdrawals.identity set sent_at = sent_at - interval '1 day' * $2::integer,
       decided_at = decided_at - interval '1 day' * $2::integer where player_id = $1`,
    [member.id, days],
  )

/** Decides about what a player has sent. */
const decide = (member: SeatedPlayer, by: { token: string }, ask: object) =>
  test.call(staffWire.decideIdentity, { user_id: member.id, ...ask } as never, by)

/** What staff see who decide about it. */
const see = async (member: SeatedPlayer, by: { token: string }) =>
  (await test.call(staffWire.seeIdentity, { user_id: member.id }, by)).data

/** The latest message to a player. */
const latestMessage = (member: { id: number }) =>
  test.database.owner.one(
    'select kind, facts from inbox.message where player_id = $1 order by id desc limit 1',
    [member.id],
  )

const ACCEPTED = { version: 1, decision: 'accept' }
const REJECTED = { version: 1, decision: 'reject', reason: 'blurred' }

const stateOf = async (member: SeatedPlayer) =>
  (await test.call(wire.identityInfo, {}, member)).data

/** Why his bets and his deposits are held. */
const heldOf = (member: { id: number }) =>
  test.database.owner.one(
    `select (select reason from protection.judge_stakes(array[$1::integer], '{1}', app.now())) as bets,
       protection.why_held($1, 1, app.now()) as deposits`,
    [member.id],
  )

const HELD = { bets: 'under_review', deposits: 'review' }
const FREE = { bets: null, deposits: null }

describe('what a player sends', () => {
  it('is encrypted, read by staff with a row in the audit log for each look, and decided once', async () => {
    const member = await sent()
    expect(await stateOf(member)).toMatchObject({ state: 'waiting', pictures: 1, reason: null })
    const { owner, db } = test.database
    const stored = await owner.value<string>(
      `select encode(encrypted_facts, 'escape') || encode(encrypted_content, 'escape')
       from withdrawals.identity join withdrawals.identity_picture using (player_id) where player_id = $1`,
      [member.id],
    )
    for (const secret of ['Nguy', '1990', 'WEBP', 'RIFF']) expect(stored).not.toContain(secret)

    const { login, ...finance } = await addStaff(test, 'finance')
    const waitsFor = async (person: { token: string }) => {
      const { needs } = (await test.call(startNeeds, {}, person)).data
      return needs.filter(({ need }) => need === 'identities_waiting')
    }
    // Only who decides it can do it.
    expect(await waitsFor(finance)).toMatchObject([{ yours: true, count: 1 }])
    expect(await waitsFor(await addStaff(test, 'support'))).toMatchObject([{ yours: false }])
    const seen = await see(member, finance)
    expect(seen).toMatchObject({ ...FACTS, state: 'waiting', version: 1 })
    const shown = await sharp(Buffer.from(seen.pictures[0] ?? '', 'base64')).metadata()
    expect(shown).toMatchObject({ format: 'webp', width: 80, height: 60 })
    await see(member, finance)
    const looks = (await loggedActions(db)).filter(
      ({ action, subject }) => action === 'identity_seen' && subject === `player:${member.id}`,
    )
    expect(looks.map(({ staff }) => staff)).toEqual([login.name, login.name])

    const withoutReason = { version: 1, decision: 'reject' }
    expect(await faultsOf(decide(member, finance, withoutReason))).toEqual(['reason'])
    for (const [decision, answer] of [
      [{ ...ACCEPTED, version: 2 }, 'already_decided'],
      [ACCEPTED, 'done'],
      [REJECTED, 'already_decided'],
    ] as const) {
      expect(await answerTo(decide(member, finance, decision))).toBe(answer)
    }
    expect(await stateOf(member)).toMatchObject({ state: 'accepted' })
    expect(await waitsFor(finance)).toEqual([])
    const { data } = await test.call(staffWire.listIdentities, { user_id: member.id }, finance)
    expect(data.list).toMatchObject([{ state: 'accepted', decided_by: login.name }])
    for (const role of ['support', 'auditor'] as const) {
      const other = await addStaff(test, role)
      const refused = test.call(staffWire.seeIdentity, { user_id: member.id }, other)
      expect(await answerTo(refused)).toBe('forbidden')
    }
  })

  it('is not taken twice while it waits; rejected it is told why, and sent again with new pictures', async () => {
    const member = await sent()
    const finance = await addStaff(test, 'finance')
    expect(await answerTo(upload(member, CARD))).toBe('identity_sent')
    expect(await answerTo(send(member))).toBe('identity_sent')
    expect(await answerTo(test.call(wire.clearIdentityPictures, {}, member))).toBe('identity_sent')
    const reason = 'The card is cut off'
    expectSuccess(await decide(member, finance, { ...REJECTED, reason }))
    expect(await stateOf(member)).toMatchObject({ state: 'rejected', reason, pictures: 0 })
    expect(await latestMessage(member)).toEqual({ kind: 'identity_rejected', facts: { reason } })
    expect(await faultsOf(send(member))).toEqual(['file'])
    await upload(member, CARD)
    expectSuccess(await send(member))
    // The decision about the first is none about the second.
    expect(await answerTo(decide(member, finance, ACCEPTED))).toBe('already_decided')
    expect(await stateOf(member)).toMatchObject({ state: 'waiting' })
  })

  it('is shown to staff as it is compared: without marks that turn digits and letters round', async () => {
    const member = await addSeatedPlayer(test.database, { u: 10 })
    await upload(member, CARD)
    const turned = { name: '\u202eBình', document: '\u202e8765 4321\u200f' }
    // Before the time from which computers count.
    const old = { birth_date: '1945-05-08' }
    expectSuccess(await send(member, { ...turned, ...old }))
    const finance = await addStaff(test, 'finance')
    const shown = { name: 'Bình', document: '8765 4321', ...old, adult: true }
    expect(await see(member, finance)).toMatchObject(shown)
    expectSuccess(await decide(member, finance, ACCEPTED))
  })

  it('under age by his date of birth stops his bets and deposits at once, and waits for staff', async () => {
    const member = await addSeatedPlayer(test.database, { u: 10 })
    const year = new Date().getUTCFullYear()
    expect(await send(member, { birth_date: `${year + 1}-01-01` })).toMatchObject({ http: 400 })
    const reply = await send(member, { birth_date: `${year - 10}-01-01` })
    expect(reply).toMatchObject({ code: 0, data: { reason: 'adult_required' } })
    expect(reply.msg).toContain('18')
    expect(await heldOf(member)).toEqual(HELD)
    const { exclusion } = (await test.call(protectionState, {}, member)).data
    expect(exclusion).toEqual({ kind: 'under_age', until: null, may_ask_from: null })
    // Another date is not taken before staff have decided, who can only reject this one: it has no picture.
    expect(await answerTo(send(member))).toBe('identity_sent')
    const finance = await addStaff(test, 'finance')
    expect(await see(member, finance)).toMatchObject({ state: 'waiting', adult: false })
    const accept = (version: number) => decide(member, finance, { ...ACCEPTED, version })
    expect(await accept(1)).toMatchObject({ http: 400 })
    expectSuccess(await decide(member, finance, REJECTED))
    const sendAgain = async () => {
      await upload(member, CARD)
      expectSuccess(await send(member))
      return see(member, finance)
    }
    const { under_age_said_at: said, ...seen } = await sendAgain()
    expect(seen).toMatchObject({ adult: true, under_age_born: year - 10 })
    expect(await heldOf(member)).toEqual(HELD)
    expectSuccess(await accept(2))
    expect(await heldOf(member)).toEqual(FREE)

    // The document was not his: what he said first holds again.
    const ask = { user_id: member.id, version: 2, reason: 'of a parent' }
    const other = await addStaff(test, 'finance')
    expectSuccess(await test.call(staffWire.takeBackIdentity, ask, other))
    expect(await heldOf(member)).toEqual(HELD)
    const saidFirst = { under_age_born: year - 10, under_age_said_at: said }
    expect(await sendAgain()).toMatchObject(saidFirst)
    expectSuccess(await accept(3))
    expect(await heldOf(member)).toEqual(FREE)
  })

  it('of a child is accepted with a picture: his money is paid out, and he may not play on', async () => {
    const member = await memberWithMoney(test, 'identity_child', 300)
    const [owner, finance] = [await addStaff(test, 'owner'), await addStaff(test, 'finance')]
    await test.call(staffWire.setIdentityTerms, { asked_from: '100' }, owner)
    onTestFinished(async () => {
      await test.call(staffWire.setIdentityTerms, {}, owner)
    })
    const id = await withdraw(test, member, '200')
    await upload(member, CARD)
    const born = `${new Date().getUTCFullYear() - 10}-01-01`
    expect(await send(member, { birth_date: born })).toMatchObject({ code: 0 })
    const approve = () => answerTo(test.call(approveWithdrawal, { id }, finance))
    expect(await approve()).toBe('identity_missing')
    expectSuccess(await decide(member, finance, ACCEPTED))
    expect((await loggedActions(test.database.db, 1))[0]).toMatchObject({
      action: 'identity_accepted',
      details: { version: 1, under_age: true },
    })
    expect(await approve()).toBe('done')
    const { exclusion } = (await test.call(protectionState, {}, member)).data
    expect(exclusion).toMatchObject({ kind: 'under_age' })
    // Who may not play is not told that nothing more is needed.
    expect((await test.call(noticeList, {}, member)).data.zhannei).toContainEqual(
      expect.objectContaining({ content: '<p>Your documents were checked and accepted.</p>' }),
    )
    expect(await heldOf(member)).toEqual(HELD)
  })

  it('has at most four pictures, and no other files, whatever their names', async () => {
    const member = await addSeatedPlayer(test.database, { u: 10 })
    const pictures = async () => (await stateOf(member)).pictures
    const pdf = upload(member, Buffer.from('%PDF-1.7'), { name: 'passport.png' })
    expect(await answerTo(pdf)).toBe('upload_not_an_image')
    expect(await pictures()).toBe(0)
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => upload(member, CARD)))
    while ((await pictures()) < 4) expectSuccess(await upload(member, CARD))
    expect(await faultsOf(upload(member, CARD))).toEqual(['file'])
    expect(await pictures()).toBe(4)
    expectSuccess(await test.call(wire.clearIdentityPictures, {}, member))
    expect(await pictures()).toBe(0)
  })

  it('is in the file of his data, also when it is encrypted again with a new key', async () => {
    const member = await sent()
    const { db, owner } = test.database
    const [key = ''] = keysOf(test.config).secretKeys
    const next = 'another key of more than 32 characters'
    // As the owner: the API may not write what is encrypted.
    const reencrypt = (cipher: ReturnType<typeof secretCipher>) =>
      reencryptNumbers({ db: owner, cipher })
    expect(await reencrypt(secretCipher(next, [key]))).toMatchObject({ broken: [] })
    onTestFinished(async () => void (await reencrypt(secretCipher(key, [next]))))
    const pieces: Uint8Array[] = []
    const cipher = secretCipher(next)
    for await (const piece of ownDataZip({ db, cipher }, member.id)) pieces.push(piece)
    const methods = new Set<number>()
    const files = unzipSync(Buffer.concat(pieces), {
      filter({ compression }) {
        methods.add(compression)
        return true
      },
    })
    expect(JSON.parse(strFromU8(files['identity.json'] ?? new Uint8Array()))).toEqual({
      name: FACTS.name,
      birthDate: FACTS.birth_date,
      address: FACTS.address,
    })
    const image = await sharp(files['identity-picture-1.webp']).metadata()
    expect(image.format).toBe('webp')
    // Deflated, all of them: of a stored one whose size follows it some readers do not find the end.
    expect([...methods]).toEqual([8])
  })

  it('is kept if it is sent while what was never sent is forgotten', async () => {
    const { addresses } = test.database
    const member = await addSeatedPlayer(test.database, { u: 10 })
    await upload(member, CARD)
    await makeOlder(member, 8)
    const jobs = openDatabase(addresses.jobs)
    onTestFinished(() => jobs.close())
    const forgotten = await answerAfter(test.database, {
      first: (tx) =>
        tx.query(`select withdrawals.send_identity($1, '\\x01', 'k', null)`, [member.id]),
      second: () => forgetUnusedDocuments(jobs),
    })
    expect(forgotten).toBe(0)
    expect(await stateOf(member)).toMatchObject({ state: 'waiting', pictures: 1 })
  })
})

describe('documents that nobody needs', () => {
  it('are not taken of a player without money, and no more than so many a day of a network', async () => {
    const { owner } = test.database
    const poor = await addSeatedPlayer(test.database, { u: 0 })
    const kept = (member: SeatedPlayer) =>
      owner.query('select from withdrawals.identity_picture where player_id = $1', [member.id])
    expect(await upload(poor, CARD)).toMatchObject({
      msg: 'Documents can be sent once there is money in your balance',
      data: { reason: 'not_asked' },
    })
    expect(await kept(poor)).toEqual([])
    const held = await addSeatedPlayer(test.database, { u: 0 })
    const hold = (isHeld: boolean) =>
      owner.query('update protection.player set under_review = $2 where player_id = $1', [
        held.id,
        isHeld,
      ])
    await hold(true)
    expectSuccess(await upload(held, CARD))
    // Refused documents are sent again, also without money.
    expectSuccess(await send(held))
    expectSuccess(await decide(held, await addStaff(test, 'finance'), REJECTED))
    await hold(false)
    expectSuccess(await upload(held, CARD))
    const one = await addSeatedPlayer(test.database, { u: 10 })
    const other = await addSeatedPlayer(test.database, { u: 10 })
    const counters = await owner.column<Buffer>('select key from accounts.counter')
    expectSuccess(await upload(one, CARD, { address: '203.0.113.77' }))
    // The first one's own count, and his network's.
    await owner.query('update accounts.counter set tries = 100 where key <> all ($1)', [counters])
    const tooMany = upload(other, CARD, { address: '203.0.113.77' })
    expect(await answerTo(tooMany)).toBe('too_many_requests')
    expect(await kept(other)).toEqual([])
    expectSuccess(await upload(other, CARD, { address: '203.0.113.78' }))
  })

  it('are forgotten: unsent ones after a week, those without money or rejected after thirty days', async () => {
    const { owner, jobs } = test.database
    const finance = await addStaff(test, 'finance')
    const unsent = async () => {
      const member = await addSeatedPlayer(test.database, { u: 10 })
      await upload(member, CARD)
      return member
    }
    const poor = async () => {
      const member = await sent()
      const all = { playerId: member.id, micro: 10_000_000n, reference: `test:${member.id}` }
      await moveMoney(owner, 'adjustment_debit', all)
      return member
    }
    const rejected = async () => {
      const member = await sent()
      expectSuccess(await decide(member, finance, REJECTED))
      return member
    }
    const none = { state: 'none', pictures: 0, reason: null }
    const waiting = { state: 'waiting', pictures: 1 }
    const found: [SeatedPlayer, object][] = []
    for (const [make, days, state] of [
      [unsent, 6, { state: 'none', pictures: 1 }],
      [unsent, 8, none],
      [poor, 29, waiting],
      [poor, 31, none],
      [sent, 31, waiting],
      [rejected, 29, { state: 'rejected' }],
      // Whatever the money, also what was on them.
      [rejected, 31, none],
    ] as const) {
      const member = await make()
      await makeOlder(member, days)
      found.push([member, state])
    }
    expect(await forgetUnusedDocuments(jobs)).toBe(2)
    for (const [member, state] of found) expect(await stateOf(member)).toMatchObject(state)
  })
})

describe('a withdrawal', () => {
  it('waits for the identity from the sum on that an owner sets, says so, and is approved after it', async () => {
    const member = await memberWithMoney(test, 'identity_payee', 2_000)
    const owner = await addStaff(test, 'owner')
    const finance = await addStaff(test, 'finance')
    const terms = (asked_from?: string) =>
      answerTo(test.call(staffWire.setIdentityTerms, { asked_from }, owner))
    const askedFrom = async () =>
      (await test.call(staffWire.identityTerms, {}, finance)).data.asked_from
    const waits = async (id: number) => {
      const info = await test.call(wire.withdrawInfo, {}, member)
      const { data } = await test.call(oneWithdrawal, { id }, finance)
      expect(info.data.pending?.waits_for_identity).toBe(data.waits_for_identity)
      return data.waits_for_identity
    }
    const approve = (id: number) => answerTo(test.call(approveWithdrawal, { id }, finance))
    // Nothing is no sum, from which all would wait.
    expect([await terms('0'), await askedFrom()]).toEqual(['done', null])
    expect([await terms('500'), await askedFrom()]).toEqual(['done', '500.00'])
    // What was approved of another player does not count.
    const other = await memberWithMoney(test, 'identity_other', 2_000)
    expect(await approve(await withdraw(test, other, '300'))).toBe('done')
    const first = await withdraw(test, member, '300')
    expect(await waits(first)).toBe(false)
    expect(await approve(first)).toBe('done')
    // With what was approved before.
    const second = await withdraw(test, member, '200')
    expect(await waits(second)).toBe(true)
    expect(await approve(second)).toBe('identity_missing')
    await upload(member, CARD)
    await send(member)
    expect(await waits(second)).toBe(true)
    const { data: listed } = await test.call(listWithdrawals, { user_id: member.id }, finance)
    expect(listed.list).toMatchObject([
      // It is decided.
      { id: first, waits_for_identity: false },
      { id: second, waits_for_identity: true },
    ])
    await decide(member, finance, ACCEPTED)
    expect(await waits(second)).toBe(false)

    // The document is found false later.
    const reason = 'The document is forged'
    const takeBack = (by: { token: string }, version = 1) =>
      answerTo(test.call(staffWire.takeBackIdentity, { user_id: member.id, version, reason }, by))
    expect(await takeBack(finance, 2)).toBe('already_decided')
    // The pictures go, so it is another person than the one who accepted them.
    expect(await takeBack(finance)).toBe('second_person_needed')
    expect(await stateOf(member)).toMatchObject({ state: 'accepted', pictures: 1 })
    expect(await takeBack(owner)).toBe('done')
    expect(await takeBack(finance)).toBe('already_decided')
    expect((await loggedActions(test.database.db, 1))[0]).toMatchObject({
      action: 'identity_taken_back',
      subject: `player:${member.id}`,
      details: { version: 1, reason },
    })
    expect(await stateOf(member)).toMatchObject({ state: 'rejected', reason, pictures: 0 })
    expect(await latestMessage(member)).toEqual({ kind: 'identity_rejected', facts: { reason } })
    expect(await waits(second)).toBe(true)
    expect(await approve(second)).toBe('identity_missing')
    await upload(member, CARD)
    await send(member)
    await decide(member, finance, { ...ACCEPTED, version: 2 })
    expect(await approve(second)).toBe('done')
    expect([await terms(), await askedFrom()]).toEqual(['done', null])
    const [last] = await loggedActions(test.database.db, 1)
    expect(last).toMatchObject({
      action: 'identity_terms_set',
      staff: owner.login.name,
      details: { before: '500.00', after: null },
    })
  })
})

it('a year of age begins on the birthday', () => {
  expect(yearsBetween('2008-11-27', '2026-11-26')).toBe(17)
  expect(yearsBetween('2008-11-27', '2026-11-27')).toBe(18)
  expect(yearsBetween('2008-02-29', '2026-02-28')).toBe(17)
  expect(yearsBetween('2008-02-29', '2026-03-01')).toBe(18)
})
