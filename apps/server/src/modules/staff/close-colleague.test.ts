/** Who works here, seen and closed by the owner's calls. */

import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { closeMember, listMembers } from '@sum28/contract/staff-house-routes.ts'
import { describe, expect, it } from 'vitest'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { useWorkersApp } from '#testing/product/test-app.ts'

const app = useWorkersApp()

describe('a colleague’s account', () => {
  it('is closed by the owner: its sessions end, and the log says by whom', async () => {
    const test = app()
    const owner = await staffSession(test)
    const support = await addStaff(test, 'support')
    const { name } = support.login
    const find = async () =>
      (await test.call(listMembers, {}, owner)).data.find((each) => each.name === name)
    expect(await find()).toMatchObject({ role: 'support', active: true })
    expect(await test.call(closeMember, { name: name.toUpperCase() }, owner)).toMatchObject({
      code: 1,
      data: null,
    })
    expect(await find()).toMatchObject({ active: false })
    expect(await test.call(listAuditRows, {}, support)).toMatchObject({ http: 401, code: 50012 })
    expect(await test.call(closeMember, { name }, owner)).toMatchObject({
      data: { reason: 'already_decided' },
    })
    const { data: log } = await test.call(listAuditRows, { limit: 1 }, owner)
    expect(log).toMatchObject({
      list: [{ action: 'staff_closed', staff: 'owner', details: { name } }],
    })
  })

  it('must be another’s and exist, and only the owner closes it', async () => {
    const test = app()
    const owner = await staffSession(test)
    expect(await test.call(closeMember, { name: 'owner' }, owner)).toMatchObject({
      data: { reason: 'second_person_needed' },
    })
    expect(await test.call(closeMember, { name: 'nobody' }, owner)).toMatchObject({
      http: 404,
      data: { reason: 'not_found', field: 'name' },
    })
    expect(await test.call(closeMember, { name: '' }, owner)).toMatchObject({
      code: 400,
      data: { fields: { name: expect.any(String) } },
    })
    const finance = await staffSession(test, 'finance')
    expect(await test.call(closeMember, { name: 'owner' }, finance)).toMatchObject({ code: 403 })
    expect(await test.call(listMembers, {}, finance)).toMatchObject({ code: 403 })
  })

  it('of an owner remains when two owners close each other at once', async () => {
    const test = app()
    for (let time = 0; time < 5; time += 1) {
      const [ann, bob] = [await addStaff(test, 'owner'), await addStaff(test, 'owner')]
      const replies = await Promise.all([
        test.call(closeMember, { name: bob.login.name }, ann),
        test.call(closeMember, { name: ann.login.name }, bob),
      ])
      expect(replies.filter(({ code }) => code === 1)).toHaveLength(1)
    }
  })
})
