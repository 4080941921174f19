/** The members of staff, as owners add, change, reset and close them, and what the database checks and locks then. */
import type { StaffRole } from '@sum28/contract/route.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import * as house from '@sum28/contract/staff-house-routes.ts'

import * as own from '@sum28/contract/staff-own-routes.ts'
import {
  confirmProposal,
  endProposal,
  listProposals,
} from '@sum28/contract/staff-proposal-routes.ts'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { describe, expect, it } from 'vitest'
import { callFunction } from '#src/db/database.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { confirm, propose } from '#testing/people/proposals.ts'
import {
  addStaff,
  codeOfTimeStep,
  currentStep,
  demoLogin,
  giveAddress,
  proofOf,
  signInStaff,
  staffSession,
  staffToken,
} from '#testing/people/staff.ts'
import {
  API_ALONE,
  answerTo,
  mailTo,
  shareTestApp,
  type TestApp,
  useWorkersApi,
} from '#testing/product/test-app.ts'

const test = useWorkersApi()

const refused = (reason: string) => ({ data: { reason } })
const malformed = (field: string) => ({ data: { fields: { [field]: expect.any(String) } } })

const ANN = {
  name: 'Ann',
  role: 'finance',
  email: 'Ann@Example.org',
  reason: 'joins on Monday',
} as const

/** What the list shows of a member, as a proposal names it. */
async function memberSeen(name: string, reader: { token: string }) {
  const { data } = await test.call(house.listMembers, { q: name }, reader)
  const found = data.find((each) => each.name === name)
  const { role, email, active } = found ?? {}
  return { seen_role: role, seen_email: email ?? undefined, seen_active: active ? 1 : 0 } as const
}

/** The name and first password in the link that was mailed last to an address. */
async function mailedLink(test: TestApp, email: string, earlier?: string) {
  const mail = await mailTo(test, email, ({ text }) => text !== earlier)
  const [, account = '', password = ''] = /\/console\/login#first=(.+):(\S+)/.exec(mail.text) ?? []
  return { account, password, text: mail.text }
}

/** Signs a member in for the first time, by what was mailed to him; returns the last reply. */
async function enrol(
  test: TestApp,
  { account, password }: { account: string; password: string },
): Promise<{ code: number }> {
  const begun = await test.call(own.beginEnrolment, { account, password })
  if (begun.code !== 1) return begun
  const totp = codeOfTimeStep(begun.data.secret, await currentStep(test))
  const new_password = 'a passphrase of her own'
  return test.call(own.confirmEnrolment, { account, password, totp, new_password })
}

const nameOf = async (test: TestApp, session: { token: string }) =>
  (await test.call(own.ownSession, {}, session)).data.name

describe('a house with one owner', () => {
  const test = shareTestApp(API_ALONE)

  it('adds a member by a fresh code of his: a mail links her to her first sign-in, for three days', async () => {
    const owner = await staffSession(test)
    const login = demoLogin(test, 'owner')
    expect((await test.call(own.ownSession, {}, owner)).data.decides_alone).toBe(true)
    expect(await answerTo(test.call(house.proposeMember, ANN, owner))).toBe('proof_required')
    const whole = { ...ANN, ...(await proofOf(test, login)) }
    expect(await test.call(house.proposeMember, whole, owner)).toMatchObject({
      data: { state: 'confirmed' },
    })
    // The proof is used, and so is its code. One by a passkey is alike: staff-passkeys.test.ts.
    const dan = { ...ANN, name: 'dan', email: 'dan@example.org' }
    expect(await answerTo(test.call(house.proposeMember, dan, owner))).toBe('proof_required')
    expect(await answerTo(test.call(house.proposeMember, { ...whole, role: 'owner' }, owner))).toBe(
      'account_or_password_wrong',
    )
    const find = async () => (await test.call(house.listMembers, { q: 'ann' }, owner)).data
    const ann = { name: 'ann', role: 'finance', email: 'ann@example.org', active: true }
    expect(await find()).toMatchObject([{ ...ann, last_sign_in: null, sessions: 0 }])
    const link = await mailedLink(test, 'ann@example.org')
    await test.database.owner.query(
      `update staff.member set password_ends_at = app.now() where name = 'ann'`,
    )
    expect(await enrol(test, link)).toMatchObject(refused('account_or_password_wrong'))
    const reset = { name: 'ann', seen_email: 'ann@example.org' }
    expect(await test.call(house.resetMember, reset, owner)).toMatchObject({ code: 1 })
    const second = await mailedLink(test, 'ann@example.org', link.text)
    expect(await enrol(test, second)).toMatchObject({ code: 1 })
    expect(await find()).toMatchObject([{ sessions: 1, last_sign_in: expect.any(Number) }])
    const { data } = await test.call(listAuditRows, { limit: 20, staff: 'owner' }, owner)
    expect(data.list.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['member_proposed', 'member_confirmed', 'staff_invited']),
    )
    expect(JSON.stringify(data)).not.toContain(second.password)
  })

  it('is none while another owner is there, and for seven days after his account was closed', async () => {
    const owner = await staffSession(test)
    const CLEO = { ...ANN, name: 'cleo', email: 'cleo@example.org' }
    const bob = await addStaff(test, 'owner')
    const decidesAlone = async () => (await test.call(own.ownSession, {}, owner)).data.decides_alone
    expect(await decidesAlone()).toBe(false)
    const proof = await proofOf(test, demoLogin(test, 'owner'))
    expect(await test.call(house.proposeMember, { ...CLEO, ...proof }, owner)).toMatchObject({
      data: { state: 'proposed' },
    })
    const [first] = (await test.call(listProposals, { subject: 'member:cleo' }, owner)).data.list
    const confirm = async (who: { token: string }) =>
      test.call(confirmProposal, { id: first?.id ?? 0 }, who)
    expect(await confirm(owner)).toMatchObject(refused('second_person_needed'))
    expect(await confirm(await staffSession(test, 'finance'))).toMatchObject({ code: 403 })
    expect(await confirm(bob)).toMatchObject({ data: { state: 'confirmed' } })
    expect(await enrol(test, await mailedLink(test, CLEO.email))).toMatchObject({ code: 1 })

    await test.call(house.closeMember, { name: bob.login.name }, owner)
    expect(await decidesAlone()).toBe(false)
    await test.database.owner.query(
      `update staff.member set closed_at = app.now() - interval '7 days' where name = $1`,
      [bob.login.name],
    )
    expect(await decidesAlone()).toBe(true)
  })
})

it('a member’s role and address are changed by two owners, once, and only as he was seen: an older form opens no closed account', async () => {
  const [one, two] = [await addStaff(test, 'owner'), await addStaff(test, 'owner')]
  const support = await addStaff(test, 'support')
  const { name } = support.login
  const seenNow = () => memberSeen(name, one)
  type Seen = Partial<Awaited<ReturnType<typeof seenNow>>>
  const propose = async (role: StaffRole, seen: Seen, who = one) => {
    const change = { ...ANN, name, role, email: 'new@example.org', ...seen }
    return test.call(house.proposeMember, change, who)
  }
  const waiting = async () => {
    const about = { subject: `member:${name}`, state: 'proposed' } as const
    const [proposal = expect.fail('none waits')] = (await test.call(listProposals, about, one)).data
      .list
    return proposal
  }
  const confirmLast = async () => test.call(confirmProposal, { id: (await waiting()).id }, two)
  const endLast = async () =>
    test.call(endProposal, { id: (await waiting()).id, reason: 'stale' }, two)
  const first = await seenNow()
  expect(await propose('finance', first)).toMatchObject({ data: { state: 'proposed' } })
  expect(await propose('auditor', first, two)).toMatchObject(refused('already_proposed'))
  expect((await waiting()).changes).toEqual([
    { what: 'role', before: 'support', after: 'finance' },
    { what: 'email', before: null, after: 'new@example.org' },
  ])
  await test.database.owner.query(`update staff.member set role = 'editor' where name = $1`, [name])
  expect(await confirmLast()).toMatchObject(refused('content_changed'))
  expect(await endLast()).toMatchObject({ code: 1 })
  expect(await propose('finance', await seenNow())).toMatchObject({ code: 1 })
  expect(await confirmLast()).toMatchObject({ code: 1 })
  // By the number of the member or by his name.
  const log = async (ask: object) =>
    (await test.call(listAuditRows, { limit: 100, ...ask }, one)).data.list
  const { data: members } = await test.call(house.listMembers, { q: name }, one)
  const rows = await log({ subject: `member:${name}` })
  expect(rows.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['signed_in', 'member_confirmed']),
  )
  expect(await log({ subject_kind: 'staff', subject_id: String(members[0]?.id) })).toEqual(rows)
  // At once, in the session that he has.
  expect((await test.call(own.ownSession, {}, support)).data.role).toBe('finance')
  const second = await seenNow()
  expect(await propose('finance', second)).toMatchObject(malformed('role'))

  expect(await propose('editor', second)).toMatchObject({ code: 1 })
  await test.call(house.closeMember, { name }, two)
  expect(await confirmLast()).toMatchObject(refused('content_changed'))
  await endLast()
  // Neither as if he were new, nor as he or his account was before.
  expect(await propose('editor', {})).toMatchObject(malformed('name'))
  for (const seen of [first, second])
    expect(await propose('editor', seen)).toMatchObject(refused('content_changed'))
  const third = await seenNow()
  expect(third).toEqual({ seen_role: 'finance', seen_email: 'new@example.org', seen_active: 0 })
  expect(await propose('editor', third)).toMatchObject({ code: 1 })
})

it('a colleague’s sessions are seen, and ended one by one by an owner', async () => {
  const owner = await staffSession(test)
  const support = await addStaff(test, 'support')
  const { name } = support.login
  const second = await signInStaff(test, support.login)
  const sessions = async () => (await test.call(house.memberSessions, { name }, owner)).data
  const [latest, ...others] = await sessions()
  expect(others).toHaveLength(1)
  const end = { id: latest?.id ?? 0 }
  expect(await test.call(house.endMemberSession, end, owner)).toMatchObject({ code: 1 })
  expect(await test.call(house.endMemberSession, end, owner)).toMatchObject(refused('not_found'))
  expect(await test.call(own.ownSession, {}, second)).toMatchObject({ code: 50012 })
  const { data: log } = await test.call(listAuditRows, { what: 'session_ended' }, owner)
  expect(log.list[0]?.details).toEqual({ name, session: latest?.id })
  expect(await nameOf(test, support)).toBe(name)
  const [ownOne] = (await test.call(own.ownSessions, {}, owner)).data
  expect(await answerTo(test.call(house.endMemberSession, { id: ownOne?.id ?? 0 }, owner))).toBe(
    'second_person_needed',
  )
  expect(await answerTo(test.call(house.memberSessions, { name: 'nobody' }, owner))).toBe(
    'not_found',
  )
})

it('a colleague’s account is reset and closed by another person, and its sessions end; a reset needs an address', async () => {
  const owner = await staffSession(test)
  for (const [name, refusal] of [
    ['owner', 'second_person_needed'],
    ['nobody', 'not_found'],
  ] as const) {
    const seen_email = 'ann@example.org'
    expect(await answerTo(test.call(house.resetMember, { name, seen_email }, owner))).toBe(refusal)
    expect(await answerTo(test.call(house.closeMember, { name }, owner))).toBe(refusal)
  }
  const [one, other] = [await addStaff(test, 'support'), await addStaff(test, 'support')]
  const { name, password, totpSecret } = one.login
  const reset = (seen_email = 'ann@example.org') =>
    answerTo(test.call(house.resetMember, { name, seen_email }, owner))
  expect(await reset()).toBe('email_missing')
  const email = await giveAddress(test, one.login)
  expect(await reset(email)).toBe('done')
  expect(await test.call(own.ownSession, {}, one)).toMatchObject({ http: 401, code: 50012 })
  const totp = codeOfTimeStep(totpSecret, (await currentStep(test)) + 1)
  const again = { account: name, password, totp }
  expect(await answerTo(test.call(staffLogin, again))).toBe('account_or_password_wrong')
  expect(await enrol(test, await mailedLink(test, email))).toMatchObject({ code: 1 })

  const close = (of: string) => answerTo(test.call(house.closeMember, { name: of }, owner))
  expect(await close(other.login.name.toUpperCase())).toBe('done')
  expect(await test.call(own.ownSession, {}, other)).toMatchObject({ http: 401, code: 50012 })
  expect([await close(name), await close(name)]).toEqual(['done', 'already_decided'])
  expect(await reset()).toBe('already_decided')
  const { data: members } = await test.call(house.listMembers, {}, owner)
  expect(members.find((each) => each.name === name)).toMatchObject({ active: false })
})

it('a reset mails to the address that the owner saw: who has changed it since gets no way in', async () => {
  const owner = await staffSession(test)
  const thief = await addStaff(test, 'support')
  const { name } = thief.login
  const hers = await giveAddress(test, thief.login)
  const his = `${name}@example.com`
  const change = { ...(await proofOf(test, thief.login)), email: his }
  expect(await test.call(own.changeOwn, change, thief)).toMatchObject({ code: 1 })
  const told = await mailTo(test, hers, ({ text }) =>
    text.includes('Its mail address was changed.'),
  )
  expect(told.text).toContain('he closes your account and opens it again with this address')
  const reset = (seen_email: string) => test.call(house.resetMember, { name, seen_email }, owner)
  expect(await reset(hers)).toMatchObject(refused('content_changed'))
  expect(await nameOf(test, thief)).toBe(name)
  expect(await reset(his)).toMatchObject({ code: 1 })
  await mailedLink(test, his)
  expect(await test.call(own.ownSession, {}, thief)).toMatchObject({ code: 50012 })
})

it('one’s own account gets another password or address after password and code, and the other sessions end', async () => {
  const editor = await addStaff(test, 'editor')
  const other = await signInStaff(test, editor.login)
  const change = async (fields: object) =>
    test.call(own.changeOwn, { ...(await proofOf(test, editor.login)), ...fields }, editor)
  const new_password = 'another long passphrase'
  expect(await answerTo(change({ new_password, totp: '000000' }))).toBe('account_or_password_wrong')
  expect(await change({})).toMatchObject(malformed('email'))
  expect(await answerTo(change({ new_password: editor.login.password }))).toBe('password_same')
  const colleague = await addStaff(test, 'support')
  const shared = await giveAddress(test, colleague.login)
  expect(await change({ email: shared.toUpperCase() })).toMatchObject({
    data: { reason: 'email_taken' },
    msg: 'A colleague has this email address',
  })
  const owners = { ...ANN, name: 'twin', email: shared }
  const owner = await staffSession(test)
  expect(await answerTo(test.call(house.proposeMember, owners, owner))).toBe('email_taken')
  expect(await change({ email: 'Ed@example.org' })).toMatchObject({ code: 1 })
  expect((await test.call(own.ownSession, {}, other)).data.email).toBe('ed@example.org')
  expect(await change({ new_password })).toMatchObject({ code: 1 })
  expect(await test.call(own.ownSession, {}, other)).toMatchObject({ code: 50012 })
  await mailTo(test, 'ed@example.org', ({ text }) => text.includes('Its password was changed.'))
  editor.login.password = new_password
  expect(await change({ email: 'edward@example.org' })).toMatchObject({ code: 1 })
  // To the earlier address: who changed it has the new one.
  await mailTo(test, 'ed@example.org', ({ text }) => text.includes('Its mail address was changed.'))
  expect(await nameOf(test, editor)).toBe(editor.login.name)
  expect(await signInStaff(test, editor.login)).toMatchObject({ token: expect.any(String) })
})

/** Two owners, and the sessions of both. */
async function stage() {
  const database = await createTestDatabase()
  await database.owner.query(
    `insert into staff.member (name, role, password_hash, encrypted_totp_secret, totp_key_id, enrolled_at)
     values ('ann', 'owner', '', '', '', app.now()), ('bob', 'owner', '', '', '', app.now())`,
  )
  const [ann, bob] = [
    await staffToken(database, { name: 'ann' }),
    await staffToken(database, { name: 'bob' }),
  ]
  const demote = (name: string, session: string) => {
    const before = { role: 'owner', email: null, active: true }
    const content = { name, role: 'support', before }
    return propose(database.db, { kind: 'member', subject: `member:${name}`, content, session })
  }
  return { ...database, database, sessions: { ann, bob }, demote }
}

it.each([
  ['the first closes the second', 'ann', 'bob'],
  ['the second closes the first', 'bob', 'ann'],
] as const)(
  'two members are locked in one order, whoever closes whom: %s',
  async (_how, by, name) => {
    const here = await stage()
    const late = await answerAfter(here, {
      first: (tx) => tx.query('select from staff.member where id = 1 for no key update'),
      second: () => callFunction(here.db, 'staff.close_colleague', name, here.sessions[by]),
      async whileWaiting(tx) {
        // While it waits for the first it holds nothing of the second.
        const free = 'select from staff.member where id = 2 for no key update nowait'
        expect(await tx.query(free)).toHaveLength(1)
      },
    })
    expect(late).toBe('closed')
  },
)

it('a change of a member is not one’s own, and one owner stays', async () => {
  const { db, owner, sessions, demote } = await stage()
  expect(await demote('ann', sessions.ann)).toBe('same_person')
  expect(await demote('bob', sessions.ann)).toBe('proposed')
  await owner.query(
    `update staff.member set active = false, closed_at = app.now() where name = 'ann'`,
  )
  expect(await confirm(db, 1, sessions.bob)).toBe('forbidden')
})

it('two owners who each confirm at once that they are none any more leave one', async () => {
  const { database, db, owner, sessions, demote } = await stage()
  await demote('ann', sessions.bob)
  await demote('bob', sessions.ann)
  const second = await answerAfter(database, {
    first: async (tx) => expect(await confirm(tx, 1, sessions.ann)).toBe('confirmed'),
    second: () => confirm(db, 2, sessions.bob),
  })
  expect(second).toBe('forbidden')
  const owners = `select name from staff.member where role = 'owner'`
  expect(await owner.query(owners)).toEqual([{ name: 'bob' }])
})

it('what is proposed about a colleague is seen by those who may read the data of staff', async () => {
  const [owner, named] = [await addStaff(test, 'owner'), await addStaff(test, 'editor')]
  // Not the only owner, who would decide alone.
  await addStaff(test, 'owner')
  const { name } = named.login
  const seen = await memberSeen(name, owner)
  const about = { ...ANN, name, role: 'auditor' as const, email: `${name}@example.org`, ...seen }
  expect(await test.call(house.proposeMember, about, owner)).toMatchObject({ code: 1 })
  const listed = async (reader: { token: string }, ask: object = {}) =>
    (await test.call(listProposals, { limit: 100, ...ask }, reader)).data.list
  const kinds = async (reader: { token: string }, ask: object = {}) =>
    (await listed(reader, ask)).map(({ kind }) => kind)
  for (const role of ['support', 'finance'] as const) {
    const reader = await addStaff(test, role)
    for (const ask of [{}, { kind: 'member' }, { q: owner.login.name }])
      expect(await kinds(reader, ask)).not.toContain('member')
    const proposed = await listed(reader, { state: 'proposed' })
    const waiting = proposed.filter(({ yours }) => yours !== null)
    const { needs } = (await test.call(startNeeds, {}, reader)).data
    const counts = needs
      .filter(({ need }) => need === 'proposals_waiting')
      .map(({ count }) => count)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(waiting.length)
  }
  expect(await kinds(await addStaff(test, 'auditor'), { q: owner.login.name })).toEqual(['member'])
})
