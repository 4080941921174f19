/**
 * The session as the browser keeps it, in session storage: keys `token`, `userId`, `id`, `money`,
 * `group_id`, `idcard`, `avatar`. (`activeList`, the line, is the tab's and outlives a session.)
 */
import type { Profile, Userinfo } from '@sum28/contract/replies.ts'

export type Session = {
  readonly token: string
  readonly userId: string
  /** The last known balance, in wire form; screens fetch the present one. */
  readonly money: string
  /** 1 is a member, anything else a visitor. */
  readonly groupId: string
}

const KEYS = ['token', 'userId', 'id', 'money', 'group_id', 'idcard', 'avatar'] as const

/** The stored session, or null. */
export function readSession(storage: Storage): Session | null {
  const token = storage.getItem('token')
  if (!token) return null
  return {
    token,
    userId: storage.getItem('userId') ?? '',
    money: storage.getItem('money') ?? '0.00',
    groupId: storage.getItem('group_id') ?? '',
  }
}

/** Stores the reply of a sign-in in place of any session before it. */
export function storeSession(storage: Storage, userinfo: Userinfo): void {
  clearSession(storage)
  storage.setItem('token', userinfo.token)
  storage.setItem('userId', String(userinfo.user_id))
  storage.setItem('id', String(userinfo.id))
  storage.setItem('money', userinfo.money)
  storage.setItem('group_id', String(userinfo.group_id))
}

/** Updates the stored session from the profile. Does nothing without a session. */
export function storeProfile(storage: Storage, profile: Profile): void {
  if (!readSession(storage)) return
  storage.setItem('money', profile.money)
  storage.setItem('group_id', String(profile.group_id))
  storage.setItem('idcard', profile.idcard)
  storage.setItem('avatar', profile.avatar)
}

export function clearSession(storage: Storage): void {
  for (const key of KEYS) storage.removeItem(key)
}
