import { errorFacts } from '#src/log.ts'

/** A line's facts as they can be sent to another process: an error as what may be said of it. */
export function plainFacts(facts: object): object {
  return Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      fact instanceof Error ? JSON.parse(JSON.stringify(errorFacts(fact))) : fact,
    ]),
  )
}
