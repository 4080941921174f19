/** Declares calls of staff: each names its action, and the table of actions defines the allowed roles. */
import type * as z from 'zod/mini'
import { type Declared, defineDownload, type NoFields, usualParts } from './define-route.ts'
import type { RequestSchema } from './read-fields.ts'
import type { Download, Route } from './route.ts'
import { rolesOf, STAFF_ACTIONS, type StaffAction } from './staff-actions.ts'

/** What its action says of a call. */
type OfAction = {
  /** The call's action in the table of actions. */
  readonly action: StaffAction
}

export type StaffRoute<
  Request extends RequestSchema = RequestSchema,
  Reply extends z.core.$ZodType = z.core.$ZodType,
> = Route<Request, Reply, 'staff'> & OfAction

export type StaffDownload<Request extends RequestSchema = RequestSchema> = Download<
  Request,
  'staff'
> &
  OfAction

/**
 * Declares a call of staff; its roles are those of its action. Unless the declaration names them, its method is POST, its
 * request has no fields, its reply is null, and its rate is `write` if its action changes something, else `read`.
 */
export function defineStaffRoute<
  Request extends RequestSchema = NoFields,
  Reply extends z.core.$ZodType = z.ZodMiniNull,
>(
  route: Declared<
    Omit<StaffRoute<Request, Reply>, 'auth' | 'roles'>,
    'method' | 'request' | 'reply' | 'rate'
  >,
): StaffRoute<Request, Reply> {
  return {
    ...usualParts(),
    rate: STAFF_ACTIONS[route.action].kind === 'change' ? 'write' : 'read',
    ...route,
    auth: 'staff',
    roles: rolesOf(route.action),
  } as StaffRoute<Request, Reply>
}

/** Declares a file that staff may download; its roles are those of its action. */
export function defineStaffDownload<Request extends RequestSchema>(
  download: Omit<StaffDownload<Request>, 'auth' | 'roles' | 'method' | 'rate'>,
): StaffDownload<Request> {
  const whole = { ...download, auth: 'staff', roles: rolesOf(download.action) } as const
  return defineDownload(whole) as StaffDownload<Request>
}
