/**
 * Sessions: a token of 256 random bits, kept by the client and stored as its hash. A session ends after 30 minutes
 * without a call, after 24 hours in any case, at logout, and when the password changes or the account is frozen.
 */
import { hash, randomBytes } from 'node:crypto'
import type { Database, Queryable } from '#src/db/database.ts'
import { readTogether } from '#src/db/shared-reads.ts'
import type { Caller, FindCaller } from '#src/http/caller.ts'
import { refuse } from '#src/refusal/refusal.ts'
import {
  addSession,
  doubtfulSessions,
  type SessionRow,
  sessionsByHash,
  touchSessions,
} from './account-store.ts'

export const SESSION_IDLE_SECONDS = 1_800
const SESSION_SECONDS_MAX = 86_400

/** How old `seen_at` may become before a call updates it. */
const TOUCH_EVERY_MS = 60_000

/** The hash under which a token, or a remembered device's secret, is stored. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** 256 random bits as text. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * Begins a session for a player who has proved who he is.
 *
 * @param passwordHash of the account when it was proved: after another password no session begins
 * @returns its token, which is stored nowhere; null if the account has changed meanwhile
 */
export async function startSession(
  db: Queryable,
  player: { playerId: number; passwordHash: string | null; netAtStart: bigint },
): Promise<string | null> {
  const token = newSecret()
  return (await addSession(db, { ...player, tokenHash: hashSecret(token) })) ? token : null
}

/**
 * Makes the function that finds a token's owner. Simultaneous reads share a query; so do simultaneous notes of use,
 * of which a thousand players cause as many in the same second of each minute.
 */
export function sessionFinder(db: Database): FindCaller {
  const read = readTogether<string, SessionRow>((hashes) => sessionsByHash(db, hashes))
  const touch = readTogether<string, true>(async (hashes) => {
    await touchSessions(db, hashes)
    return new Map()
  })
  return async (token) => {
    const tokenHash = hashSecret(token)
    const session = await read(tokenHash.toString('hex'))
    if (!session || session.endedBy === 'logout') return refuse('session_unknown')
    // The player who closed the account may not have got the reply, and may send the call again.
    if (session.endedBy === 'closed') {
      return refuse('session_replaced', { cause: 'account_closed' })
    }
    if (session.endedBy || session.frozen) return refuse('session_replaced')
    const idleMs = session.now - session.seenAt
    const ageMs = session.now - session.createdAt
    if (idleMs > SESSION_IDLE_SECONDS * 1000 || ageMs > SESSION_SECONDS_MAX * 1000) {
      return refuse('session_expired')
    }
    if (idleMs > TOUCH_EVERY_MS) await touch(session.tokenHash)
    return callerOf(session, tokenHash)
  }
}

/** Those of some sessions that have ended, or that a call has to renew; all others are in use. */
export function sessionsInDoubt(db: Queryable, tokenHashes: readonly Buffer[]): Promise<Buffer[]> {
  return doubtfulSessions(db, tokenHashes, {
    idleMs: TOUCH_EVERY_MS,
    ageMs: SESSION_SECONDS_MAX * 1000,
  })
}

function callerOf(session: SessionRow, tokenHash: Buffer): Caller {
  return {
    playerId: session.playerId,
    groupId: session.groupId,
    username: session.username,
    netAtStart: session.netAtStart,
    tokenHash,
  }
}
