import type * as z from 'zod/mini'
import type { RequestSchema } from './read-fields.ts'

/** Who may call: anybody, a player with a token, a member with a token, or staff with theirs. */
export type Auth = 'none' | 'token' | 'member' | 'staff'

export const STAFF_ROLES = ['owner', 'finance', 'support', 'editor', 'auditor'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

/** How often one address or one player may call: see the server's rate limits. */
export type RateClass = 'read' | 'poll' | 'write' | 'sign_in' | 'mail' | 'export' | 'upload'

/** One call of the API: from it come validation, types, the client and the OpenAPI page. */
export type Route<
  Request extends RequestSchema = RequestSchema,
  Reply extends z.core.$ZodType = z.core.$ZodType,
  Who extends Auth = Auth,
> = {
  readonly method: 'GET' | 'POST'
  /** As the wire writes it; matched whatever the case. */
  readonly path: `/api/${string}`
  readonly summary: string
  readonly auth: Who
  /** Which staff may call; absent for calls that are not theirs. */
  readonly roles?: readonly StaffRole[]
  readonly rate: RateClass
  /** The part of a multipart body that may be a file; absent for calls that take none. */
  readonly file?: string
  readonly request: Request
  readonly reply: Reply
}

/**
 * Whether a call changes something: then it honours an `Idempotency-Key`. That a message counts as
 * read, and that a member has an address to deposit to, comes of reading and is no change.
 */
export function changesSomething({ rate }: Pick<Route, 'rate'>): boolean {
  return rate === 'write' || rate === 'sign_in' || rate === 'mail' || rate === 'upload'
}

/** The largest file that any call takes. */
export const FILE_MAX_BYTES = 5 * 1024 * 1024

/** Declares a route; the types are taken from the schemas. */
export function defineRoute<
  Request extends RequestSchema,
  Reply extends z.core.$ZodType,
  const Who extends Auth,
>(route: Route<Request, Reply, Who>): Route<Request, Reply, Who> {
  return route
}

/** A call whose success is a file and not an envelope; its refusals are envelopes like any other's. */
export type Download<Request extends RequestSchema = RequestSchema, Who extends Auth = Auth> = Omit<
  Route<Request, z.core.$ZodType, Who>,
  'method' | 'reply'
> & {
  readonly method: 'GET'
  readonly mediaType: string
}

/** Declares a download; the type of the request is taken from its schema. */
export function defineDownload<Request extends RequestSchema, const Who extends Auth>(
  download: Download<Request, Who>,
): Download<Request, Who> {
  return download
}

/** What a client sends. */
export type RequestOf<R extends Pick<Route, 'request'>> = z.input<R['request']>
/** What a handler is given: the request after validation. */
export type ParsedOf<R extends Pick<Route, 'request'>> = z.output<R['request']>
/** `data` of a success. */
export type ReplyOf<R extends Route> = z.output<R['reply']>
