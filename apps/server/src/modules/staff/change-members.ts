/** The members of staff, as owners add, change, reset and close them. */
import { isDeepStrictEqual } from 'node:util'
import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import type { StaffRole } from '@sum28/contract/route.ts'
import type { WireMember } from '@sum28/contract/staff-house-routes.ts'
import * as z from 'zod'
import { queueOutbox } from '#src/adapters/mail/outbox.ts'
import { callFunction, type Database, type Queryable, type Transaction } from '#src/db/database.ts'
import { EMAIL_OF_COLLEAGUE, malformed, type Refusal, refuseByWord } from '#src/refusal/refusal.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import type { RowOf } from '#src/wire-form.ts'
import { actAsStaff, asStaff } from './audit.ts'
import { newCredentials } from './make-staff.ts'
import { type ActingOwner, type KindRules, proposeAsOwner } from './proposal.ts'
import { CODES_GUESSED } from './staff-store.ts'

/**
 * Closes another member's account and ends his sessions. Members cannot close their own account, so there is always
 * one left who can open it again.
 *
 * @returns null, or not_found, second_person_needed (his own account), already_decided, session_replaced (the
 * caller's own account was closed meanwhile)
 */
export function closeColleague(
  db: Database,
  { name, session }: { name: string; session: string },
): Promise<null | Refusal> {
  const call = ['staff.close_colleague', asciiLowerCase(name), session] as const
  return actAsStaff(db, { call, done: 'closed', field: 'name' })
}

type ListedMember = Omit<RowOf<WireMember>, 'createtime' | 'id'> & { id: number; createdAt: number }

/** All present and former members, by name; `q`: those whose name begins with it, in any case. */
export function allMembers(db: Queryable, q?: string): Promise<ListedMember[]> {
  return db.query<ListedMember>(
    `select id, name, role, email, active, created_at as "createdAt",
       (select max(created_at) from staff.session where staff_id = member.id) as "lastSignIn",
       (select count(*)::integer from staff.session where staff_id = member.id and ended_at is null
          and seen_at >= app.now() - interval '15 minutes' and created_at >= app.now() - interval '12 hours') as sessions,
       ${CODES_GUESSED} as "codesGuessed"
     from staff.member
     where $1::text is null or starts_with(lower(name), lower($1)) order by name`,
    [q ?? null],
  )
}

/** Ends a session of another member. @returns null, or not_found, second_person_needed (a session of his own) */
export function endColleagueSession(
  db: Database,
  { id, session }: { id: number; session: string },
): Promise<null | Refusal> {
  return actAsStaff(db, { call: ['staff.end_colleague_session', id, session], done: 'closed' })
}

const terms = z.object({ role: z.string(), email: z.string().nullable() })
const contentSchema = terms.extend({
  name: z.string(),
  /** What he was; null for a new member. */
  before: terms.extend({ active: z.boolean() }).nullable(),
})

type Terms = { role: StaffRole; email: string | null; active: boolean }

export type MailsOfStaff = {
  cipher: SecretCipher
  /** The address of the console, such as `https://console.example/console`. */
  consoleAt: string
}

/** A member who is added, opened again, or gets another role or address. */
export function memberRules(deps: MailsOfStaff): KindRules {
  return {
    changesOf({ content }) {
      const { role, email, before } = contentSchema.parse(content)
      const is = { role, email: email ?? '', account: 'open' }
      const was = { ...before, account: before?.active ? 'open' : 'closed' }
      return (['role', 'email', 'account'] as const).flatMap((what) => {
        const change = { what, before: before && (was[what] ?? null), after: is[what] }
        return change.before === change.after ? [] : [change]
      })
    },

    auditOf({ subject, state, reason, endReason, content }) {
      const { role, email, before } = contentSchema.parse(content)
      return {
        action: `member_${endReason === null ? state : 'ended'}`,
        subject,
        details: { before, after: { role, email }, reason: endReason ?? reason },
      }
    },

    async notify(tx, { state, content }, session) {
      const { name, email, before } = contentSchema.parse(content)
      if (state !== 'confirmed' || before?.active) return
      await mailFirstPassword(tx, deps, { name, email, session })
    },

    async refusalOf(_tx, word) {
      if (word === 'email_taken') return EMAIL_OF_COLLEAGUE
      return word === 'content_changed' ? CHANGED : refuseByWord(word)
    },
  }
}

/** It is not known by whom. */
const CHANGED = refuseByWord('content_changed', { by: '—' })

/**
 * Proposes a member's role and address: of a new one, of one whose account is closed, or others for a present one. He
 * who is new or opened again gets a mail once it is confirmed.
 *
 * @param of `seen`: what the owner saw of him; null if he saw nobody of that name
 * @returns the proposal's state; or content_changed if he is not what the owner saw, invalid_input if nothing changes
 * or a new one's name is taken, second_person_needed for one's own role, or what `proposeAsOwner` refuses
 */
export async function proposeMember(
  db: Database,
  deps: MailsOfStaff,
  of: { name: string; role: StaffRole; email: string; seen: Terms | null; reason: string },
  owner: ActingOwner,
): Promise<{ state: 'proposed' | 'confirmed' } | Refusal> {
  const { role, email, reason } = of
  const name = asciiLowerCase(of.name)
  const [before = null] = await db.query<Terms>(
    'select role, email, active from staff.member where name = $1',
    [name],
  )
  if (before && !of.seen) return malformed({ name: 'name_taken' })
  if (!isDeepStrictEqual(before, of.seen)) return CHANGED
  if (before?.active && before.role === role && before.email === email) {
    return malformed({ role: 'nothing_changed' })
  }
  const draft = { kind: 'member', subject: `member:${name}`, reason } as const
  return proposeAsOwner(db, memberRules(deps), {
    ...draft,
    content: { name, role, email, before },
    ...owner,
  })
}

/**
 * Ends a member's sessions and mails him a link to a new first sign-in.
 *
 * @param of `email`: the address that the owner saw
 * @returns null, or not_found, second_person_needed (his own account), already_decided (it is closed), email_missing,
 * content_changed (his address is another)
 */
export function resetColleague(
  db: Database,
  deps: MailsOfStaff,
  of: FirstPassword,
): Promise<null | Refusal> {
  return asStaff(db, (tx) => mailFirstPassword(tx, deps, { ...of, name: asciiLowerCase(of.name) }))
}

type FirstPassword = { name: string; email: string | null; session: string }

type Reset =
  | 'reset'
  | 'not_found'
  | 'same_person'
  | 'already_closed'
  | 'email_missing'
  | 'content_changed'

/** The link has the password behind `#`, which browsers do not send: no log has it. */
async function mailFirstPassword(
  tx: Transaction,
  { cipher, consoleAt }: MailsOfStaff,
  { name, email, session }: FirstPassword,
): Promise<null | Refusal> {
  const { shown, stored } = await newCredentials(cipher, name)
  const { passwordHash, encryptedTotpSecret, totpKeyId } = stored
  const word = await callFunction<Reset>(
    ...([tx, 'staff.reset_colleague', name, email] as const),
    ...[passwordHash, encryptedTotpSecret, totpKeyId, session],
  )
  if (word === 'content_changed') return CHANGED
  if (word !== 'reset') return refuseByWord(word)
  const link = `${consoleAt}/login#first=${encodeURIComponent(name)}:${shown.password}`
  await queueOutbox.sendAll(tx, [
    {
      to: email ?? '',
      subject: 'Your account at the console',
      text: [
        `Your name at the console is ${name}. This link is good for one first sign-in, within three days:`,
        link,
        'You need an authenticator app on your phone. If you do not expect this mail, tell an owner of the house.',
      ].join('\n\n'),
    },
  ])
  return null
}
