/** Makes an account: of a member who proved an e-mail address, or of a visitor. */
import { username as usernameField } from '@sum28/contract/fields.ts'
import { memberSignUp, visitorSignUp } from '@sum28/contract/user-routes.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import * as z from 'zod/mini'
import type { Transaction } from '#src/db/database.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import { addAccount } from './account-store.ts'
import { type CountKey, countBack, countOfNetwork } from './count-store.ts'
import { type CodeDeps, checkCode, lockCode, useCode } from './email-code.ts'
import { hashing } from './hashing.ts'
import type { NoteMark } from './note-mark.ts'
import { isCommonPassword } from './password.ts'
import { keyedHash } from './sign-in-guard.ts'

export type RegisterDeps = CodeDeps & { noteMark: NoteMark }

export type SignUp = {
  username?: string | number | undefined
  email?: string | undefined
  code?: string | number | undefined
  password: string
  groupId: number | undefined
  inviterId: number | string | undefined
  adult: boolean
  lang: Language
  /** The caller's network, as `networkOf` names it. */
  network: string
}

/**
 * Registers an account. Only a proved address makes a member, whatever group was requested. A visitor whose name is
 * not allowed gets a generated one, and one network may add only some a day.
 *
 * @returns the new player's id, or email_required, email_code_required, malformed input, adult_required,
 * password_common, email_code_wrong, email_code_expired, username_taken, email_taken, or too_many_requests if too
 * many passwords wait to be hashed, or the network has added too many visitors
 */
export function register(deps: RegisterDeps, signUp: SignUp): Promise<Registered | Refusal> {
  return signUp.groupId === 2 ? registerVisitor(deps, signUp) : registerMember(deps, signUp)
}

async function registerMember(
  { db, codeKey, noteMark }: RegisterDeps,
  signUp: SignUp,
): Promise<Registered | Refusal> {
  // Older clients register without it: the refusal tells them in a sentence what is missing.
  if (signUp.email === undefined) return refuse('email_required')
  if (signUp.code === undefined) return refuse('email_code_required')
  const parsed = z.safeParse(memberSignUp, { ...signUp, username: nameIn(signUp) })
  if (!parsed.success) return malformedBy(parsed.error)
  const { username, email, code, password } = parsed.data
  if (!signUp.adult) return refuse('adult_required')
  if (isCommonPassword(password)) return refuse('password_common')

  const { network } = signUp
  const checked = await checkCode(db, codeKey, { email, event: 'register', network, code })
  if (isRefusal(checked)) return checked
  const passwordHash = await hashing.strangers.hash(password, network)
  if (isRefusal(passwordHash)) return passwordHash
  return db.transaction(async (tx) => {
    if (!(await lockCode(tx, checked.codeId))) return refuse('email_code_expired')
    const added = await add(tx, { ...signUp, username, email, passwordHash, groupId: 1 })
    // Only a successful registration uses up the code: after username_taken it is still valid.
    if (isRefusal(added)) return added
    await useCode(tx, checked.codeId)
    return (await noteMark(tx, { ...added, kind: 'email', value: email })) ?? added
  })
}

/** The name that was sent; a name of digits may be a number in JSON. */
function nameIn({ username }: SignUp): string | undefined {
  return typeof username === 'number' ? String(username) : username
}

type Registered = { playerId: number; username: string }

/** Visitors prove no address: one network may add, or sign in as, so many of them a day. */
export const VISITS_A_DAY = 100

const DAY_SECONDS = 86_400

/**
 * Counts a new visitor, or a sign-in of one, for its network.
 *
 * @returns the counts, or too_many_requests with the seconds until another is allowed
 */
export async function countVisit(
  { db, codeKey, limits }: CodeDeps,
  network: string,
): Promise<CountKey[] | Refusal> {
  if (!limits) return []
  const counted = await countOfNetwork(db, network, {
    keyOf: (name) => keyedHash(codeKey, 'visits from', name),
    max: VISITS_A_DAY,
    seconds: DAY_SECONDS,
  })
  return typeof counted === 'number'
    ? refuse('too_many_requests', { retry_after: counted })
    : counted
}

async function registerVisitor(deps: CodeDeps, signUp: SignUp): Promise<Registered | Refusal> {
  const parsed = z.safeParse(visitorSignUp, signUp)
  if (!parsed.success) return malformedBy(parsed.error)
  // Before the password is hashed, which costs more than the account.
  const counted = await countVisit(deps, signUp.network)
  if (isRefusal(counted)) return counted
  const added = await addVisitor(deps, signUp, parsed.data.password)
  if (isRefusal(added)) await countBack(deps.db, counted)
  return added
}

async function addVisitor(
  { db }: CodeDeps,
  signUp: SignUp,
  password: string,
): Promise<Registered | Refusal> {
  const passwordHash = await hashing.strangers.hash(password, signUp.network)
  if (isRefusal(passwordHash)) return passwordHash
  const visitor = { ...signUp, email: null, passwordHash, groupId: 2 } as const
  const name = z.safeParse(usernameField, nameIn(signUp))
  if (name.success) {
    return db.transaction((tx) => add(tx, { ...visitor, username: name.data }))
  }
  const moment = await db.value<number>('select app.now()')
  // Two visitors in the same millisecond: the second gets the next free name.
  for (let next = 0; ; next += 1) {
    const username = `guest${moment + next}`
    const added = await db.transaction((tx) => add(tx, { ...visitor, username }))
    if (!isRefusal(added) || next === GUEST_TRIES_MAX) return added
  }
}

/** Names to try for a visitor, one after the other. */
const GUEST_TRIES_MAX = 20

async function add(
  tx: Transaction,
  account: {
    username: string
    email: string | null
    passwordHash: string
    groupId: 1 | 2
    inviterId: number | string | undefined
    lang: Language
  },
): Promise<Registered | Refusal> {
  const inviterId = Number(account.inviterId)
  const added = await addAccount(tx, {
    ...account,
    inviterId:
      Number.isInteger(inviterId) && inviterId > 0 && inviterId < 2 ** 31 ? inviterId : null,
  })
  return typeof added === 'number' ? { playerId: added, username: account.username } : refuse(added)
}

function malformedBy(error: z.core.$ZodError): Refusal {
  return malformed(
    Object.fromEntries(error.issues.map((issue) => [String(issue.path[0]), issue.message])),
  )
}
