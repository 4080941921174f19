/** A player's identity: what he sends to prove it, its check by staff, and from which sum of withdrawals it is needed. */
import { IDENTITY_PICTURES_MAX } from '@sum28/contract/replies.ts'
import type * as wire from '@sum28/contract/staff-protection-routes.ts'
import type { Amount } from '@sum28/domain/money.ts'
import { documentPicture } from '#src/adapters/images/square-picture.ts'
import { callFunction, type Database, type Queryable } from '#src/db/database.ts'
import { type Ask, type ItemOf, pageOf } from '#src/db/list.ts'
import type { SecretColumn } from '#src/db/reencryption.ts'
import { countOfDay, countOfNetwork } from '#src/modules/accounts/count-store.ts'
import { isDocumentNumber } from '#src/modules/accounts/document.ts'
import type { NoteMark } from '#src/modules/accounts/note-mark.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import type { ReadBalance } from '#src/modules/wallet/wallet-store.ts'
import {
  isRefusal,
  malformed,
  type Refusal,
  type RefusalWord,
  refuse,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import type { RowOf } from '#src/wire-form.ts'

type IdentityDeps = { db: Database; cipher: SecretCipher }

/** What a player says of himself. `birthDate`: a day such as 1990-02-28. */
export type IdentityFacts = {
  name: string
  birthDate: string
  address: string
  /** The document's number; not all clients ask for it. */
  document?: string | undefined
}

const PICTURES_A_DAY = 20
const PICTURES_OF_NETWORK_A_DAY = 100
const DAY_SECONDS = 86_400

/** Who is younger may not play: his account is held until staff accept the identity of an adult. */
const AGE_MIN = 18

function factsPurpose(playerId: number): string {
  return `identity ${playerId}`
}

function picturePurpose(playerId: number): string {
  return `identity picture ${playerId}`
}

/**
 * Keeps a picture of a document, encrypted, until the player sends it with the rest. It is of use only before money is
 * paid out, or to end that the account is held, so only a player with money, a held account or refused documents can
 * send one.
 *
 * @param sent `network`: as `networkOf` names it
 * @returns how many there are; or upload_not_an_image, too_many_requests, malformed (too many), not_asked,
 *   account_locked or identity_sent
 */
export async function addPicture(
  { db, cipher, balance }: IdentityDeps & { balance: ReadBalance },
  { playerId, bytes, network }: { playerId: number; bytes: Buffer; network: string },
): Promise<number | Refusal> {
  const now = await identityOf(db, playerId)
  // Refused before the work of decoding; the transaction below decides.
  if (now.state === 'waiting' || now.state === 'accepted') return refuse('identity_sent')
  if (now.pictures >= IDENTITY_PICTURES_MAX) return malformed({ file: 'too_many' })
  const { cash, held } = await balance(playerId)
  // A player whose documents were refused was asked to send them again.
  if (now.state === 'none' && cash + held === 0n && !(await isHeld(db, playerId))) {
    return { ...refuse('not_asked'), wording: 'identity_without_money' }
  }
  const tooMany = await countOfDay(db, { playerId, event: 'documents', max: PICTURES_A_DAY })
  if (tooMany) return tooMany
  const counted = await countOfNetwork(db, network, {
    keyOf: (name) => cipher.mac(Buffer.from(name), 'documents of a network'),
    max: PICTURES_OF_NETWORK_A_DAY,
    seconds: DAY_SECONDS,
  })
  if (typeof counted === 'number') return refuse('too_many_requests', { retry_after: counted })
  const picture = await documentPicture(bytes)
  if (!picture) return refuse('upload_not_an_image')
  const word = await callFunction<'added' | RefusalWord>(
    db,
    'withdrawals.add_identity_picture',
    playerId,
    cipher.encrypt(picture, picturePurpose(playerId)),
    cipher.keyId,
    IDENTITY_PICTURES_MAX,
  )
  if (word === 'added') return (await identityOf(db, playerId)).pictures
  return word === 'too_many' ? malformed({ file: 'too_many' }) : refuseByWord(word)
}

/** Whether staff hold a player's account, as for the date of birth that he gave in it or in one that he closed. */
function isHeld(db: Queryable, playerId: number): Promise<boolean> {
  return db.exists('select from protection.player where player_id = $1 and under_review', [
    playerId,
  ])
}

/** Deletes the pictures that are not sent yet. @returns null, or account_locked or identity_sent */
export async function clearPictures(db: Queryable, playerId: number): Promise<Refusal | null> {
  const word = await callFunction<'cleared' | RefusalWord>(
    db,
    'withdrawals.clear_identity_pictures',
    playerId,
  )
  return word === 'cleared' ? null : refuseByWord(word)
}

/** By what the accounts of one person are found: his name with his date of birth, and his document's number if it is one. */
export function marksOf({ name, birthDate, document }: IdentityFacts) {
  return [
    { kind: 'person', value: `${birthDate} ${name}` },
    ...(document !== undefined && isDocumentNumber(document)
      ? [{ kind: 'document', value: document } as const]
      : []),
  ] as const
}

/**
 * Sends a player's facts and pictures to be checked. By a date of birth under age he can neither bet nor deposit from
 * now on, and no other date counts until staff have decided about this one.
 *
 * @param today a day of the operator's zone, by which the age is reckoned
 * @returns null, or adult_required, malformed (no picture, no such birth date), account_locked, identity_sent or
 *   too_many_numbers
 */
export async function sendIdentity(
  { db, cipher, noteMark }: Pick<IdentityDeps, 'cipher'> & { db: Database; noteMark: NoteMark },
  {
    playerId,
    today,
    network,
    ...facts
  }: IdentityFacts & { playerId: number; today: string; network: string },
): Promise<Refusal | null> {
  const age = yearsBetween(facts.birthDate, today)
  if (age < 0 || age > 120) return malformed({ birth_date: 'invalid' })
  const { document } = facts
  // A child's account is held, whatever number was given with his date of birth.
  if (age >= AGE_MIN && document !== undefined && !isDocumentNumber(document)) {
    return malformed({ document: 'invalid' })
  }
  const encrypted = cipher.encrypt(Buffer.from(JSON.stringify(facts)), factsPurpose(playerId))
  const born = age < AGE_MIN ? Number(facts.birthDate.slice(0, 4)) : null
  const word = await db.transaction(async (tx) => {
    const sent = await callFunction<'sent' | RefusalWord>(
      ...[tx, 'withdrawals.send_identity', playerId, encrypted, cipher.keyId, born],
    )
    if (sent !== 'sent') return sent
    for (const mark of marksOf(facts)) {
      const refused = await noteMark(tx, { playerId, network, ...mark })
      // A child's account is held, whatever numbers were given with his date of birth.
      if (refused && born === null) return refused
    }
    return sent
  })
  if (typeof word === 'object') return word
  if (word === 'sent' && age < AGE_MIN) {
    return { ...refuse('adult_required'), wording: 'under_age' }
  }
  if (word === 'sent') return null
  return word === 'picture_missing' ? malformed({ file: 'required' }) : refuseByWord(word)
}

/** The whole years from a day to another; born on 29 February, somebody is a year older on 1 March. */
export function yearsBetween(first: string, last: string): number {
  const years = Number(last.slice(0, 4)) - Number(first.slice(0, 4))
  return last.slice(5) < first.slice(5) ? years - 1 : years
}

type OwnIdentity = {
  state: 'none' | (typeof wire.IDENTITY_STATES)[number]
  reason: string | null
  pictures: number
  askedFrom: Amount | null
}

export function identityOf(db: Queryable, playerId: number): Promise<OwnIdentity> {
  return db.one<OwnIdentity>(
    `select coalesce(state, 'none') as state, reject_reason as reason, identity_from as "askedFrom",
         (select count(*)::integer from withdrawals.identity_picture where player_id = $1) as pictures
       from withdrawals.terms left join withdrawals.identity on player_id = $1`,
    [playerId],
  )
}

const LISTED = {
  columns: `identity.player_id as "playerId", username, identity.state, sent_at as "sentAt",
    (select name from staff.member where id = decided_by) as "decidedBy", decided_at as "decidedAt",
    reject_reason as "rejectReason"`,
  from: 'withdrawals.identity join accounts.player on player.id = identity.player_id',
  sorts: { sent_at: { sql: 'identity.sent_at', type: 'time' } },
  id: { sql: 'identity.player_id', type: 'bigint' },
} as const

type Listed = RowOf<ItemOf<typeof wire.listIdentities>>

export function identityPage(
  db: Queryable,
  ask: Ask<{ state: (typeof wire.IDENTITY_STATES)[number]; playerId: number }>,
) {
  return pageOf<Listed>(db, LISTED, ask, {
    'identity.state = ?': ask.state,
    'identity.player_id = ?': ask.playerId,
  })
}

/** `underAgeBorn`: the year of a birth date under age that he gave, if he did, the latest. */
type SaidUnderAge = { underAgeSaidAt: number | null; underAgeBorn: number | null }

export type SeenIdentity = Listed &
  Omit<IdentityFacts, 'document'> &
  SaidUnderAge & {
    document: string | null
    version: number
    /** By the birth date that he gave. */
    adult: boolean
    pictures: Buffer[]
  }

/**
 * All that a player sent, for staff who check it. The look is written in the audit log before anything is shown.
 *
 * @returns it, or not_found or why the member may not act
 */
export async function seeIdentity(
  { db, cipher }: IdentityDeps,
  { playerId, session, today }: { playerId: number; session: string; today: string },
): Promise<SeenIdentity | Refusal> {
  return asStaff(db, async (tx) => {
    const row = await tx.first<Listed & SaidUnderAge & { version: number }>(
      `select ${LISTED.columns}, version, said.at as "underAgeSaidAt", said.born as "underAgeBorn"
       from ${LISTED.from}
         left join lateral (
           select at, (details ->> 'born')::integer as born from protection.change
           where change.player_id = identity.player_id and what = 'review_begun' and details ? 'born'
           order by id desc limit 1
         ) said on true
       where identity.player_id = $1`,
      [playerId],
    )
    if (!row) return refuse('not_found', { field: 'user_id' })
    const facts = await factsOf({ db: tx, cipher }, playerId)
    const pictures = await picturesOf(tx, playerId)
    await appendAudit(tx, {
      session,
      action: 'identity_seen',
      subject: `player:${playerId}`,
      details: { version: row.version, pictures: pictures.length },
    })
    return {
      ...row,
      ...facts,
      document: facts.document ?? null,
      adult: isAdult(facts, today),
      pictures: pictures.map((picture) => decryptPicture(cipher, playerId, picture)),
    }
  })
}

function isAdult({ birthDate }: IdentityFacts, today: string): boolean {
  return yearsBetween(birthDate, today) >= AGE_MIN
}

/** A player's facts; empty texts if he has sent none. */
export async function factsOf(
  { db, cipher }: { db: Queryable; cipher: SecretCipher },
  playerId: number,
): Promise<IdentityFacts> {
  const row = await db.first<EncryptedFacts>(
    `select encrypted_facts as facts, key_id as "keyId" from withdrawals.identity where player_id = $1`,
    [playerId],
  )
  return row ? decryptFacts(cipher, playerId, row) : { name: '', birthDate: '', address: '' }
}

export type EncryptedFacts = { facts: Buffer; keyId: string }

export function decryptFacts(
  cipher: SecretCipher,
  playerId: number,
  { facts, keyId }: EncryptedFacts,
): IdentityFacts {
  return JSON.parse(cipher.decrypt(facts, factsPurpose(playerId), keyId).toString())
}

type StoredPicture = { content: Buffer; keyId: string }

/** At most {@link IDENTITY_PICTURES_MAX}. */
export function picturesOf(db: Queryable, playerId: number): Promise<StoredPicture[]> {
  return db.query<StoredPicture>(
    `select encrypted_content as content, key_id as "keyId" from withdrawals.identity_picture
     where player_id = $1 order by id`,
    [playerId],
  )
}

export function decryptPicture(
  cipher: SecretCipher,
  playerId: number,
  { content, keyId }: StoredPicture,
): Buffer {
  return cipher.decrypt(content, picturePurpose(playerId), keyId)
}

/**
 * Accepts or rejects what a player sent, and tells him. That of a child is accepted as such: his withdrawals go on, and
 * he may not play.
 *
 * @param decision `why`: why it is rejected; null: it is accepted
 * @returns null, or not_found, already_decided or malformed (accepted as a child's without a picture)
 */
export function decideIdentity(
  { db, cipher }: IdentityDeps,
  decision: {
    playerId: number
    version: number
    why: string | null
    session: string
    today: string
  },
): Promise<Refusal | null> {
  const { playerId, version, why, session, today } = decision
  return asStaff(db, async (tx) => {
    const sent = await factsOf({ db: tx, cipher }, playerId)
    const isChild = sent.birthDate !== '' && !isAdult(sent, today)
    // Otherwise anybody could withdraw without a document, as a child.
    if (why === null && isChild && (await identityOf(tx, playerId)).pictures === 0) {
      return malformed({ decision: 'invalid' })
    }
    const word = await callFunction<'accepted' | 'rejected' | 'not_found' | 'decided'>(
      ...[tx, 'withdrawals.decide_identity', playerId, version, why, session, isChild],
    )
    if (word === 'not_found' || word === 'decided') return refuseByWord(word)
    const facts = why === null ? {} : { reason: why }
    await notify(tx, { playerId, kind: `identity_${word}`, facts })
    return null
  })
}

/**
 * Takes the acceptance of an identity back, which was found false later, and tells the player why: his withdrawals wait
 * for another.
 *
 * @returns null, or not_found, already_decided (it is not accepted now) or second_person_needed (he accepted it)
 */
export function takeBackIdentity(
  db: Database,
  {
    playerId,
    version,
    why,
    session,
  }: Record<'why' | 'session', string> & {
    playerId: number
    version: number
  },
): Promise<Refusal | null> {
  return asStaff(db, async (tx) => {
    const word = await callFunction<'rejected' | 'not_found' | 'decided' | 'same_person'>(
      ...[tx, 'withdrawals.take_back_identity', playerId, version, why, session],
    )
    if (word !== 'rejected') return refuseByWord(word)
    await notify(tx, { playerId, kind: 'identity_rejected', facts: { reason: why } })
    return null
  })
}

export function identityTermsOf(db: Queryable): Promise<{ askedFrom: Amount | null }> {
  return db.one<{ askedFrom: Amount | null }>(
    'select identity_from as "askedFrom" from withdrawals.terms',
  )
}

/** @param askedFrom null or nothing: identity is not asked for */
export async function setIdentityTerms(
  db: Database,
  { askedFrom, session }: { askedFrom: Amount | null; session: string },
): Promise<Refusal | null> {
  const set = await asStaff(db, (tx) =>
    tx.query('select withdrawals.set_identity_terms($1, $2)', [askedFrom || null, session]),
  )
  return isRefusal(set) ? set : null
}

/** How long pictures wait to be sent, and what was sent stays if it is rejected, or if its player has no money any more. */
const UNSENT_DAYS = 7
const NEEDLESS_DAYS = 30

/** SQL: of `sent`, what nobody has a use for any more. A rejected one is often another person's. */
const NEEDLESS = `coalesce(decided_at, sent_at) < (select app.now() - make_interval(days => ${NEEDLESS_DAYS}))
  and (state = 'rejected' or state = 'waiting'
    and not exists (select from ledger.balance where holder_id = player_id and cash + held > 0))`

/** SQL: of `picture`, what was uploaded and not sent. */
const UNSENT = `added_at < (select app.now() - make_interval(days => ${UNSENT_DAYS})) and not exists (
  select from withdrawals.identity sent where sent.player_id = picture.player_id and sent.state <> 'rejected')`

/** Deletes what was uploaded and not sent, or nobody has a use for any more. @returns how many pictures */
export async function forgetUnusedDocuments(db: Database): Promise<number> {
  const players = await db.column<number>(
    `select player_id from withdrawals.identity sent where ${NEEDLESS}
     union select player_id from withdrawals.identity_picture picture where ${UNSENT}`,
  )
  let forgotten = 0
  for (const id of players) {
    forgotten += await db.transaction(async (tx) => {
      // What is being sent meanwhile is seen after it.
      await tx.query('select protection.lock_player($1)', [id])
      await tx.query(`delete from withdrawals.identity sent where player_id = $1 and ${NEEDLESS}`, [
        id,
      ])
      const pictures = await tx.query(
        `delete from withdrawals.identity_picture picture where player_id = $1 and ${UNSENT} returning 1`,
        [id],
      )
      return pictures.length
    })
  }
  return forgotten
}

const OF_PLAYER = { owner: 'player_id', keyId: 'key_id' }

export const IDENTITIES: SecretColumn = {
  ...OF_PLAYER,
  name: 'identity',
  table: 'withdrawals.identity',
  id: 'player_id',
  secret: 'encrypted_facts',
  purposeOf: ({ owner }) => factsPurpose(Number(owner)),
}

export const IDENTITY_PICTURES: SecretColumn = {
  ...OF_PLAYER,
  name: 'identity_picture',
  table: 'withdrawals.identity_picture',
  id: 'id',
  secret: 'encrypted_content',
  purposeOf: ({ owner }) => picturePurpose(Number(owner)),
}
