import type { RequestOf } from '@sum28/contract/route.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { staffLogin, staffLogout } from '@sum28/contract/staff-routes.ts'
import { startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { login } from '@sum28/contract/user-routes.ts'
import { Secret } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { NAME_FREE, NETWORK_MINUTE_MAX } from '#src/modules/accounts/sign-in-guard.ts'
import {
  addStaff,
  codeOfTimeStep,
  currentStep,
  demoLogin,
  type StaffLogin,
  staffSession,
  wrongCode,
} from '#testing/people/staff.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { fillLane } from '#testing/product/fill-lane.ts'
import { FIRST_ROUND, timeOf } from '#testing/product/play-round.ts'
import { type Reply, shareTestApp, type TestApp, useWorkersApp } from '#testing/product/test-app.ts'

const app = useWorkersApp()
/** With limits, and a clock that stands still between the moves of its tests, all forward. */
const { log, lines } = captureLog()
const strict = shareTestApp({ RATE_LIMITS: 'on' }, { log })

const DAY_SECONDS = 86_400

type Attempt = Partial<RequestOf<typeof staffLogin>> & { test?: TestApp; from?: string }

/** Signs in with the present code, by default from the test's own network. */
async function signIn(member: StaffLogin, { test = app(), from, ...other }: Attempt = {}) {
  const totp = codeOfTimeStep(member.totpSecret, await currentStep(test))
  return test.call(
    staffLogin,
    { account: member.name, password: member.password, totp, ...other },
    // Only a proxy on this machine is trusted to name the client's address.
    { headers: { 'X-Forwarded-For': from ?? nextAddress() } },
  )
}

let addresses = 0
function nextAddress(): string {
  addresses += 1
  return `198.51.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`
}

/** A member who has signed in some time ago, so that codes of now are not used. */
async function freshMember(test = app()): Promise<StaffLogin> {
  const { login: member } = await addStaff(test, 'support')
  await forgetCodes(member, test)
  return member
}

async function forgetCodes({ name }: StaffLogin, { database }: TestApp = app()) {
  await database.owner.query('update staff.member set totp_time_step = 0 where name = $1', [name])
}

async function sessionCount({ name }: StaffLogin): Promise<number> {
  const rows = await app().database.owner.query(
    `select from staff.session join staff.member on member.id = staff_id
     where name = $1 and ended_at is null`,
    [name],
  )
  return rows.length
}

const WRONG = { http: 200, code: 0, data: { reason: 'account_or_password_wrong' } }

function comparableReply({ http, code, msg, data, headers }: Reply<unknown>) {
  return { http, code, msg, data, names: [...headers.keys()].sort() }
}

describe('signing staff in', () => {
  it('accepts the name, whatever its case, with password and code', async () => {
    const member = await freshMember()
    const reply = await signIn(member, { account: ` ${member.name.toUpperCase()} ` })
    expect(reply).toMatchObject({
      http: 200,
      code: 1,
      data: { name: member.name, role: 'support' },
    })
    expect(Buffer.from(reply.data.token, 'base64url')).toHaveLength(32)
    const { token } = reply.data
    expect(await app().call(staffLogout, {}, { token })).toMatchObject({ code: 1, data: null })
  })

  it('gives an unknown name, a wrong password and a wrong code the same answer', async () => {
    const member = await freshMember()
    const totp = wrongCode(member.totpSecret, await currentStep(app()))
    const replies = [
      await signIn(member, { password: 'something else' }),
      await signIn(member, { totp }),
      await signIn(member, { password: 'something else', totp }),
      await signIn({ ...member, name: 'nobody' }),
      await signIn({ ...member, name: 'no name that anybody can have' }),
    ].map(comparableReply)
    expect(replies[0]).toMatchObject(WRONG)
    for (const reply of replies) expect(reply).toEqual(replies[0])
    expect(await sessionCount(member)).toBe(1)
  })

  it('does the same work for an unknown name as for a wrong password or code: it hashes each time', async () => {
    const member = await freshMember()
    const totp = wrongCode(member.totpSecret, await currentStep(app()))
    const kinds: Record<string, () => Promise<unknown>> = {
      unknown: () => signIn({ ...member, name: 'nobody' }),
      'no name': () => signIn({ ...member, name: 'no name that anybody can have' }),
      password: () => signIn(member, { password: 'something else' }),
      code: () => signIn(member, { totp }),
    }
    const { end } = await fillLane('staff')
    // If no more can be hashed, the refused call was about to have its password hashed.
    const held = { http: 429, data: { reason: 'too_many_requests', retry_after: 2 } }
    for (const [kind, attempt] of Object.entries(kinds)) {
      expect([kind, await attempt()]).toMatchObject([kind, held])
    }
    await end()
    for (const [kind, attempt] of Object.entries(kinds)) {
      expect([kind, await attempt()]).toMatchObject([kind, WRONG])
    }
  })

  it('refuses a code that was used, and every earlier one', async () => {
    const member = await freshMember()
    const step = await currentStep(app())
    const used = codeOfTimeStep(member.totpSecret, step)
    expect(await signIn(member, { totp: used })).toMatchObject({ code: 1 })
    expect(await signIn(member, { totp: used })).toMatchObject(WRONG)
    expect(
      await signIn(member, { totp: codeOfTimeStep(member.totpSecret, step - 1) }),
    ).toMatchObject(WRONG)
    expect(
      await signIn(member, { totp: codeOfTimeStep(member.totpSecret, step + 1) }),
    ).toMatchObject({
      code: 1,
    })
  })

  it.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])('judges the code of %i steps of 30 s from now: %s', async (offset, good) => {
    const test = strict()
    const member = await freshMember(test)
    await test.database.freezeClock(FIRST_ROUND + 3_600_000)
    const totp = codeOfTimeStep(member.totpSecret, (await currentStep(test)) + offset)
    expect((await signIn(member, { test, totp })).code).toBe(good ? 1 : 0)
  })

  it('makes one session of one code that is sent many times at once', async () => {
    const member = await freshMember()
    const before = await sessionCount(member)
    const totp = codeOfTimeStep(member.totpSecret, await currentStep(app()))
    const replies = await Promise.all(Array.from({ length: 8 }, () => signIn(member, { totp })))
    expect(replies.filter(({ code }) => code === 1)).toHaveLength(1)
    expect(await sessionCount(member)).toBe(before + 1)
  })

  it('asks for a code of six digits', async () => {
    const member = await freshMember()
    for (const totp of ['12345', '1234567', 'abcdef']) {
      expect(await signIn(member, { totp })).toMatchObject({ http: 400 })
    }
    // Without one it counts like any other try.
    expect(await signIn(member, { totp: '' })).toMatchObject(WRONG)
  })

  it('allows no sign-in to a closed account', async () => {
    const member = await freshMember()
    await app().database.owner.query('update staff.member set active = false where name = $1', [
      member.name,
    ])
    expect(await signIn(member)).toMatchObject(WRONG)
  })

  it('does not work for players, nor theirs for staff', async () => {
    const member = await freshMember()
    const reply = await app().call(login, { account: member.name, password: member.password })
    expect(reply).toMatchObject(WRONG)
  })
})

/** A product with limits whose clock stands still, one of its members, and what is wrong from many networks. */
async function limited() {
  const test = strict()
  await test.database.freezeClock(await timeOf(test))
  const member = await freshMember(test)
  const wrong = wrongCode(member.totpSecret, await currentStep(test))
  const held = ({ http }: Reply<unknown>) => http === 429
  return {
    ...{ test, member, held },
    /** How many of these tries were checked, each from another network. */
    async checked(times: number, attempt: Attempt): Promise<number> {
      const replies: Reply<unknown>[] = []
      for (let n = 0; n < times; n += 1) {
        replies.push(await signIn(member, { test, from: nextAddress(), ...attempt }))
      }
      for (const reply of replies) if (!held(reply)) expect(reply).toMatchObject(WRONG)
      return replies.filter((reply) => !held(reply)).length
    },
    /** With his right password and a wrong code. */
    guessCode: (totp = wrong) => signIn(member, { test, totp }),
    async later(seconds: number) {
      await test.database.owner.query(
        'update app.test_clock set frozen_at = frozen_at + make_interval(secs => $1)',
        [seconds],
      )
    },
  }
}

describe('tries', () => {
  const other = { password: 'something else' }

  it('of one name from many networks are limited, and then wait; the member signs in from his own', async () => {
    const { test, member, checked, held, later } = await limited()
    expect(await checked(NAME_FREE + 10, other)).toBe(NAME_FREE)
    // The right password is not checked there either, and an unknown name is held in the same way.
    expect(held(await signIn(member, { test }))).toBe(true)
    expect(await checked(NAME_FREE + 10, { ...other, account: 'nobody' })).toBe(NAME_FREE)
    await later(1)
    expect(await checked(2, other)).toBe(1)
    await later(1)
    expect(await checked(1, other)).toBe(0)
    // `freshMember` signed him in from this machine.
    expect(await signIn(member, { test, from: '127.0.0.1' })).toMatchObject({ code: 1 })
  })

  it('with the right password have five codes from all networks together, and then wait up to a day', async () => {
    const { test, member, guessCode, later } = await limited()
    for (let n = 0; n < 4; n += 1) expect(await guessCode()).toMatchObject(WRONG)
    expect(await signIn(member, { test })).toMatchObject({ code: 1 })
    await forgetCodes(member, test)

    for (let n = 0; n < 5; n += 1) expect(await guessCode()).toMatchObject(WRONG)
    // Not even the right code is checked, where he has signed in neither; the reply is the same.
    const tries = [
      () => signIn(member, { test }),
      () => signIn(member, { test, from: '127.0.0.1' }),
    ]
    for (const attempt of tries) expect(await attempt()).toMatchObject(WRONG)
    let wait = 1
    for (let n = 0; n < 20; n += 1) {
      await later(wait)
      expect(await guessCode()).toMatchObject(WRONG)
      wait = Math.min(2 * wait, DAY_SECONDS)
    }
    expect(wait).toBe(DAY_SECONDS)
    await later(DAY_SECONDS - 60)
    expect(await signIn(member, { test })).toMatchObject(WRONG)

    const shownTo = async (name: 'owner' | 'finance') => {
      const { needs } = (await test.call(startNeeds, {}, await staffSession(test, name))).data
      return needs.some(({ need }) => need === 'staff_codes_guessed')
    }
    expect(await shownTo('owner')).toBe(true)
    expect(await shownTo('finance')).toBe(false)
    await later(60)
    expect(await signIn(member, { test })).toMatchObject({ code: 1 })
    expect(await shownTo('owner')).toBe(false)
  })

  it('that fail are logged once a minute for a name', async () => {
    const { test, member, checked, later } = await limited()
    const logged = async () => {
      const rows = await test.database.owner.query(
        `select from staff.audit join staff.member on member.id = audit.staff_id
         where name = $1 and action = 'sign_in_failed'`,
        [member.name],
      )
      return rows.length
    }
    await checked(3, other)
    await Promise.all(Array.from({ length: 10 }, () => signIn(member, { test, ...other })))
    expect(await logged()).toBe(1)
    await later(60)
    await Promise.all(Array.from({ length: 10 }, () => signIn(member, { test, ...other })))
    expect(await logged()).toBe(2)
  })
})

describe('many names from one network', () => {
  it('are blocked before a password is hashed; another network and right ones are not', async () => {
    const { test, member, later } = await limited()
    const [from, elsewhere] = [nextAddress(), nextAddress()]
    const guess = (n: number) => signIn({ ...member, name: `name_${n}` }, { test, from })
    const replies = []
    for (let n = 0; n < NETWORK_MINUTE_MAX + 5; n += 1) replies.push(await guess(n))
    const held = replies.slice(NETWORK_MINUTE_MAX)
    for (const reply of replies.slice(0, NETWORK_MINUTE_MAX)) expect(reply).toMatchObject(WRONG)
    for (const reply of held) {
      expect(reply).toMatchObject({ http: 429, data: { reason: 'too_many_requests' } })
      expect(Number(reply.headers.get('retry-after'))).toBe(60)
    }
    // The same for existing and unknown names, and none of it is recorded as a failed sign-in.
    expect(comparableReply(await signIn(member, { test, from }))).toEqual(
      comparableReply(held[0] as Reply<unknown>),
    )
    expect(await signIn(member, { test, from: elsewhere })).toMatchObject({ code: 1 })

    await later(61)
    await forgetCodes(member, test)
    expect(await signIn(member, { test, from })).toMatchObject({ code: 1 })
  })

  it('find no member by a letter beyond ASCII that only looks like one of his name', async () => {
    const member = await freshMember()
    const account = member.name.replace('s', '\u017f').replace('k', '\u212a')
    expect(account).not.toBe(member.name)
    expect(await signIn(member, { account })).toMatchObject(WRONG)
  })
})

describe('the log of a sign-in', () => {
  it('records sign-ins, sign-outs and failures, and nothing secret', async () => {
    const test = strict()
    const { login: member } = await addStaff(test, 'finance')
    await forgetCodes(member, test)
    const totp = codeOfTimeStep(member.totpSecret, await currentStep(test))
    const from = nextAddress()
    await signIn(member, { test, totp: '000000', password: 'not-my-password', from })
    await signIn({ ...member, name: 'nobody' }, { test, totp, from })
    const { token } = (await signIn(member, { test, totp, from })).data
    await test.call(staffLogout, {}, { token })

    const owner = await staffSession(test)
    const { list } = (await test.call(listAuditRows, {}, owner)).data
    expect(list.filter(({ staff }) => staff === member.name).slice(0, 3)).toMatchObject([
      { action: 'signed_out' },
      { action: 'signed_in', details: { address: from } },
      { action: 'sign_in_failed', details: { address: from } },
    ])

    const file = demoLogin(test, 'owner')
    const secrets = [member, file].flatMap(({ password, totpSecret }) => [password, totpSecret])
    const output = lines.join('\n') + JSON.stringify(list)
    expect(lines.length).toBeGreaterThan(3)
    for (const secret of [...secrets, 'not-my-password', token, owner.token, `"${totp}"`]) {
      expect(output).not.toContain(secret)
    }
  })

  it('finds no password and no code in the tables', async () => {
    const member = await freshMember()
    await signIn(member)
    const rows = await app().database.owner.query<{ row: string }>(
      `select member::text as row from staff.member
       union all select session::text from staff.session
       union all select counter::text from accounts.counter`,
    )
    const text = rows.map(({ row }) => row).join('\n')
    const { hex } = Secret.fromBase32(member.totpSecret)
    for (const secret of [member.password, member.totpSecret, hex.toLowerCase()]) {
      expect(text).not.toContain(secret)
    }
  })
})
