import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { staffLogout } from '@sum28/contract/staff-routes.ts'
import { describe, expect, it } from 'vitest'
import { hashSecret } from '#src/modules/accounts/session.ts'
import { stopClock } from '#testing/database/test-database.ts'
import { addStaff, type StaffSession, signInStaff, staffSession } from '#testing/people/staff.ts'
import { shareTestApp } from '#testing/product/test-app.ts'
import { closeStaff } from './make-staff.ts'

const app = shareTestApp()

const visit = ({ token }: StaffSession) => app().call(listAuditRows, { limit: 1 }, { token })
const REFUSED = {
  unknown: { http: 401, code: 50008, data: { reason: 'session_unknown' } },
  replaced: { http: 401, code: 50012, data: { reason: 'session_replaced' } },
  expired: { http: 401, code: 50014, data: { reason: 'session_expired' } },
}

/** Ages a session by this many seconds. */
async function age(
  { token }: StaffSession,
  { begun = 0, seen = 0 }: { begun?: number; seen?: number },
) {
  await app().database.owner.query(
    `update staff.session set created_at = created_at - make_interval(secs => $2),
       seen_at = seen_at - make_interval(secs => $3) where token_hash = $1`,
    [hashSecret(token), begun, seen],
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

  it('ends when the member is made inactive', async () => {
    const byRow = await addStaff(app(), 'auditor')
    await app().database.owner.query('update staff.member set active = false where name = $1', [
      byRow.login.name,
    ])
    expect(await visit(byRow)).toMatchObject(REFUSED.replaced)

    const closed = await addStaff(app(), 'auditor')
    expect(await closeStaff(app().app.db, { name: closed.login.name, by: 'test' })).toBeNull()
    expect(await visit(closed)).toMatchObject(REFUSED.replaced)
  })

  it('ends after fifteen minutes without a call', async () => {
    await stopClock(app().database)
    const member = await addStaff(app(), 'auditor')
    await age(member, { seen: 895 })
    expect(await visit(member)).toMatchObject({ code: 1 })
    await age(member, { seen: 895 })
    expect(await visit(member)).toMatchObject({ code: 1 })
    await age(member, { seen: 901 })
    expect(await visit(member)).toMatchObject(REFUSED.expired)
  })

  it('ends after twelve hours, however busy', async () => {
    await stopClock(app().database)
    const member = await addStaff(app(), 'auditor')
    await age(member, { begun: 12 * 3_600 - 10 })
    expect(await visit(member)).toMatchObject({ code: 1 })
    await age(member, { begun: 11 })
    expect(await visit(member)).toMatchObject(REFUSED.expired)
  })

  it('outlives a restart of the product', async () => {
    const owner = await staffSession(app())
    await app().restart()
    expect(await visit(owner)).toMatchObject({ code: 1 })
    expect((await staffSession(app())).token).toBe(owner.token)
  })
})
