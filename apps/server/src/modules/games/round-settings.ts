/** The settings of rounds: when they run, how long they last, and from where their chance comes. */
import { parseOpeningHours, type ScheduleRules } from '@sum28/domain/schedule.ts'
import { DEADLINE_MAX_S } from '@sum28/fairness/log-times.ts'
import * as z from 'zod'
import { type ValuesOf, wholeNumber } from '#src/formats/setting-kinds.ts'
import { StartError } from '#src/process/start-error.ts'

export const roundVariables = {
  GAME_TIMEZONE: z
    .string()
    .default('Asia/Singapore')
    .refine(
      isTimeZone,
      'must be UTC or a zone’s name with a slash, such as Asia/Singapore: others may be another zone for the database',
    ),
  OPENING_HOURS: z
    .string()
    .refine((text) => parseOpeningHours(text) !== null, 'is not hours such as 10:00-02:00')
    .optional(),
  ROUND_SECONDS: wholeNumber.min(6).max(3600).default(210),
  SEAL_SECONDS: wholeNumber.min(1).max(1800).default(30),
  BEACON: z.enum(['local', 'drand']).optional(),
  // Longer than a beacon's period: verifiers refuse a deadline before the value exists, and one that is far ahead.
  BEACON_DEADLINE_SECONDS: z.coerce.number().min(4).max(DEADLINE_MAX_S).default(600),
}

export type RoundSettings = {
  readonly openingHours: string
  readonly schedule: ScheduleRules
  readonly beacon: { readonly kind: 'local' | 'drand'; readonly deadlineMs: number }
}

/** @throws StartError if a round would be sealed before it opens, or none fits into the opening hours */
export function readRoundSettings(
  env: ValuesOf<typeof roundVariables>,
  { production }: { production: boolean },
): RoundSettings {
  if (env.SEAL_SECONDS >= env.ROUND_SECONDS) {
    throw new StartError(
      `The environment is wrong: SEAL_SECONDS=${env.SEAL_SECONDS} must be less than ROUND_SECONDS=${env.ROUND_SECONDS}.`,
    )
  }
  const openingHours = env.OPENING_HOURS ?? (production ? '10:00-02:00' : '00:00-24:00')
  const hours = parseOpeningHours(openingHours)
  if (!hours) throw new Error('the default opening hours do not parse')
  if ((hours.closesMinute - hours.opensMinute) * 60 < env.ROUND_SECONDS) {
    throw new StartError(
      `The environment is wrong: no round of ROUND_SECONDS=${env.ROUND_SECONDS} fits into OPENING_HOURS=${openingHours}.`,
    )
  }
  return {
    openingHours,
    schedule: {
      timeZone: env.GAME_TIMEZONE,
      ...hours,
      roundMs: env.ROUND_SECONDS * 1000,
      sealMs: env.SEAL_SECONDS * 1000,
    },
    beacon: {
      kind: env.BEACON ?? (production ? 'drand' : 'local'),
      deadlineMs: env.BEACON_DEADLINE_SECONDS * 1000,
    },
  }
}

/**
 * Only names that Node and PostgreSQL read alike: `+08:00` is east of Greenwich for Node, and west of it for PostgreSQL;
 * `IST` is India for Node, and Israel for PostgreSQL, which looks for an abbreviation first.
 */
function isTimeZone(name: string): boolean {
  if (name !== 'UTC' && !name.includes('/')) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
