/** The queue's jobs for the audit log: sign its end, and record the end outside the database. */
import type { Database } from '#src/db/database.ts'
import { unlikeItsWitnesses } from '#src/modules/staff/audit-check.ts'
import type { AuditHeads } from '#src/modules/staff/audit-heads.ts'
import { type AuditHead, signAudit } from '#src/modules/staff/audit-signature.ts'
import type { Log } from '#src/process/log.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'

export type AuditJobDeps = {
  db: Database
  cipher: SecretCipher
  heads: AuditHeads
  now: () => number
  log: Log
}

/** Signs the log's end if it is new; logs an error if the log does not match its last signature. */
export async function signAuditLog({ db, cipher, log }: AuditJobDeps): Promise<AuditHead | null> {
  const { head, fresh, brokenAt } = await signAudit({ db, cipher })
  if (brokenAt !== null) log.error({ row: brokenAt }, BROKEN)
  // The log line also proves the signature, if log lines leave the machine.
  else if (head && fresh) log.info(head, 'the audit log was signed')
  return head
}

/** Records the log's end in the data folder, after comparing the log with all earlier records. */
export async function writeAuditHead(deps: AuditJobDeps): Promise<void> {
  const { db, log, heads, now } = deps
  const brokenId = await unlikeItsWitnesses(db, deps)
  if (brokenId !== null) {
    log.error({ row: brokenId }, BROKEN)
    return
  }
  const head = await signAuditLog(deps)
  if (!head) return
  heads.add(head, now())
  log.info({ ...head, file: heads.file }, 'the end of the audit log was written down')
}

const BROKEN = 'the audit log is not what was written'
