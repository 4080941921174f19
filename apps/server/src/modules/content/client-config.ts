import type { config as configRoute } from '@sum28/contract/index-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import type { Config } from '#src/config.ts'
import { WITHDRAWAL_MIN } from '#src/modules/withdrawals/request-withdrawal.ts'

/** Quick amounts, in u. */
const QUICK_AMOUNTS = [5, 10, 50, 300, 500]

/** How often a polling client requests the heartbeat. */
const HEARTBEAT_MS = 2_000

/**
 * The configuration that a client needs before login.
 *
 * @param origin the origin that the client called: both lines, unless others are configured
 * @param build the build's version
 * @param robots whether any room has house robots that bet
 */
export function clientConfig(
  config: Config,
  { origin, build, robots }: { origin: string; build: string; robots: boolean },
): ReplyOf<typeof configRoute> {
  return {
    lines: [...(config.lines ?? [origin, origin])],
    support_url: config.supportUrl,
    quick_amounts: QUICK_AMOUNTS,
    withdraw_min: formatAmount(WITHDRAWAL_MIN),
    round_seconds: config.schedule.roundMs / 1000,
    seal_seconds: config.schedule.sealMs / 1000,
    heartbeat_ms: HEARTBEAT_MS,
    features: {
      demo: config.profile === 'demo',
      beacon: config.beacon.kind,
      robots,
      support_email: config.supportEmail,
      game_timezone: config.schedule.timeZone,
      opening_hours: config.openingHours,
      build,
    },
  }
}
