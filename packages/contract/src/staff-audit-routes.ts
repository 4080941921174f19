/** /api/staff/auditRows: the console's page of the audit log. */
import type { Route } from './route.ts'

/** Every call of the area. */
export const AUDIT_ROUTES: readonly Route[] = []
