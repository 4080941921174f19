/** Declares calls, and fills in what most of them have. Apart from `route.ts`, so that the app's build has no zod. */
import * as z from 'zod/mini'
import type { RequestSchema } from './read-fields.ts'
import type { Auth, Download, Route } from './route.ts'

/** A declaration in which the named parts may be absent. */
export type Declared<Call, Usual extends keyof Call> = Omit<Call, Usual> &
  Partial<Pick<Call, Usual>>

/** The schema of a request without fields. */
export type NoFields = z.ZodMiniObject<Record<never, never>>

/** What a call has whose declaration says nothing else. */
export function usualParts() {
  return { method: 'POST', request: z.object({}), reply: z.null() } as const
}

/**
 * Declares a route that is not for staff; the types are taken from the schemas. Unless the declaration names them, its
 * method is POST, its request has no fields, and its reply is null.
 */
export function defineRoute<
  const Who extends Exclude<Auth, 'staff'>,
  Request extends RequestSchema = NoFields,
  Reply extends z.core.$ZodType = z.ZodMiniNull,
>(
  route: Declared<Route<Request, Reply, Who>, 'method' | 'request' | 'reply'>,
): Route<Request, Reply, Who> {
  return { ...usualParts(), ...route } as Route<Request, Reply, Who>
}

/** Declares a download; the type of the request is taken from its schema. Without one it has no fields. */
export function defineDownload<const Who extends Auth, Request extends RequestSchema = NoFields>(
  download: Declared<Omit<Download<Request, Who>, 'method' | 'rate'>, 'request'>,
): Download<Request, Who> {
  return { request: z.object({}), ...download, method: 'GET', rate: 'export' } as Download<
    Request,
    Who
  >
}
