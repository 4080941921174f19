import { describe, expect, it } from 'vitest'
import { clearSession, readSession, storeProfile, storeSession } from '#src/data/session-watch.ts'
import { MemoryStorage } from '#src/testing/memory-storage.ts'

const userinfo = {
  user_id: 100284,
  id: 100284,
  token: 'a-token',
  money: '2845.60',
  version: '1',
  username: 'minh',
  group_id: 1,
  expires_in: 1800,
}

const profile = {
  username: 'minh',
  userid: 100284,
  id: 100284,
  user_id: 100284,
  email: 'm@example.org',
  avatar: '/avatars/3.webp',
  money: '99.00',
  held: '0.00',
  unread: 0,
  version: '2',
  today_profit: '0.00',
  profit: '0.00',
  group_id: 2,
  idcard: '***456',
  is_safety: true,
  net_position: '0.00',
}

describe('the stored session', () => {
  it('is kept under the keys that the product names', () => {
    const storage = new MemoryStorage()
    storeSession(storage, userinfo)
    storeProfile(storage, profile)
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at))
    expect(keys.sort()).toEqual(['avatar', 'group_id', 'id', 'idcard', 'money', 'token', 'userId'])
    expect(readSession(storage)).toEqual({
      token: 'a-token',
      userId: '100284',
      money: '99.00',
      groupId: '2',
    })
  })

  it('is none without a token', () => {
    const storage = new MemoryStorage()
    storage.setItem('userId', '7')
    expect(readSession(storage)).toBeNull()
  })

  it('takes no profile without a session', () => {
    const storage = new MemoryStorage()
    storeProfile(storage, profile)
    expect(storage.length).toBe(0)
  })

  it('keeps no data of the previous player', () => {
    const storage = new MemoryStorage()
    storeSession(storage, userinfo)
    storeProfile(storage, profile)
    storeSession(storage, { ...userinfo, id: 5, user_id: 5 })
    expect(storage.getItem('idcard')).toBeNull()
    expect(storage.getItem('avatar')).toBeNull()
  })

  it('keeps the line when it is cleared', () => {
    const storage = new MemoryStorage()
    storage.setItem('activeList', '1')
    storeSession(storage, userinfo)
    clearSession(storage)
    expect(storage.getItem('activeList')).toBe('1')
    expect(storage.length).toBe(1)
  })
})
