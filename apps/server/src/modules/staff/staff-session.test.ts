import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { staffLogout } from '@sum28/contract/staff-routes.ts'
import { describe, expect, it } from 'vitest'
import { hashSecret } from '#src/modules/accounts/session.ts'
import { stopClock } from '#testing/database/test-database.ts'
import { addStaff, type StaffSession, signInStaff, staffSession } from '#testing/people/staff.ts'
import { shareTestApp } from '#testing/product/test-app.ts'

const app = shareTestApp()

const visit = ({ token }: StaffSession) => app().call(listAuditRows, { limit: 1 }, { token })
const REFUSED = {
  unknown: { http: 401, code: 50008, data: { reason: 'session_unknown' } },
  expired: { http: 401, code: 50014, data: { reason: 'session_expired' } },
}

/** Lets so many seconds pass since the last call of a session. */
async function age({ token }: StaffSession, seconds: number) {
  await app().database.owner.query(
    `update staff.session set seen_at = seen_at - make_interval(secs => $2) where token_hash = $1`,
    [hashSecret(token), seconds],
  )
}

describe('a session of staff', () => {
  it('is stored only as the hash of its token', async () => {
    const { token } = await addStaff(app(), 'auditor')
    const rows = await app().database.owner.query<{ token_hash: Buffer }>(
      'select token_hash from staff.session',
    )
    const stored = rows.map(({ token_hash }) => token_hash.toString('hex'))
    expect(stored).toContain(hashSecret(token).toString('hex'))
    expect(stored).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })

  it('ends at the logout, and another of the same member does not', async () => {
    const first = await addStaff(app(), 'auditor')
    const second = await signInStaff(app(), first.login)
    expect(await app().call(staffLogout, {}, first)).toMatchObject({ code: 1, data: null })
    expect(await visit(first)).toMatchObject(REFUSED.unknown)
    expect(await app().call(staffLogout, {}, first)).toMatchObject(REFUSED.unknown)
    expect(await visit(second)).toMatchObject({ code: 1 })
  })

  it('ends after fifteen minutes without a call', async () => {
    await stopClock(app().database)
    const member = await addStaff(app(), 'auditor')
    await age(member, 895)
    expect(await visit(member)).toMatchObject({ code: 1 })
    await age(member, 895)
    expect(await visit(member)).toMatchObject({ code: 1 })
    await age(member, 901)
    expect(await visit(member)).toMatchObject(REFUSED.expired)
  })

  it('outlives a restart of the product', async () => {
    const owner = await staffSession(app())
    await app().restart()
    expect(await visit(owner)).toMatchObject({ code: 1 })
    expect((await staffSession(app())).token).toBe(owner.token)
  })
})
