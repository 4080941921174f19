/**
 * A mailbox that is lost: one person proposes another address for the account, another confirms. It works only by codes
 * that are mailed to it, and the earlier one has a link that is the way back.
 */
import { callFunction, type Transaction } from '#src/db/database.ts'
import { takeBackLink } from '#src/modules/accounts/known-device.ts'
import type { NoteMark } from '#src/modules/accounts/note-mark.ts'
import { noteSignInChange } from '#src/modules/accounts/note-sign-in-change.ts'
import { hashSecret, newSecret } from '#src/modules/accounts/session.ts'
import { asStaff } from '#src/modules/staff/audit.ts'
import { type Actor, type KindRules, type Proposal, propose } from '#src/modules/staff/proposal.ts'
import { EMAIL_OF_PLAYER, isRefusal, type Refusal, refuseByWord } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { maskedEmail } from '#src/wire-form.ts'
import { resetOf } from './reset-code.ts'

export type AddressDeps = { noteMark: NoteMark }

/** The player is notified of the proposal at his present address, and of the change at both. */
export function addressReset({
  config,
  noteMark,
}: AddressDeps & Pick<Resources, 'config'>): KindRules {
  const rules = resetOf('address_reset')
  const url = config.publicUrl ?? `http://localhost:${config.port}`
  return {
    ...rules,

    changesOf: ({ state, email, askedEmail }) =>
      state === 'proposed' && askedEmail !== null
        ? [{ what: 'email', before: email, after: askedEmail }]
        : [],

    async prepare(tx, { playerId, askedEmail }) {
      if (playerId === null || askedEmail === null) return null
      const refusal = await noteMark(tx, { playerId, kind: 'email', value: askedEmail })
      if (refusal) return refusal
      const token = newSecret()
      await tx.query('select console_players.keep_way_back($1, $2)', [playerId, hashSecret(token)])
      const name = maskedEmail(askedEmail)
      const link = takeBackLink(url, token)
      await noteSignInChange(tx, { playerId, kind: 'email_changed', name, link })
      return null
    },

    async notify(tx: Transaction, proposal: Proposal, session: string) {
      await rules.notify?.(tx, proposal, session)
      const { endReason, playerId } = proposal
      if (endReason !== null)
        await tx.query('select console_players.forget_address($1)', [playerId])
    },

    refusalOf: async (_tx, word) =>
      word === 'email_taken' ? EMAIL_OF_PLAYER : refuseByWord(word, { field: 'user_id' }),
  }
}

/**
 * Proposes another address for an account.
 *
 * @param of `email`: canonical
 * @returns null, or not_found, account_closed, already_proposed, email_missing (the account never had one)
 * or email_taken
 */
export function proposeAddress(
  deps: AddressDeps & Resources,
  of: Actor & { playerId: number; email: string; reason: string },
): Promise<null | Refusal> {
  const { playerId, email, reason, session, role } = of
  const kind = 'address_reset'
  return asStaff(deps.db, async (tx) => {
    const draft = { kind, subject: `player:${playerId}`, content: {}, reason } as const
    const made = await propose(tx, addressReset(deps), { ...draft, session, role })
    if (isRefusal(made)) return made
    const word = await callFunction<'set' | 'email_taken'>(
      tx,
      'console_players.ask_address',
      playerId,
      email,
    )
    return word === 'set' ? null : EMAIL_OF_PLAYER
  })
}
