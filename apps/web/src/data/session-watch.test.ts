import { tabStorage } from '@sum28/ui/storage.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginSession, dropSession, keepProfile, storedSession } from '#src/data/session-watch.ts'
import { PROFILE, USERINFO } from '#src/testing/usual-replies.ts'

const CHANGED = { ...PROFILE, money: '99.00', group_id: 2, idcard: '***456' }

const keys = () => {
  const storage = tabStorage()
  return Array.from({ length: storage.length }, (_, at) => storage.key(at)).sort()
}

describe('the stored session', () => {
  beforeEach(() => {
    dropSession()
    tabStorage().clear()
  })

  it('is kept under the keys that the product names', () => {
    beginSession(USERINFO)
    keepProfile(CHANGED)
    expect(keys()).toEqual(['avatar', 'group_id', 'id', 'idcard', 'money', 'token', 'userId'])
    expect(storedSession()).toEqual({
      token: USERINFO.token,
      userId: '7',
      money: '99.00',
      groupId: '2',
    })
  })

  it('is none without a token', () => {
    tabStorage().setItem('userId', '7')
    expect(storedSession()).toBeNull()
  })

  it('takes no profile without a session', () => {
    keepProfile(CHANGED)
    expect(keys()).toEqual([])
  })

  it('keeps no data of the previous player', () => {
    beginSession(USERINFO)
    keepProfile(CHANGED)
    beginSession({ ...USERINFO, id: 5, user_id: 5 })
    expect(tabStorage().getItem('idcard')).toBeNull()
    expect(tabStorage().getItem('avatar')).toBeNull()
  })

  it('keeps the line when it is cleared', () => {
    tabStorage().setItem('activeList', '1')
    beginSession(USERINFO)
    dropSession()
    expect(keys()).toEqual(['activeList'])
  })
})
