import type { Database, Queryable } from '#src/db/database.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal/refusal.ts'
import { type Account, accountById, accountByName, whyNotToSignIn } from './account-store.ts'
import { hashing } from './hashing.ts'
import {
  type PasskeyAnswer,
  type PasskeyDeps,
  purposeIn,
  type RelyingParty,
  usePasskey,
} from './passkeys.ts'
import { checkFactor, type FactorDeps, isWrongCode } from './second-factor.ts'
import { type SignInGuard, signInName } from './sign-in-guard.ts'

/** What a signed-in player proves again before an important action. */
export type PasswordProof = {
  playerId: number
  username: string
  password: string
  /** As `networkOf` names it. */
  network: string
}

/**
 * Checks the password of a signed-in player. A wrong one counts like a wrong sign-in, so that the thief of a session
 * cannot use this call to guess the password.
 *
 * @param wrong the reason to refuse with if the password is wrong
 * @returns the hash of the right password, or the refusal: `wrong`, or too_many_requests with the seconds to wait
 */
export async function provePassword(
  { db, guard }: { db: Database; guard: SignInGuard },
  { playerId, username, password, network }: PasswordProof,
  wrong: 'old_password_wrong' | 'password_wrong' = 'password_wrong',
): Promise<string | null | Refusal> {
  const account = await accountById(db, playerId)
  const counted = await guard.count({ name: username, playerId, network })
  if (isRefusal(counted)) return counted
  const hash = account?.passwordHash ?? null
  const right = await hashing.players.verify(password, hash, network)
  if (isRefusal(right)) {
    await guard.notChecked(counted)
    return right
  }
  if (!right) return counted.ifWrong ?? refuse(wrong)
  await guard.right(counted)
  return hash
}

/**
 * Checks a name and a password; answer and time are the same whether or not the account exists.
 *
 * @param signIn `account`: a user name or an address, as typed; `network` as `networkOf` names it
 * @param secondFactor checks what else this sign-in needs; a wrong code counts like a wrong password
 * @returns the account, or account_or_password_wrong, account_locked, account_closed, password_reset_required or a
 * refusal of the second factor (these only if the password was right) or too_many_requests, with the seconds to wait
 */
export async function logIn(
  { db, guard }: { db: Database; guard: SignInGuard },
  { account: name, password, network }: { account: string; password: string; network: string },
  secondFactor: (account: Account) => ReturnType<typeof checkFactor>,
): Promise<Account | Refusal> {
  const account = await accountByName(db, signInName(name))
  const counted = await guard.count({ name, playerId: account?.id ?? null, network })
  if (isRefusal(counted)) return counted
  const right = await hashing.strangers.verify(password, account?.passwordHash ?? null, network)
  if (isRefusal(right)) {
    await guard.notChecked(counted)
    return right
  }
  if (!account || !right) return counted.ifWrong ?? refuse('account_or_password_wrong')
  const closed = whyNotToSignIn(account)
  const asked = closed ? null : await secondFactor(account)
  const missing = isRefusal(asked) ? asked : null
  if (!missing) await guard.right(counted)
  // A wrong code stays counted, and whoever has only the password must not reset the count of the name with it.
  else if (!isWrongCode(missing)) await guard.notChecked(counted)
  return closed ?? missing ?? account
}

export const SIGN_IN = 'sign in'

/**
 * Checks a passkey's answer to a challenge to sign in.
 *
 * @returns the account, or a refusal of `usePasskey`
 */
export function logInByPasskey(
  deps: PasskeyDeps,
  tried: { answer: PasskeyAnswer; party: RelyingParty; network: string },
): Promise<Account | Refusal> {
  return usePasskey(deps, { ...tried, purpose: SIGN_IN, playerId: null })
}

const PROOF_SECONDS = 300

/**
 * Takes the proof of a signed-in player that it is him: his password, with a code if his second factor is on, or a
 * passkey's answer to a challenge of this session. The thief of a session has neither.
 *
 * @returns null, or password_wrong, session_replaced, too_many_requests, or a refusal of `checkFactor` or `usePasskey`
 */
export async function prove(
  deps: PasskeyDeps & FactorDeps,
  player: {
    playerId: number
    username: string
    session: Buffer
    party: RelyingParty
    network: string
    proof: { password: string; code?: string | undefined } | PasskeyAnswer
  },
): Promise<Refusal | null> {
  const { proof, session, ...who } = player
  const purpose = purposeIn(session, 'prove')
  const proved =
    'password' in proof
      ? await provePassword(deps, { ...who, password: proof.password })
      : await usePasskey(deps, { ...who, answer: proof, purpose })
  if (isRefusal(proved)) return proved
  const asked = 'password' in proof ? await checkFactor(deps, { ...who, code: proof.code }) : null
  if (isRefusal(asked)) return asked
  const noted = await deps.db.query(
    `update accounts.session set proved_at = app.now() where token_hash = $1 and ended_at is null
     returning player_id`,
    [session],
  )
  return noted.length === 1 ? null : refuse('session_replaced')
}

/** Refuses with proof_required if the player of a session has not proved a moment ago that it is him. */
export async function requireProof(db: Queryable, session: Buffer): Promise<Refusal | null> {
  const proved = await db.query(
    `select from accounts.session where token_hash = $1
       and proved_at between app.now() - make_interval(secs => $2) and app.now()`,
    [session, PROOF_SECONDS],
  )
  return proved.length === 1 ? null : refuse('proof_required')
}

/** The same, but the password or passkey by which the session began a moment ago is a proof too: the refusal says so. */
export async function requireProofOrSignIn(
  db: Queryable,
  session: Buffer,
): Promise<Refusal | null> {
  const isSignedIn = await db.exists(
    `select from accounts.session where token_hash = $1
       and signed_in_at between app.now() - make_interval(secs => $2) and app.now()`,
    [session, PROOF_SECONDS],
  )
  const unproved = isSignedIn ? null : await requireProof(db, session)
  return unproved && { ...unproved, wording: 'sign_in_for_code' }
}

/**
 * Refuses with proof_required, as {@link requireProof} does, but only a player whose second factor is on. It stands
 * before what was never asked for a proof: pay methods, password, security code, asking for his data and the end of the
 * account.
 */
export async function requireFactor(
  db: Queryable,
  { playerId, session }: { playerId: number; session: Buffer },
): Promise<Refusal | null> {
  const on = await db.query('select from accounts.second_factor where player_id = $1', [playerId])
  return on.length === 1 ? requireProof(db, session) : null
}
