import type { config as configRoute } from '@sum28/contract/index-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { formatAmount, MICRO } from '@sum28/domain/money.ts'
import type { Config } from '#src/config.ts'

/** Quick amounts, in u, and the least withdrawal, as the product has them. */
const QUICK_AMOUNTS = [5, 10, 50, 300, 500]
const WITHDRAW_MIN = 100n * MICRO

/** How often a client that polls asks for the heartbeat. */
const HEARTBEAT_MS = 2_000

/**
 * What a client must know before login.
 *
 * @param origin where the client reached us: both lines, unless others are configured
 * @param build the build's version
 */
export function clientConfig(
  config: Config,
  { origin, build }: { origin: string; build: string },
): ReplyOf<typeof configRoute> {
  return {
    lines: [...(config.lines ?? [origin, origin])],
    support_url: config.supportUrl,
    quick_amounts: QUICK_AMOUNTS,
    withdraw_min: formatAmount(WITHDRAW_MIN),
    round_seconds: config.schedule.roundMs / 1000,
    seal_seconds: config.schedule.sealMs / 1000,
    heartbeat_ms: HEARTBEAT_MS,
    features: {
      demo: config.profile === 'demo',
      beacon: config.beacon.kind,
      usdt_deposits: true,
      bank_deposits: false,
      // No robots bet yet.
      robots: false,
      support_email: config.supportEmail,
      game_timezone: config.schedule.timeZone,
      opening_hours: config.openingHours,
      build,
    },
  }
}
