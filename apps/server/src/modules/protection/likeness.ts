/**
 * Accounts that resemble an excluded one. The values that identify an account are stored as keyed hashes of their
 * canonical forms: they can be compared, but neither read nor guessed from the database alone.
 */
import type { Queryable, Transaction } from '#src/db/database.ts'
import { countOfNetwork } from '#src/modules/accounts/count-store.ts'
import { foldedDocument } from '#src/modules/accounts/document.ts'
import type { Mark, MarkKind, NoteMark } from '#src/modules/accounts/note-mark.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'

/** How many new numbers of documents, wallets and cards all accounts of one network together may give a day. */
export const NUMBERS_OF_NETWORK = 100

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS

/** Mail services that ignore dots in the part before the @. */
const DOTS_IGNORED = new Set(['gmail.com', 'googlemail.com'])

/**
 * The mailbox of a canonical address: `a.b+offers@gmail.com` is delivered to `ab@gmail.com`. The part after a plus is
 * left out for every service; if a service treats it as part of the name, staff see two addresses and release the
 * account.
 */
function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const name = email.slice(0, at).replace(/(?<=.)\+.*$/, '')
  return DOTS_IGNORED.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}

/** The words of a name and a date of birth, in whatever order and letters they are typed. */
function personOf(value: string): string {
  return value.split(/\s+/).map(foldedDocument).sort().join(' ')
}

function canonical(kind: MarkKind, value: string): string {
  if (kind === 'person') return personOf(value)
  if (kind === 'email') return mailboxOf(value)
  return kind === 'document' ? foldedDocument(value) : value
}

/** The keyed hash of a value that identifies an account; by default with the present key. */
export function markOf(
  cipher: SecretCipher,
  { kind, value, keyId }: { kind: MarkKind; value: string; keyId?: string },
): Buffer {
  return cipher.mac(Buffer.from(canonical(kind, value)), `likeness of ${kind}`, keyId)
}

/**
 * Makes the function that stores marks; marks are compared under every known key.
 *
 * @param options `limits`: whether the numbers of a network are limited; those of an account always are
 */
export function markNoter(cipher: SecretCipher, { limits = true } = {}): NoteMark {
  return async (tx, mark) => {
    const { playerId, kind, value } = mark
    // The one to store first.
    const hashes = cipher.keyIds.map((keyId) => markOf(cipher, { kind, value, keyId }))
    const noted = await tx.one<{ isNew: boolean; wait: number | null }>(
      `select is_new as "isNew", ceil(extract(epoch from may_at - app.now()))::float8 as wait
         from protection.note_mark($1, $2, $3, $4)`,
      [playerId, kind, hashes, cipher.keyId],
    )
    if (noted.wait !== null) return tooManyNumbers(noted.wait)
    return limits && noted.isNew ? countNumber(tx, { cipher, mark }) : null
  }
}

async function countNumber(
  tx: Transaction,
  { cipher, mark: { network } }: { cipher: SecretCipher; mark: Mark },
): Promise<Refusal | null> {
  if (network === undefined) return null
  const counted = await countOfNetwork(tx, network, {
    keyOf: (name) => cipher.mac(Buffer.from(name), 'numbers of a network'),
    max: NUMBERS_OF_NETWORK,
    seconds: DAY_SECONDS,
  })
  return typeof counted === 'number' ? tooManyNumbers(counted) : null
}

/** Shown in hours, and beyond two days in days. */
function tooManyNumbers(wait: number): Refusal {
  const seconds = Math.max(1, wait)
  const details = { retry_after: seconds, hours: Math.ceil(seconds / HOUR_SECONDS) }
  if (details.hours <= 48) return refuse('too_many_numbers', details)
  const days = Math.ceil(seconds / DAY_SECONDS)
  return {
    ...refuse('too_many_numbers', { ...details, days }),
    wording: 'too_many_numbers_for_days',
  }
}

/**
 * What excluded players, and those under review, are not recognised by: marks of keys that are not known, where fewer of
 * the same kind are made with known ones. Only what an account has now is marked again when the key changes.
 */
export function lostMarks(
  db: Queryable,
  { keyIds }: Pick<SecretCipher, 'keyIds'>,
): Promise<{ keyId: string; marks: number }[]> {
  return db.query(
    `select key_id as "keyId", sum(marks - known)::integer as marks
     from (
       select mark.key_id, count(*) as marks, (
         select count(*) from protection.mark known
         where known.player_id = mark.player_id and known.kind = mark.kind and known.key_id = any ($1)
       ) as known
       from protection.mark join protection.player using (player_id)
       where mark.key_id <> all ($1) and (excluded_until > app.now() or under_review)
       group by mark.player_id, mark.kind, mark.key_id
     ) lost
     where marks > known group by key_id`,
    [keyIds],
  )
}

/** Players whose marks are not all made with this key: found by an index, however many have them all. */
export function unmarkedPlayers(
  db: Queryable,
  { keyId, limit }: { keyId: string; limit: number },
): Promise<number[]> {
  return db.column(
    `(select player_id from protection.player where marked_with is null order by player_id limit $2)
     union all
     (select player_id from protection.player where marked_with < $1 order by marked_with, player_id limit $2)
     union all
     (select player_id from protection.player where marked_with > $1 order by marked_with, player_id limit $2)
     limit $2`,
    [keyId, limit],
  )
}

/**
 * Stores marks for values that players had before, without holding anyone, and that their marks are made with the
 * present key.
 */
export async function noteEarlierMarks(
  tx: Queryable,
  {
    cipher,
    players,
    marks,
  }: {
    cipher: Pick<SecretCipher, 'keyId'>
    players: readonly number[]
    marks: readonly { playerId: number; kind: MarkKind; hash: Buffer }[]
  },
): Promise<void> {
  // First, because it locks the players.
  await tx.query('select protection.set_marked($1, $2)', [players, cipher.keyId])
  await tx.query('select protection.note_earlier_marks($1, $2, $3, $4)', [
    marks.map(({ playerId }) => playerId),
    marks.map(({ kind }) => kind),
    marks.map(({ hash }) => hash),
    cipher.keyId,
  ])
}
