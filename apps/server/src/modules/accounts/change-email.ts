/** Changes the address of a player's account, by codes that the present and the new one got. */
import type { Language } from '@sum28/i18n/languages.ts'
import { callFunction } from '#src/db/database.ts'
import { isRefusal, type Refusal, refuse, refuseByWord } from '#src/refusal/refusal.ts'
import { maskedEmail } from '#src/wire-form.ts'
import { accountById } from './account-store.ts'
import { countOfDay } from './count-store.ts'
import { type CodeDeps, checkCode, lockCode, sendCode, useCode } from './email-code.ts'
import { takeBackLink } from './known-device.ts'
import type { NoteMark } from './note-mark.ts'
import { noteSignInChange } from './note-sign-in-change.ts'
import { noteSensitiveChange } from './security-store.ts'
import { hashSecret, isSessionActive, newSecret } from './session.ts'

/** How often a day a player may ask for codes, and change his address. */
const CODES_ASKED_A_DAY = 10
const ADDRESS_CHANGES_A_DAY = 3

export type ChangeEmailDeps = CodeDeps & { noteMark: NoteMark }

/** `email` is canonical, `network` as `networkOf` names it. */
type Asked = { playerId: number; email: string; network: string }

/**
 * Mails a code to the new address and one to the present one. The answer is the same whether or not the new address
 * has an account.
 *
 * @returns null, or email_missing (the account has none), email_same, or too_many_requests with the seconds to wait
 */
export async function sendAddressCodes(
  deps: CodeDeps,
  { playerId, email, network, lang }: Asked & { lang: Language },
): Promise<Refusal | null> {
  const { email: present = null } = (await accountById(deps.db, playerId)) ?? {}
  if (present === null) return refuse('email_missing')
  if (present === email) return refuse('email_same')
  const event = 'codes for another address'
  const tooMany = await countOfDay(deps.db, { playerId, event, max: CODES_ASKED_A_DAY })
  if (tooMany) return tooMany
  const sent = await sendCode(deps, { email, event: 'new_email', network, lang })
  return sent ?? sendCode(deps, { email: present, event: 'old_email', network, lang })
}

/**
 * Changes the address. Withdrawals are held, and the earlier address gets a link that is the way back, for 72 hours.
 *
 * @param change `url`: of the app
 * @returns null, or email_missing, email_same, email_code_wrong or email_code_expired (with the `field` of the code),
 *   email_taken (only with the right codes), too_many_requests or session_replaced; a refused call changes nothing
 */
export async function changeEmail(
  deps: ChangeEmailDeps,
  change: Asked & { session: Buffer; oldCode: string; newCode: string; url: string },
): Promise<Refusal | null> {
  const { db, codeKey, noteMark } = deps
  const { playerId, session, email, network, oldCode, newCode, url } = change
  const { email: present = null } = (await accountById(db, playerId)) ?? {}
  if (present === null) return refuse('email_missing')
  if (present === email) return refuse('email_same')
  const ofOld = { email: present, event: 'old_email', network, code: oldCode } as const
  const old = await checkCode(db, codeKey, ofOld)
  if (isRefusal(old)) return { ...old, details: { field: 'old_code' } }
  const ofNew = { email, event: 'new_email', network, code: newCode } as const
  const added = await checkCode(db, codeKey, ofNew)
  if (isRefusal(added)) return { ...added, details: { field: 'new_code' } }
  return db.transaction(async (tx) => {
    const marked = await noteMark(tx, { playerId, kind: 'email', value: email })
    if (marked) return marked
    await noteSensitiveChange(tx, playerId)
    if (!(await isSessionActive(tx, session))) return refuse('session_replaced')
    // Its codes are used up, but others may have been mailed to it just before.
    const { email: still } = (await accountById(tx, playerId)) ?? {}
    if (still !== present) return refuse('email_code_expired', { field: 'old_code' })
    for (const id of [old.codeId, added.codeId]) {
      if (!(await lockCode(tx, id))) return refuse('email_code_expired')
      await useCode(tx, id)
    }
    const event = 'changes of the address'
    const tooMany = await countOfDay(tx, { playerId, event, max: ADDRESS_CHANGES_A_DAY })
    if (tooMany) return tooMany
    const token = newSecret()
    // Before the change: the mail goes to the address that the account has now.
    await noteSignInChange(tx, {
      playerId,
      kind: 'email_changed',
      name: maskedEmail(email),
      link: takeBackLink(url, token),
    })
    const word = await callFunction<'changed' | 'email_taken'>(
      tx,
      'accounts.change_email',
      playerId,
      email,
      hashSecret(token),
    )
    return word === 'email_taken' ? refuseByWord(word) : null
  })
}
