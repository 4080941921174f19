/** Declares calls of staff: each names its action, and the table of actions defines the allowed roles. */
import type * as z from 'zod/mini'
import type { RequestSchema } from './read-fields.ts'
import type { Download, Route } from './route.ts'
import { rolesOf, type StaffAction } from './staff-actions.ts'

type StaffParts<Declared> = Omit<Declared, 'auth' | 'roles' | 'action'> & {
  /** The call's action in the table of actions. */
  readonly action: StaffAction
}

export type StaffRoute<
  Request extends RequestSchema = RequestSchema,
  Reply extends z.core.$ZodType = z.core.$ZodType,
> = Route<Request, Reply, 'staff'> & { readonly action: StaffAction }

export type StaffDownload<Request extends RequestSchema = RequestSchema> = Download<
  Request,
  'staff'
> & { readonly action: StaffAction }

/** Declares a call of staff; its roles are those of its action. */
export function defineStaffRoute<Request extends RequestSchema, Reply extends z.core.$ZodType>(
  route: StaffParts<Route<Request, Reply, 'staff'>>,
): StaffRoute<Request, Reply> {
  return { ...route, auth: 'staff', roles: rolesOf(route.action) } as StaffRoute<Request, Reply>
}

/** Declares a file that staff may download; its roles are those of its action. */
export function defineStaffDownload<Request extends RequestSchema>(
  download: StaffParts<Download<Request, 'staff'>>,
): StaffDownload<Request> {
  return { ...download, auth: 'staff', roles: rolesOf(download.action) } as StaffDownload<Request>
}
