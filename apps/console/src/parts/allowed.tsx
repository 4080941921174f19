import type { StaffAction } from '@sum28/contract/staff-actions.ts'
import type { ReactNode } from 'react'
import { AccessDenied } from 'react-admin'
import { useMay } from '#src/data/session.ts'

/** Shows a page to users who may do its action, and a note to others. */
export function Allowed({ action, children }: { action: StaffAction; children: ReactNode }) {
  const may = useMay()
  return may(action) ? children : <AccessDenied />
}
