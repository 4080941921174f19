/**
 * The session as the browser keeps it, in session storage: keys `token`, `userId`, `id`, `money`,
 * `group_id`, `idcard`, `avatar`. (`activeList`, the line, is the device's and outlives a session.)
 */
import type { Profile, Userinfo } from '@sum28/contract/replies.ts'

export type Session = {
  readonly token: string
  readonly userId: string
  /** The balance when it was last heard, in wire form; screens ask the server. */
  readonly money: string
  /** 1 is a member, anything else a visitor. */
  readonly groupId: string
}

const KEYS = ['token', 'userId', 'id', 'money', 'group_id', 'idcard', 'avatar'] as const

/** The session, or null where nobody is signed in. */
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

/** Keeps what a sign-in answered; nothing of a session before it stays. */
export function storeSession(storage: Storage, userinfo: Userinfo): void {
  clearSession(storage)
  storage.setItem('token', userinfo.token)
  storage.setItem('userId', String(userinfo.user_id))
  storage.setItem('id', String(userinfo.id))
  storage.setItem('money', userinfo.money)
  storage.setItem('group_id', String(userinfo.group_id))
}

/** Keeps what the profile says anew. Without a session nothing is kept. */
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
