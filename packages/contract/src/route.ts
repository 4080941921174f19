import type * as z from 'zod/mini'

/** Who may call: anybody, or somebody with a token, or a member with a token. */
export type Auth = 'none' | 'token' | 'member'

/** How often one address or one player may call: see the server's rate limits. */
export type RateClass = 'read' | 'poll' | 'write' | 'sign_in' | 'mail'

/** One call of the player API: from it come validation, types, the client and the OpenAPI page. */
export type Route<
  Request extends z.core.$ZodType = z.core.$ZodType,
  Reply extends z.core.$ZodType = z.core.$ZodType,
> = {
  readonly method: 'GET' | 'POST'
  /** As the wire writes it; matched whatever the case. */
  readonly path: `/api/${string}`
  readonly summary: string
  readonly auth: Auth
  readonly rate: RateClass
  readonly request: Request
  readonly reply: Reply
}

/** Declares a route; the types are taken from the schemas. */
export function defineRoute<Request extends z.core.$ZodType, Reply extends z.core.$ZodType>(
  route: Route<Request, Reply>,
): Route<Request, Reply> {
  return route
}

/** What a client sends. */
export type RequestOf<R extends Route> = z.input<R['request']>
/** What a handler is given: the request after validation. */
export type ParsedOf<R extends Route> = z.output<R['request']>
/** `data` of a success. */
export type ReplyOf<R extends Route> = z.output<R['reply']>
