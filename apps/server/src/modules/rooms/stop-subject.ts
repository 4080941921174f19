import { malformed, type Refusal } from '#src/refusal/refusal.ts'
import type { StopSubject } from './stop-store.ts'

/** Its name in the audit log: `betting`, `game:1` or `room:11`. */
export function stopSubjectName(subject: StopSubject): string {
  return subject.scope === 'all' ? 'betting' : `${subject.scope}:${subject.id}`
}

/** The subject of a request; malformed if the id is missing, or is given with `all`. */
export function stopSubjectOf(input: {
  scope: StopSubject['scope']
  id?: number | null | undefined
}): StopSubject | Refusal {
  const { scope, id = null } = input
  if (scope === 'all') return id === null ? { scope } : malformed({ id: 'invalid' })
  return id === null ? malformed({ id: 'required' }) : { scope, id }
}
