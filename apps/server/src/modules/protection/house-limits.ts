import { parseAmount } from '@sum28/domain/money.ts'
import * as z from 'zod'
import { commaList } from '#src/formats/setting-kinds.ts'
import {
  type HouseLimit,
  LIMIT_KINDS,
  LIMIT_PERIODS,
  type LimitKind,
  type LimitPeriod,
} from './protection-terms.ts'

export const houseLimitVariables = {
  LIMITS_BY_LAW: limitsBy('law'),
  LIMITS_BY_OPERATOR: limitsBy('operator'),
}

/** Limits that hold for every player, such as `deposit day 1000, loss month 5000`. */
function limitsBy(source: HouseLimit['source']) {
  return z
    .string()
    .default('')
    .transform((text, context) => {
      try {
        return readHouseLimits(source, text)
      } catch (error) {
        context.addIssue({ code: 'custom', message: `is wrong: it ${(error as Error).message}` })
        return z.NEVER
      }
    })
}

/**
 * Parses configured limits, such as `deposit day 1000, loss month 5000`, in u.
 *
 * @throws Error that names what is wrong
 */
export function readHouseLimits(source: HouseLimit['source'], text: string): HouseLimit[] {
  const limits = commaList(text).map((each) => readHouseLimit(source, each))
  const names = limits.map(({ kind, period }) => `${kind} ${period}`)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice) throw new Error(`sets the limit ${twice} twice`)
  return limits
}

function readHouseLimit(source: HouseLimit['source'], text: string): HouseLimit {
  const [kind, period, u, ...more] = text.split(/\s+/)
  if (!isOneOf(LIMIT_KINDS, kind) || !isOneOf(LIMIT_PERIODS, period) || more.length > 0) {
    throw new Error(
      `has ‘${text}’, which is not deposit, loss or stake, then day, week or month, then an amount`,
    )
  }
  const amount = parseAmount(u ?? '')
  if (!amount.ok) throw new Error(`has ‘${text}’, whose amount is not one in u such as 1000`)
  return { source, kind, period, amount: amount.amount }
}

function isOneOf<Word extends LimitKind | LimitPeriod>(
  words: readonly Word[],
  text: string | undefined,
): text is Word {
  return words.some((word) => word === text)
}
