import type * as z from 'zod/mini'
import type { RequestSchema } from './read-fields.ts'

/** The allowed callers: everybody, a player with a token, a member with a token, or staff with a token. */
export type Auth = 'none' | 'token' | 'member' | 'staff'

export const STAFF_ROLES = ['owner', 'finance', 'support', 'editor', 'auditor'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

/**
 * The rate limit of one network; see the server's rate limits. `own_poll` limits one player instead, for
 * calls that many players behind one address make all the time.
 */
export type RateClass =
  | 'read'
  | 'poll'
  | 'own_poll'
  | 'write'
  | 'sign_in'
  | 'mail'
  | 'export'
  | 'upload'

/** One call of the API; validation, types, the client and the OpenAPI page are made from it. */
export type Route<
  Request extends RequestSchema = RequestSchema,
  Reply extends z.core.$ZodType = z.core.$ZodType,
  Who extends Auth = Auth,
> = {
  readonly method: 'GET' | 'POST'
  /** As written on the wire; letter case is ignored when it is matched. */
  readonly path: `/api/${string}`
  readonly summary: string
  readonly auth: Who
  /** The roles of staff that may call; absent for other calls. */
  readonly roles?: readonly StaffRole[]
  /** The action of a call of staff: a row of the table in `staff-actions.ts`; absent for other calls. */
  readonly action?: string
  readonly rate: RateClass
  /** The part of a multipart body that may be a file; absent when the call takes none. */
  readonly file?: string
  /** A field with a higher limit of its text, in UTF-16 units; only in calls of staff. */
  readonly longText?: { readonly field: string; readonly max: number }
  readonly request: Request
  readonly reply: Reply
}

/**
 * Whether a call changes something, and therefore honours an `Idempotency-Key`. Marking a message
 * as read and giving a member a deposit address happen on reading and do not count.
 */
export function changesSomething({ rate }: Pick<Route, 'rate'>): boolean {
  return rate === 'write' || rate === 'sign_in' || rate === 'mail' || rate === 'upload'
}

/** The largest file that any call takes. */
export const FILE_MAX_BYTES = 5 * 1024 * 1024

/** A call that answers with a file on success; its refusals are envelopes. */
export type Download<Request extends RequestSchema = RequestSchema, Who extends Auth = Auth> = Omit<
  Route<Request, z.core.$ZodType, Who>,
  'method' | 'reply'
> & {
  readonly method: 'GET'
  readonly mediaType: string
}

/** The calls among what some modules export, in the order of their paths. */
export function callsIn(...modules: readonly object[]): {
  readonly routes: readonly Route[]
  readonly downloads: readonly Download[]
} {
  const calls = modules
    .flatMap((module) => Object.values(module))
    .filter(isCall)
    .sort((one, other) => (one.path < other.path ? -1 : 1))
  return {
    routes: calls.filter((call) => 'reply' in call),
    downloads: calls.filter((call) => 'mediaType' in call),
  }
}

/** Whether an export of a module that declares calls is one of them, and not a schema or a constant. */
export function isCall(value: unknown): value is Route | Download {
  return typeof value === 'object' && value !== null && 'path' in value && 'request' in value
}

/** What a client sends. */
export type RequestOf<R extends Pick<Route, 'request'>> = z.input<R['request']>
/** What a handler is given: the request after validation. */
export type ParsedOf<R extends Pick<Route, 'request'>> = z.output<R['request']>
/** `data` of a success. */
export type ReplyOf<R extends Route> = z.output<R['reply']>
