/** The server's reply about a player's protection. */
import type { protectionState } from '@sum28/contract/protection-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'

export type ProtectionReply = ReplyOf<typeof protectionState>
export type LimitReply = ProtectionReply['limits'][number]

/** Milliseconds since 1970 as the seconds of the wire. */
export function wireTime(at: number): number {
  return Math.round(at / 1_000)
}

/** A player without own limits, session and break; a test changes some fields. */
export function protectionReply({
  limits = [],
  ...rest
}: Partial<Omit<ProtectionReply, 'limits'>> & {
  limits?: (Pick<LimitReply, 'kind' | 'period'> & Partial<LimitReply>)[]
} = {}): ProtectionReply {
  const all = (['deposit', 'loss', 'stake'] as const).flatMap((kind) =>
    (['day', 'week', 'month'] as const).map((period) => ({ kind, period })),
  )
  return {
    limits: all.map((name) => ({
      own: null,
      amount: null,
      by: null,
      used: '0.00',
      left: null,
      begins_anew_at: 1_795_363_200,
      raise: null,
      ...name,
      ...limits.find(({ kind, period }) => kind === name.kind && period === name.period),
    })),
    check_minutes: 60,
    session: null,
    exclusion: null,
    held: [],
    ...rest,
  }
}
