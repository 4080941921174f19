/**
 * Accounts that look like one which is excluded. What an account is recognised by is kept as a keyed hash of
 * its canonical form: it can be compared, and neither be read nor guessed from the database alone.
 */
import type { Queryable } from '#src/db/database.ts'
import type { MarkKind, NoteMark } from '#src/modules/accounts/note-mark.ts'
import type { Sealer } from '#src/sealer.ts'

/** Mail services that ignore dots in the part before the @. */
const DOTS_IGNORED = new Set(['gmail.com', 'googlemail.com'])

/**
 * The mailbox of a canonical address: `a.b+offers@gmail.com` is delivered to `ab@gmail.com`. The part from a
 * plus on is left out at every service; where a service takes it literally, staff see two addresses and release.
 */
function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const name = email.slice(0, at).replace(/(?<=.)\+.*$/, '')
  return DOTS_IGNORED.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}

/** A document's number without blanks and marks, so that it is the same however it is typed. */
function bareDocument(number: string): string {
  return number
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function canonical(kind: MarkKind, value: string): string {
  if (kind === 'email') return mailboxOf(value)
  return kind === 'document' ? bareDocument(value) : value
}

/** The keyed hash of what an account is recognised by; with the present key unless told. */
export function markOf(
  sealer: Sealer,
  { kind, value, keyId }: { kind: MarkKind; value: string; keyId?: string },
): Buffer {
  return sealer.mac(Buffer.from(canonical(kind, value)), `likeness of ${kind}`, keyId)
}

/** Makes the function that notes marks; they are compared under every key that is given. */
export function markNoter(sealer: Sealer): NoteMark {
  return async (tx, { playerId, kind, value }) => {
    const hashes = sealer.keyIds.map((keyId) => markOf(sealer, { kind, value, keyId }))
    await tx.query('select protection.note_mark($1, $2, $3, $4)', [
      ...[playerId, kind, hashes, sealer.keyId],
    ])
  }
}

/** Players whose marks are not all made with the present key, the lowest number first. */
export async function unmarkedPlayers(
  db: Queryable,
  { keyId, limit }: { keyId: string; limit: number },
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `select player_id as id from protection.player where marked_with is distinct from $1
     order by player_id limit $2`,
    [keyId, limit],
  )
  return rows.map(({ id }) => id)
}

/** Notes marks that players had before, which hold nobody, and that theirs are all made with the key. */
export async function noteEarlierMarks(
  tx: Queryable,
  {
    keyId,
    players,
    marks,
  }: {
    keyId: string
    players: readonly number[]
    marks: readonly { playerId: number; kind: MarkKind; hash: Buffer }[]
  },
): Promise<void> {
  await tx.query('select protection.note_earlier_marks($1, $2, $3, $4)', [
    marks.map(({ playerId }) => playerId),
    marks.map(({ kind }) => kind),
    marks.map(({ hash }) => hash),
    keyId,
  ])
  await tx.query('select protection.set_marked($1, $2)', [players, keyId])
}
