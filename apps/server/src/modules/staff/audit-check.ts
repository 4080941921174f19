/** Checks regularly that the audit log is unaltered, without reading all of it each time. */
import type { Database, Queryable } from '#src/db/database.ts'
import { readOneByOne } from '#src/db/shared-reads.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import type { AuditHeads } from './audit-heads.ts'
import {
  auditCheck,
  BEGINNING,
  type CheckedTo,
  findForgedSignature,
  firstOtherHash,
  isOurHead,
  signRestore,
  type WrittenHead,
} from './audit-signature.ts'

const WHOLE_AGAIN_MS = 3_600_000

export type AuditWitnesses = { cipher: SecretCipher; heads: AuditHeads }

/** Returns the number of a row that was altered, is missing or is in the wrong place; null if none is found. */
type FindAuditBreak = () => Promise<number | null>

/**
 * Checks the log during a process's life. A call reads the rows added since the last call, and the log's end. The
 * first call, one each hour, and every call while something is wrong read all rows, all signatures and the heads that
 * were written to the data folder: a row that was altered in between is reported within the hour. Such a check that
 * breaks off is continued by the next call, and calls meanwhile wait for it: a long log may take longer than a call.
 *
 * @param options `now`: a clock in milliseconds; `rowsAtOnce`: rows that a statement reads
 */
export function auditChecker(
  db: Database,
  witnesses: AuditWitnesses,
  { now = Date.now, rowsAtOnce }: { now?: () => number; rowsAtOnce?: number } = {},
): FindAuditBreak {
  /** All rows up to this one were found right, by a check of all rows that began then. */
  let checked: { to: CheckedTo; since: number; whole: boolean } | null = null

  return readOneByOne(async () => {
    if (!checked || now() - checked.since >= WHOLE_AGAIN_MS) {
      checked = { to: BEGINNING, since: now(), whole: false }
    }
    const { to, since, whole } = checked
    const onStep = (step: CheckedTo) => {
      checked = { to: step, since, whole }
    }
    const { brokenId, lastId, lastHash } = await auditCheck(db, to, { rowsAtOnce, onStep })
    const broken = brokenId ?? (whole ? null : await unlikeItsWitnesses(db, witnesses))
    checked = broken === null ? { to: { id: lastId, hash: lastHash }, since, whole: true } : null
    return broken
  })
}

/**
 * Compares the log with its signatures and with the heads that were stored outside the database.
 *
 * @returns the number of the first row that differs; null if none is found
 */
async function unlikeItsWitnesses(db: Database, witnesses: AuditWitnesses): Promise<number | null> {
  const forged = await findForgedSignature({ db, cipher: witnesses.cipher })
  return lowest([forged, await unlikeItsHeads(db, witnesses)])
}

/** Compares the log with the heads alone: few, and the only ones that show a missing end. */
export async function unlikeItsHeads(
  db: Database,
  { cipher, heads }: AuditWitnesses,
): Promise<number | null> {
  const written = heads.all()
  const notOurs = written.find(
    (head, at) => isOurHead(cipher, head, written.slice(0, at)) === false,
  )
  return lowest([notOurs?.id ?? null, await firstOtherHash(db, standing(cipher, written))])
}

function lowest(rows: readonly (number | null)[]): number | null {
  const seen = rows.filter((row) => row !== null)
  return seen.length > 0 ? Math.min(...seen) : null
}

/** Where a job has found the log broken, for processes that have no file of its ends. */
export async function notedBreak(
  db: Queryable,
): Promise<{ row: number; byFile: boolean } | undefined> {
  return db.first(
    `select broken_id::integer as row, broken_by_file as "byFile" from staff.audit_head
     where broken_id is not null`,
  )
}

/**
 * Notes where the log is broken, until it is right again: what a file of its ends has shown is taken back by a process
 * that has that end in its file.
 */
export async function noteBreak(
  db: Database,
  witnesses: AuditWitnesses,
  found: { row: number; byFile: boolean } | null,
): Promise<void> {
  if (found) {
    await db.query(
      `update staff.audit_head set broken_id = $1, broken_by_file = $2,
         broken_since = coalesce(broken_since, app.now())
       where broken_id is distinct from $1`,
      [found.row, found.byFile],
    )
    return
  }
  const noted = await notedBreak(db)
  if (!noted || (noted.byFile && !witnesses.heads.all().some(({ id }) => id === noted.row))) return
  const { brokenId } = await auditCheck(db, BEGINNING)
  if (brokenId !== null || (await unlikeItsWitnesses(db, witnesses)) !== null) return
  await db.query(
    'update staff.audit_head set broken_id = null, broken_since = null, broken_by_file = null',
  )
}

/** The heads that hold: without those that a later mark of a restore says to be of a past that is gone. */
function standing(cipher: SecretCipher, written: readonly WrittenHead[]): WrittenHead[] {
  return written.filter(({ id }, at) => {
    const undone = (mark: WrittenHead, later: number) =>
      later > at &&
      mark.restored !== undefined &&
      id >= mark.restored.from &&
      isOurHead(cipher, mark, written.slice(0, later)) === true
    return !written.some(undone)
  })
}

/** What a restore has undone: the ends of this many earlier days, from a row on. */
export type NotedRestore = { from: number; ends: number }

/** Why there is nothing to note: all ends are in the log; or the log differs by more than a restore to that instant. */
export type RestoreRefusal = { refused: 'nothing_gone' } | { refused: 'differs'; row: number }

/**
 * Marks in the file of the log's ends that the database was restored to an instant, so that the ends which were
 * written after it do not count as proof that rows were deleted. What was written before the instant has to be there.
 *
 * @param to milliseconds since 1970
 */
export async function noteRestore(
  deps: { db: Database; now: () => number } & AuditWitnesses,
  to: number,
): Promise<NotedRestore | RestoreRefusal> {
  const { db, cipher, heads } = deps
  const { brokenId, lastId, lastHash } = await auditCheck(db, BEGINNING)
  const broken = brokenId ?? (await findForgedSignature({ db, cipher }))
  if (broken !== null) return { refused: 'differs', row: broken }
  const written = heads.all()
  const holding = standing(cipher, written)
  const from = await firstOtherHash(db, holding)
  if (from === null) return { refused: 'nothing_gone' }
  const old = await db.query('select from staff.audit where id = $1 and at <= $2', [
    from,
    new Date(to),
  ])
  const early = holding.find(({ id, at }) => id >= from && Date.parse(at) <= to)
  const alien = written.find((each, at) => isOurHead(cipher, each, written.slice(0, at)) === false)
  if (old.length > 0 || early || alien) return { refused: 'differs', row: alien?.id ?? from }
  const restored = { to: new Date(to).toISOString(), from }
  const mark = signRestore(cipher, { id: lastId, hash: lastHash }, restored, written)
  heads.add(mark, deps.now())
  return { from, ends: holding.filter(({ id }) => id >= from).length }
}
