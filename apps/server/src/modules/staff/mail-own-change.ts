/**
 * Tells a member by mail what was changed at his own account. Who has a minute at his open console can give himself a
 * lasting way in, and would be a second person then.
 */
import { queueOutbox } from '#src/adapters/mail/outbox.ts'
import type { Queryable, Transaction } from '#src/db/database.ts'
import { hashSecret } from '#src/modules/accounts/session.ts'

const SUBJECT = 'Your account at the console was changed'

const SAID = {
  password: 'Its password was changed.',
  email: 'Its mail address was changed.',
  passkeyAdded: 'A passkey was added to it.',
  passkeyRemoved: 'A passkey was removed from it.',
  recoveryCodes: 'New recovery codes were made for it, and the earlier ones are void.',
} as const

export type OwnChange = keyof typeof SAID

const RESET = 'he ends your sessions and resets your account.'

/** A reset would mail the way in to whoever has the new address. */
const CLOSE =
  'he closes your account and opens it again with this address. A reset alone would mail the way in to the new one.'

/** The address of the member whose session this is; null if he has none. */
export async function addressOfMember(by: Queryable, session: string): Promise<string | null> {
  const [email = null] = await by.column<string | null>(
    `select email from staff.member join staff.session on staff_id = member.id where token_hash = $1`,
    [hashSecret(session)],
  )
  return email
}

/**
 * Mails to the member whose session this is.
 *
 * @param to his address before the changes; null: he has none, and the audit log alone has them
 */
export async function mailOwnChange(
  tx: Transaction,
  { session, changes, to }: { session: string; changes: readonly OwnChange[]; to?: string | null },
): Promise<void> {
  const address = to === undefined ? await addressOfMember(tx, session) : to
  if (address === null) return
  const text = [
    ['Your account at the console:', ...changes.map((change) => SAID[change])].join(' '),
    `If it was not you, tell an owner of the house at once: ${changes.includes('email') ? CLOSE : RESET}`,
  ].join('\n\n')
  await queueOutbox.sendAll(tx, [{ to: address, subject: SUBJECT, text }])
}
