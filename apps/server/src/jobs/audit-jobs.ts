/** The queue's jobs for the audit log: sign its end, and record the end outside the database. */
import type { Database } from '#src/db/database.ts'
import { noteBreak, unlikeItsHeads } from '#src/modules/staff/audit-check.ts'
import type { AuditHeads } from '#src/modules/staff/audit-heads.ts'
import {
  type AuditHead,
  findForgedSignature,
  signAudit,
} from '#src/modules/staff/audit-signature.ts'
import type { Log } from '#src/process/log.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'

export type AuditJobDeps = {
  db: Database
  cipher: SecretCipher
  heads: AuditHeads
  now: () => number
  log: Log
}

/**
 * Signs the log's end if it is new. If the log does not match its last signature or the ends that were written down, it
 * logs an error, and notes it for staff.
 *
 * @returns the log's end; null if there is none, or the log is broken
 */
export async function signAuditLog(deps: AuditJobDeps): Promise<AuditHead | null> {
  const { db, cipher, log } = deps
  const { head, fresh, brokenAt } = await signAudit({ db, cipher })
  // The log line also proves the signature, if log lines leave the machine.
  if (head && fresh) log.info(head, 'the audit log was signed')
  try {
    const row = brokenAt ?? (await unlikeItsHeads(db, deps))
    if (row !== null) log.error({ row }, BROKEN)
    await noteBreak(db, deps, row === null ? null : { row, byFile: brokenAt === null })
    if (row !== null) return null
  } catch (error) {
    // A file that cannot be read fails the job that writes to it, and not one more in each minute.
    log.error({ error }, 'the audit log could not be compared with its ends')
  }
  return head
}

/** Records the log's end in the data folder, unless the log was found broken. */
export async function writeAuditHead(deps: AuditJobDeps): Promise<void> {
  const { db, log, heads, now } = deps
  const row = await findForgedSignature(deps)
  if (row !== null) {
    log.error({ row }, BROKEN)
    return noteBreak(db, deps, { row, byFile: false })
  }
  const head = await signAuditLog(deps)
  if (!head) return
  heads.add(head, now())
  log.info({ ...head, file: heads.file }, 'the end of the audit log was written down')
}

const BROKEN = 'the audit log is not what was written'
