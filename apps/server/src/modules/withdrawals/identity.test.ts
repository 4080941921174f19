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
import { exclude } from '#src/modules/protection/protection-store.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { loggedActions } from '#testing/database/stored-rows.ts'
import { memberWithMoney, withdraw } from '#testing/people/cashier.ts'
import { addSeatedPlayer, type SeatedPlayer } from '#testing/people/seated-player.ts'
import { addStaff } from '#testing/people/staff.ts'
import { API_ALONE, shareTestApp } from '#testing/product/test-app.ts'
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
  return (await reply.json()) as { code: number; data: Record<string, unknown> }
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
  expect(await send(member)).toMatchObject({ code: 1 })
  return member
}

/** Decides about what a player has sent. */
const decide = (member: SeatedPlayer, by: { token: string }, ask: object) =>
  test.call(staffWire.decideIdentity, { user_id: member.id, ...ask } as never, by)

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
    const seen = await test.call(staffWire.seeIdentity, { user_id: member.id }, finance)
    expect(seen.data).toMatchObject({ ...FACTS, state: 'waiting', version: 1 })
    const shown = await sharp(Buffer.from(seen.data.pictures[0] ?? '', 'base64')).metadata()
    expect(shown).toMatchObject({ format: 'webp', width: 80, height: 60 })
    await test.call(staffWire.seeIdentity, { user_id: member.id }, finance)
    const looks = (await loggedActions(db)).filter(
      ({ action, subject }) => action === 'identity_seen' && subject === `player:${member.id}`,
    )
    expect(looks.map(({ staff }) => staff)).toEqual([login.name, login.name])

    const first = { version: 1, decision: 'accept' }
    for (const [change, answer] of [
      [{ decision: 'reject' }, { data: { fields: { reason: expect.any(String) } } }],
      [{ version: 2 }, { data: { reason: 'already_decided' } }],
      [{}, { code: 1 }],
      [{ decision: 'reject', reason: 'blurred' }, { data: { reason: 'already_decided' } }],
    ] as const) {
      expect(await decide(member, finance, { ...first, ...change })).toMatchObject(answer)
    }
    expect(await stateOf(member)).toMatchObject({ state: 'accepted' })
    expect(await waitsFor(finance)).toEqual([])
    const { data } = await test.call(staffWire.listIdentities, { user_id: member.id }, finance)
    expect(data.list).toMatchObject([{ state: 'accepted', decided_by: login.name }])
    for (const role of ['support', 'auditor'] as const) {
      const other = await addStaff(test, role)
      const refused = await test.call(staffWire.seeIdentity, { user_id: member.id }, other)
      expect(refused).toMatchObject({ http: 403, data: { reason: 'forbidden' } })
    }
  })

  it('is not taken twice while it waits; rejected it is told why, and sent again with new pictures', async () => {
    const member = await sent()
    const finance = await addStaff(test, 'finance')
    const refused = { data: { reason: 'identity_sent' } }
    expect(await upload(member, CARD)).toMatchObject(refused)
    expect(await send(member)).toMatchObject(refused)
    expect(await test.call(wire.clearIdentityPictures, {}, member)).toMatchObject(refused)
    const rejection = { version: 1, decision: 'reject', reason: 'The card is cut off' }
    expect(await decide(member, finance, rejection)).toMatchObject({ code: 1 })
    expect(await stateOf(member)).toMatchObject({
      state: 'rejected',
      reason: 'The card is cut off',
      pictures: 0,
    })
    const [message] = await test.database.owner.query<{ kind: string; facts: object }>(
      'select kind, facts from inbox.message where player_id = $1 order by id desc limit 1',
      [member.id],
    )
    expect(message).toEqual({ kind: 'identity_rejected', facts: { reason: 'The card is cut off' } })
    expect(await send(member)).toMatchObject({
      http: 400,
      data: { fields: { file: expect.any(String) } },
    })
    await upload(member, CARD)
    expect(await send(member)).toMatchObject({ code: 1 })
    // The decision about the first is none about the second.
    const late = await decide(member, finance, { version: 1, decision: 'accept' })
    expect(late).toMatchObject({ data: { reason: 'already_decided' } })
    expect(await stateOf(member)).toMatchObject({ state: 'waiting' })
  })

  it('is shown to staff as it is compared: without marks that turn digits and letters round', async () => {
    const member = await addSeatedPlayer(test.database, { u: 10 })
    await upload(member, CARD)
    const turned = { name: '\u202eBình', document: '\u202e8765 4321\u200f' }
    expect(await send(member, turned)).toMatchObject({ code: 1 })
    const finance = await addStaff(test, 'finance')
    const seen = await test.call(staffWire.seeIdentity, { user_id: member.id }, finance)
    expect(seen.data).toMatchObject({ name: 'Bình', document: '8765 4321' })
  })

  it.each(['1945-05-08', '1969-12-31'])('is of somebody born on %s too', async (born) => {
    const member = await addSeatedPlayer(test.database, { u: 10 })
    await upload(member, CARD)
    expect(await send(member, { birth_date: born })).toMatchObject({ code: 1 })
    const finance = await addStaff(test, 'finance')
    const seen = await test.call(staffWire.seeIdentity, { user_id: member.id }, finance)
    expect(seen.data).toMatchObject({ birth_date: born, adult: true })
    const accepted = { version: 1, decision: 'accept' }
    expect(await decide(member, finance, accepted)).toMatchObject({ code: 1 })
  })

  it('under age by his date of birth stops his bets and deposits at once, and waits for staff', async () => {
    const member = await addSeatedPlayer(test.database, { u: 10 })
    const year = new Date().getUTCFullYear()
    expect(await send(member, { birth_date: `${year + 1}-01-01` })).toMatchObject({ http: 400 })
    const reply = await send(member, { birth_date: `${year - 10}-01-01` })
    expect(reply).toMatchObject({ code: 0, data: { reason: 'adult_required' } })
    expect(reply.msg).toContain('18')
    const held = () => heldOf(member)
    expect(await held()).toEqual(HELD)
    const { exclusion } = (await test.call(protectionState, {}, member)).data
    expect(exclusion).toEqual({ kind: 'under_age', until: null, may_ask_from: null })
    // Another date is not taken before staff have decided, who can only reject this one: it has no picture.
    expect(await send(member)).toMatchObject({ data: { reason: 'identity_sent' } })
    const finance = await addStaff(test, 'finance')
    const see = async () =>
      (await test.call(staffWire.seeIdentity, { user_id: member.id }, finance)).data
    expect(await see()).toMatchObject({ state: 'waiting', adult: false })
    const accepted = (version: number) => decide(member, finance, { version, decision: 'accept' })
    expect(await accepted(1)).toMatchObject({ http: 400 })
    const rejection = { version: 1, decision: 'reject', reason: 'no' }
    expect(await decide(member, finance, rejection)).toMatchObject({ code: 1 })
    await upload(member, CARD)
    expect(await send(member)).toMatchObject({ code: 1 })
    expect(await see()).toMatchObject({
      adult: true,
      under_age_born: year - 10,
      under_age_said_at: expect.any(Number),
    })
    expect(await held()).toEqual(HELD)
    expect(await accepted(2)).toMatchObject({ code: 1 })
    expect(await held()).toEqual(FREE)

    // The document was not his: what he said first holds again.
    const said = (await see()).under_age_said_at
    const ask = { user_id: member.id, version: 2, reason: 'of a parent' }
    const other = await addStaff(test, 'finance')
    expect(await test.call(staffWire.takeBackIdentity, ask, other)).toMatchObject({ code: 1 })
    expect(await held()).toEqual(HELD)
    await upload(member, CARD)
    expect(await send(member)).toMatchObject({ code: 1 })
    expect(await see()).toMatchObject({ under_age_born: year - 10, under_age_said_at: said })
    expect(await accepted(3)).toMatchObject({ code: 1 })
    expect(await held()).toEqual(FREE)
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
    const approve = () => test.call(approveWithdrawal, { id }, finance)
    expect(await approve()).toMatchObject({ data: { reason: 'identity_missing' } })
    const accepted = { version: 1, decision: 'accept' }
    expect(await decide(member, finance, accepted)).toMatchObject({ code: 1 })
    expect((await loggedActions(test.database.db, 1))[0]).toMatchObject({
      action: 'identity_accepted',
      details: { version: 1, under_age: true },
    })
    expect(await approve()).toMatchObject({ code: 1 })
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
    const pdf = Buffer.from('%PDF-1.7')
    expect(await upload(member, pdf, { name: 'passport.png' })).toMatchObject({
      data: { reason: 'upload_not_an_image' },
    })
    expect(await stateOf(member)).toMatchObject({ pictures: 0 })
    const other = await addSeatedPlayer(test.database, { u: 10 })
    const replies = await Promise.all([1, 2, 3, 4, 5, 6].map(() => upload(other, CARD)))
    for (let more = replies.filter(({ code }) => code === 1).length; more < 4; more += 1) {
      expect(await upload(other, CARD)).toMatchObject({ code: 1 })
    }
    expect(await upload(other, CARD)).toMatchObject({
      data: { fields: { file: expect.any(String) } },
    })
    expect(await stateOf(other)).toMatchObject({ pictures: 4 })
    expect(await test.call(wire.clearIdentityPictures, {}, other)).toMatchObject({ code: 1 })
    expect(await stateOf(other)).toMatchObject({ pictures: 0 })
  })

  it('is in the file of his data, encrypted again with a new key, and deleted with his account', async () => {
    const member = await sent()
    const { db, owner } = test.database
    const [key = ''] = keysOf(test.config).secretKeys
    const methods = new Set<number>()
    const unzipped = async (cipher: ReturnType<typeof secretCipher>) => {
      const pieces: Uint8Array[] = []
      for await (const piece of ownDataZip({ db, cipher }, member.id)) pieces.push(piece)
      return unzipSync(Buffer.concat(pieces), {
        filter({ compression }) {
          methods.add(compression)
          return true
        },
      })
    }
    const next = secretCipher('another key of more than 32 characters', [key])
    // As the owner: the API may not write what is encrypted.
    const done = await reencryptNumbers({ db: owner, cipher: next })
    expect(done.broken).toEqual([])
    const files = await unzipped(secretCipher('another key of more than 32 characters'))
    expect(JSON.parse(strFromU8(files['identity.json'] ?? new Uint8Array()))).toEqual({
      name: FACTS.name,
      birthDate: FACTS.birth_date,
      address: FACTS.address,
    })
    const image = await sharp(files['identity-picture-1.webp']).metadata()
    expect(image.format).toBe('webp')
    // Deflated, all of them: of a stored one whose size follows it some readers do not find the end.
    expect([...methods]).toEqual([8])
    await owner.query(
      `update accounts.player set state = 'closed', closed_at = app.now() - interval '10 years' where id = $1`,
      [member.id],
    )
    await owner.query('select own_account.anonymise(100)')
    const left = await owner.query(
      `select player_id from withdrawals.identity where player_id = $1
       union all select player_id from withdrawals.identity_picture where player_id = $1`,
      [member.id],
    )
    expect(left).toEqual([])
    // Back to the key of the running server.
    await reencryptNumbers({
      db: owner,
      cipher: secretCipher(key, ['another key of more than 32 characters']),
    })
  })

  it('is forgotten after a week if it was never sent', async () => {
    const { owner } = test.database
    const member = await addSeatedPlayer(test.database, { u: 10 })
    const other = await sent()
    await upload(member, CARD)
    await owner.query(
      `update withdrawals.identity_picture set added_at = added_at - interval '8 days' where player_id = any ($1)`,
      [[member.id, other.id]],
    )
    expect(await forgetUnusedDocuments(owner)).toBe(1)
    expect([(await stateOf(member)).pictures, (await stateOf(other)).pictures]).toEqual([0, 1])
  })

  it('is kept if it is sent while what was never sent is forgotten', async () => {
    const { owner, addresses } = test.database
    const member = await addSeatedPlayer(test.database, { u: 10 })
    await upload(member, CARD)
    await owner.query(
      `update withdrawals.identity_picture set added_at = added_at - interval '8 days' where player_id = $1`,
      [member.id],
    )
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
    await owner.query('update protection.player set under_review = true where player_id = $1', [
      held.id,
    ])
    expect(await upload(held, CARD)).toMatchObject({ code: 1 })
    // Refused documents are sent again, also without money.
    expect(await send(held)).toMatchObject({ code: 1 })
    const no = { version: 1, decision: 'reject', reason: 'blurred' }
    expect(await decide(held, await addStaff(test, 'finance'), no)).toMatchObject({ code: 1 })
    await owner.query('update protection.player set under_review = false where player_id = $1', [
      held.id,
    ])
    expect(await upload(held, CARD)).toMatchObject({ code: 1 })
    const one = await addSeatedPlayer(test.database, { u: 10 })
    const other = await addSeatedPlayer(test.database, { u: 10 })
    const counters = await owner.column<Buffer>('select key from accounts.counter')
    expect(await upload(one, CARD, { address: '203.0.113.77' })).toMatchObject({ code: 1 })
    // The first one's own count, and his network's.
    await owner.query('update accounts.counter set tries = 100 where key <> all ($1)', [counters])
    const refused = { data: { reason: 'too_many_requests' } }
    expect(await upload(other, CARD, { address: '203.0.113.77' })).toMatchObject(refused)
    expect(await kept(other)).toEqual([])
    expect(await upload(other, CARD, { address: '203.0.113.78' })).toMatchObject({ code: 1 })
  })

  it('are forgotten after thirty days, if their player has no money any more', async () => {
    const { owner } = test.database
    const rich = await sent()
    const [poor, lately] = [
      await addSeatedPlayer(test.database, { u: 0 }),
      await addSeatedPlayer(test.database, { u: 0 }),
    ]
    await owner.query(
      `with old as (
         update withdrawals.identity set sent_at = sent_at - interval '31 days' where player_id = $1 returning *),
       older as (
         update withdrawals.identity_picture set added_at = added_at - interval '31 days' where player_id = $1 returning *),
       picture as (
         insert into withdrawals.identity_picture (player_id, encrypted_content, key_id, added_at)
         select $2, encrypted_content, key_id, added_at from older)
       insert into withdrawals.identity (player_id, state, version, encrypted_facts, key_id, sent_at)
       select $2::integer, state, version, encrypted_facts, key_id, sent_at from old
       union all select $3::integer, state, version, encrypted_facts, key_id, sent_at + interval '2 days' from old`,
      [rich.id, poor.id, lately.id],
    )
    expect(await forgetUnusedDocuments(owner)).toBe(1)
    expect(await stateOf(poor)).toMatchObject({ state: 'none', pictures: 0 })
    expect(await stateOf(rich)).toMatchObject({ state: 'waiting', pictures: 1 })
    expect(await stateOf(lately)).toMatchObject({ state: 'waiting' })
  })

  it('are forgotten thirty days after they were rejected, also what was on them, whatever the money', async () => {
    const { owner, jobs } = test.database
    const finance = await addStaff(test, 'finance')
    const [old, lately] = [await sent(), await sent()]
    const rejection = { version: 1, decision: 'reject', reason: 'of another person' }
    for (const member of [old, lately]) {
      expect(await decide(member, finance, rejection)).toMatchObject({ code: 1 })
    }
    await owner.query(
      `update withdrawals.identity set decided_at = decided_at - interval '1 day' * case player_id when $1 then 31 else 29 end
       where player_id in ($1, $2)`,
      [old.id, lately.id],
    )
    await forgetUnusedDocuments(jobs)
    expect(await stateOf(old)).toMatchObject({ state: 'none', reason: null })
    expect(await stateOf(lately)).toMatchObject({ state: 'rejected' })
  })
})

describe('a withdrawal', () => {
  it('waits for the identity from the sum on that an owner sets, says so, and is approved after it', async () => {
    const member = await memberWithMoney(test, 'identity_payee', 2_000)
    const owner = await addStaff(test, 'owner')
    const finance = await addStaff(test, 'finance')
    const terms = (asked_from?: string) =>
      test.call(staffWire.setIdentityTerms, { asked_from }, owner)
    const denied = await test.call(staffWire.setIdentityTerms, { asked_from: '1' }, finance)
    expect(denied.http).toBe(403)
    const waits = async (id: number) => {
      const info = await test.call(wire.withdrawInfo, {}, member)
      const { data } = await test.call(oneWithdrawal, { id }, finance)
      expect(info.data.pending?.waits_for_identity).toBe(data.waits_for_identity)
      return data.waits_for_identity
    }
    const approve = (id: number) => test.call(approveWithdrawal, { id }, finance)
    // Nothing is no sum, from which all would wait.
    expect(await terms('0')).toMatchObject({ code: 1 })
    expect((await test.call(staffWire.identityTerms, {}, owner)).data).toEqual({ asked_from: null })
    expect(await terms('500')).toMatchObject({ code: 1 })
    // What was approved of another player does not count.
    const other = await memberWithMoney(test, 'identity_other', 2_000)
    expect(await approve(await withdraw(test, other, '300'))).toMatchObject({ code: 1 })
    const first = await withdraw(test, member, '300')
    expect(await waits(first)).toBe(false)
    expect(await approve(first)).toMatchObject({ code: 1 })
    // With what was approved before.
    const second = await withdraw(test, member, '200')
    expect(await waits(second)).toBe(true)
    const { data: decided } = await test.call(oneWithdrawal, { id: first }, finance)
    expect(decided.waits_for_identity).toBe(false)
    expect(await approve(second)).toMatchObject({ code: 0, data: { reason: 'identity_missing' } })
    await upload(member, CARD)
    await send(member)
    expect(await waits(second)).toBe(true)
    const { data: listed } = await test.call(listWithdrawals, { user_id: member.id }, finance)
    expect(listed.list.find(({ id }) => id === second)).toMatchObject({ waits_for_identity: true })
    await decide(member, finance, { version: 1, decision: 'accept' })
    expect(await waits(second)).toBe(false)

    // The document is found false later.
    const takeBack = (by: { token: string }, version = 1) => {
      const ask = { user_id: member.id, version, reason: 'The document is forged' }
      return test.call(staffWire.takeBackIdentity, ask, by)
    }
    expect(await takeBack(await addStaff(test, 'support'))).toMatchObject({ http: 403 })
    const tooLate = { data: { reason: 'already_decided' } }
    expect(await takeBack(finance, 2)).toMatchObject(tooLate)
    // The pictures go, so it is another person than the one who accepted them.
    expect(await takeBack(finance)).toMatchObject({ data: { reason: 'second_person_needed' } })
    expect(await stateOf(member)).toMatchObject({ state: 'accepted', pictures: 1 })
    expect(await takeBack(owner)).toMatchObject({ code: 1 })
    expect(await takeBack(finance)).toMatchObject(tooLate)
    expect((await loggedActions(test.database.db, 1))[0]).toMatchObject({
      action: 'identity_taken_back',
      subject: `player:${member.id}`,
      details: { version: 1, reason: 'The document is forged' },
    })
    expect(await stateOf(member)).toMatchObject({
      state: 'rejected',
      reason: 'The document is forged',
      pictures: 0,
    })
    expect(
      await test.database.owner.query(
        'select kind, facts from inbox.message where player_id = $1 order by id desc limit 1',
        [member.id],
      ),
    ).toEqual([{ kind: 'identity_rejected', facts: { reason: 'The document is forged' } }])
    expect(await waits(second)).toBe(true)
    expect(await approve(second)).toMatchObject({ code: 0, data: { reason: 'identity_missing' } })
    await upload(member, CARD)
    await send(member)
    await decide(member, finance, { version: 2, decision: 'accept' })
    expect(await approve(second)).toMatchObject({ code: 1 })
    expect(await terms()).toMatchObject({ code: 1 })
    const { data } = await test.call(staffWire.identityTerms, {}, finance)
    expect(data.asked_from).toBeNull()
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

it('a second account that sends the name and date of birth of an excluded player is held for staff', async () => {
  const first = await sent()
  const { db, owner } = test.database
  await exclude(db, { playerId: first.id, kind: 'time_out', lasting: '48 hours' })
  const second = await addSeatedPlayer(test.database, { u: 10 })
  await upload(second, CARD)
  // In other letters and another order.
  expect(await send(second, { name: 'an  VAN nguyen' })).toMatchObject({ code: 1 })
  expect(
    await owner.query(
      `select like_player, like_in, holds from protection.exclusion where player_id = $1`,
      [second.id],
    ),
  ).toContainEqual({ like_player: first.id, like_in: 'person', holds: true })
})
