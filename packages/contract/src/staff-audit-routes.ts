/** /api/staff/auditRows: the audit log for the console, filtered and by keyset, and whether it is intact. */
import * as z from 'zod/mini'
import { day, optionalText } from './fields.ts'
import { unix } from './replies.ts'
import { listPage, listRequest } from './staff-list.ts'
import { defineStaffRoute } from './staff-route.ts'

export const auditRow = z.object({
  id: z.int(),
  at: unix,
  /** Null: by a command on the server, or by the product itself. */
  staff: z.nullable(z.string()),
  action: z.string(),
  subject: z.string(),
  /** Of a game, a round or rooms, such as `DOT · Basic`; null of all else. */
  subject_name: z.nullable(z.string()),
  /** The network from which the session was begun; null without a session. */
  from: z.nullable(z.string()),
  /** Further recorded facts: the values before and after, and the reason. */
  details: z.record(z.string(), z.unknown()),
})
export type WireAuditRow = z.infer<typeof auditRow>

export const listAuditRows = defineStaffRoute({
  path: '/api/staff/auditRows',
  summary: 'What staff did: who, when, from where, to what and why; filtered',
  action: 'audit.read',
  request: listRequest(['id'], {
    staff: optionalText(64),
    /** Such as `withdrawal_approved`. */
    what: optionalText(64),
    /** Such as `withdrawal:12`. A member is found by number and name alike, a room also as one of several. */
    subject: optionalText(100),
    /** What comes before the colon, such as `withdrawal`. */
    subject_kind: optionalText(32),
    /** What follows the colon; with its kind. */
    subject_id: optionalText(100),
    from_day: z.optional(day),
    until_day: z.optional(day),
  }),
  reply: listPage(auditRow),
})

export const auditChain = defineStaffRoute({
  path: '/api/staff/auditRows/chain',
  summary: 'Whether the audit log is what was written: its chain, its signatures, and its copies',
  action: 'audit.read',
  reply: z.object({
    /** How many rows there are. */
    rows: z.int(),
    /** The first row that differs; null: none was seen. */
    broken_at: z.nullable(z.int()),
  }),
})

export const auditNames = defineStaffRoute({
  path: '/api/staff/auditRows/names',
  summary: 'The actions and the kinds of subjects that the log has',
  action: 'audit.read',
  reply: z.object({ actions: z.array(z.string()), subjects: z.array(z.string()) }),
})
