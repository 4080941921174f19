import { malformed, type Refusal } from '#src/refusal.ts'
import type { StopSubject } from './stop-store.ts'

/** As the audit log names it: `betting`, `game:1` or `room:11`. */
export function stopSubjectName(subject: StopSubject): string {
  return subject.scope === 'all' ? 'betting' : `${subject.scope}:${subject.id}`
}

/** What a request means; malformed where the id is missing, or stands beside `all`. */
export function stopSubjectOf(input: {
  scope: StopSubject['scope']
  id?: number | null | undefined
}): StopSubject | Refusal {
  const { scope, id = null } = input
  if (scope === 'all') return id === null ? { scope } : malformed({ id: 'invalid' })
  return id === null ? malformed({ id: 'required' }) : { scope, id }
}
