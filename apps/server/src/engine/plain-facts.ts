import { errorFacts } from '#src/log.ts'

/** Converts a log line's facts so that they can be sent to another process; an error keeps only its safe fields. */
export function plainFacts(facts: object): object {
  return Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      fact instanceof Error ? JSON.parse(JSON.stringify(errorFacts(fact))) : fact,
    ]),
  )
}
