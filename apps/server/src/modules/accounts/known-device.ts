/**
 * Devices on which a player has signed in before, and the links by which he takes his account back.
 *
 * A device is known by a cookie of its own, which scripts cannot read: 256 random bits, given at the first sign-in on
 * it and kept for 400 days from the last one, as long as browsers keep any. Neither signing out nor another player on
 * the same device ends it. What signs a player out everywhere else, or on this device, does. It signs nobody in. A client that keeps no cookies, or a page at a line's own
 * address, is a new device each time.
 */
import { type Language, languageOf } from '@sum28/i18n/languages.ts'
import { translate } from '@sum28/i18n/translate.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { type Refusal, refusalWord, refuseByWord } from '#src/refusal/refusal.ts'
import { maskedEmail } from '#src/wire-form.ts'
import { type Account, lockedAccount } from './account-store.ts'
import { countOfDay } from './count-store.ts'
import type { CodeDeps } from './email-code.ts'
import { keepNewest } from './keep-newest.ts'
import { noteSignInChange } from './note-sign-in-change.ts'
import { hashSecret, newSecret } from './session.ts'

export const DEVICE_COOKIE_SECONDS = 400 * 86_400

/** The devices of a player that are known, the last used: a program without cookies is a new one each time. */
const DEVICES_MAX = 100

/** How often a day a player is told of new devices. */
export const TOLD_A_DAY = 20

/** The secret in a device's cookie, or a new one if it has none that this product can have made. */
export function deviceSecret(cookie: string | null): string {
  return cookie && /^[\w-]{43}$/.test(cookie) ? cookie : newSecret()
}

/** Whether a player has signed in on the device with this cookie. */
export async function isKnownDevice(
  db: Queryable,
  { playerId, cookie }: { playerId: number; cookie: string | null },
): Promise<boolean> {
  if (!cookie) return false
  return db.exists('select from accounts.known_device where player_id = $1 and secret_hash = $2', [
    playerId,
    hashSecret(cookie),
  ])
}

/**
 * Notes a sign-in on a device. If it is new for the player, he is told, with a link that ends it; that of registering
 * is not told. A device whose session was ended meanwhile stays unknown.
 *
 * @param signIn `session`: the hash of its token; `secret`: of the device's cookie; `device`: as `deviceName` names it;
 *   `url`: of the app
 */
export async function noteDevice(
  db: Database,
  signIn: {
    playerId: number
    session: Buffer
    secret: string
    device: string
    url: string
    tell: boolean
  },
): Promise<void> {
  const { playerId, device, url, tell } = signIn
  const row = [playerId, hashSecret(signIn.secret)]
  const known = await db.query(
    `update accounts.known_device set last_at = app.now()
     where player_id = $1 and secret_hash = $2 returning player_id`,
    row,
  )
  if (known.length === 1) return
  await db.transaction(async (tx) => {
    const added = await tx.query(
      `insert into accounts.known_device (player_id, secret_hash)
       select $1, $2 from accounts.session where token_hash = $3 and ended_at is null for share
       on conflict do nothing returning player_id`,
      [...row, signIn.session],
    )
    if (added.length === 0) return
    await keepNewest(tx, { playerId, table: 'accounts.known_device', max: DEVICES_MAX })
    if (!tell) return
    const event = 'told sign-ins'
    if (await countOfDay(tx, { playerId, event, max: TOLD_A_DAY })) return
    const token = newSecret()
    await tx.query('insert into accounts.security_link (token_hash, player_id) values ($1, $2)', [
      hashSecret(token),
      playerId,
    ])
    const facts = { device: device || '—' }
    await notify(tx, { playerId, kind: 'new_device', facts, link: takeBackLink(url, token) })
  })
}

/**
 * Has a player's mails and pushes come in the language in which he uses the product. A device that is new to him changes
 * nothing for 72 hours, as long as the link of its mail works: a thief could have the mails that tell of him come in
 * another language. Devices of an account's first 72 hours change it at once.
 *
 * @param use `session`: the hash of its token
 */
export async function noteLanguage(
  db: Queryable,
  { id, lang: before }: Pick<Account, 'id' | 'lang'>,
  { session, lang }: { session: Buffer; lang: Language },
): Promise<void> {
  if (lang === before) return
  await db.query(
    `update accounts.player set lang = $3
     where id = $1 and exists (
       select from accounts.session join accounts.known_device device
         on device.player_id = session.player_id and device.secret_hash = session.device_hash
       where session.player_id = $1 and session.token_hash = $2 and session.ended_at is null
         and first_at <= greatest(app.now() - interval '72 hours', player.created_at + interval '72 hours'))`,
    [id, session, lang],
  )
}

/** Its secret is behind the #, which no browser sends: a program that only opens links does nothing with it. */
export function takeBackLink(url: string, token: string): string {
  return `${url}/takeBack#${token}`
}

/**
 * Uses the link of a mail, once, within 72 hours. Its player is signed out everywhere, withdrawals are held, and he
 * needs a new password, set by mail. A link about his address gives him the earlier one again, which is told to both.
 *
 * @returns whether it was about the address; or link_over, account_closed, account_locked, or email_taken
 */
export function takeBack(
  { db, outbox }: Pick<CodeDeps, 'db' | 'outbox'>,
  link: string,
): Promise<boolean | Refusal> {
  return db.transaction(async (tx) => {
    const { answer, playerId, isAddress, left } = await tx.one<{
      answer: string
      playerId: number
      isAddress: boolean
      left: string | null
    }>(
      `select answer, of_player as "playerId", of_address as "isAddress", left_email as left
       from accounts.take_back($1)`,
      [hashSecret(link)],
    )
    if (answer !== 'taken_back') return refuseByWord(refusalWord(answer))
    const kind = isAddress ? 'email_restored' : 'account_locked'
    await noteSignInChange(tx, { playerId, kind })
    if (left !== null) {
      const { email, lang } = await lockedAccount(tx, playerId)
      const language = languageOf(lang)
      const name = maskedEmail(email ?? '')
      await outbox.send(tx, {
        to: left,
        subject: translate(language, 'notice.email_changed.title'),
        text: translate(language, 'notice.email_changed.text', { name }),
      })
    }
    return isAddress
  })
}
