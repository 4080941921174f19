/** Making an account: a member who proved an e-mail address, or a visitor. */
import { memberSignUp, visitorSignUp } from '@sum28/contract/user-routes.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import * as z from 'zod/mini'
import type { Transaction } from '#src/db/database.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal.ts'
import { addAccount, useCode } from './account-store.ts'
import { type CodeDeps, checkCode } from './email-code.ts'
import { hashPassword, isCommonPassword } from './password.ts'

export type SignUp = {
  username: string
  email: string | undefined
  code: string | number | undefined
  password: string
  groupId: number | undefined
  inviterId: number | string | undefined
  adult: boolean
  lang: Language
}

/**
 * Registers an account; whatever group was asked for, only a proven address makes a member.
 *
 * @returns the new player's id, or malformed input, username_taken, email_taken, email_code_wrong,
 * email_code_expired, password_common or adult_required
 */
export function register(deps: CodeDeps, signUp: SignUp): Promise<{ playerId: number } | Refusal> {
  return signUp.groupId === 2 ? registerVisitor(deps, signUp) : registerMember(deps, signUp)
}

async function registerMember(
  { db, codeKey }: CodeDeps,
  signUp: SignUp,
): Promise<{ playerId: number } | Refusal> {
  const parsed = z.safeParse(memberSignUp, signUp)
  if (!parsed.success) return malformedBy(parsed.error)
  const { username, email, code, password } = parsed.data
  if (!signUp.adult) return refuse('adult_required')
  if (isCommonPassword(password)) return refuse('password_common')

  const checked = await checkCode(db, codeKey, { email, event: 'register', code })
  if (isRefusal(checked)) return checked
  const passwordHash = await hashPassword(password)
  return db.transaction(async (tx) => {
    // A name that is taken fails the statement and with it the transaction: the code stays good.
    const first = await useCode(tx, checked.codeId)
    if (!first) return refuse('email_code_expired')
    return add(tx, { ...signUp, username, email, passwordHash, groupId: 1 })
  })
}

async function registerVisitor(
  { db }: CodeDeps,
  signUp: SignUp,
): Promise<{ playerId: number } | Refusal> {
  const parsed = z.safeParse(visitorSignUp, signUp)
  if (!parsed.success) return malformedBy(parsed.error)
  const { username, password } = parsed.data
  const passwordHash = await hashPassword(password)
  return db.transaction((tx) =>
    add(tx, { ...signUp, username, email: null, passwordHash, groupId: 2 }),
  )
}

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
): Promise<{ playerId: number } | Refusal> {
  const inviterId = Number(account.inviterId)
  const added = await addAccount(tx, {
    ...account,
    inviterId:
      Number.isInteger(inviterId) && inviterId > 0 && inviterId < 2 ** 31 ? inviterId : null,
  })
  return typeof added === 'number' ? { playerId: added } : refuse(added)
}

function malformedBy(error: z.core.$ZodError): Refusal {
  return malformed(
    Object.fromEntries(error.issues.map((issue) => [String(issue.path[0]), issue.message])),
  )
}
