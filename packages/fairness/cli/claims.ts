import { BEACON_SCHEME } from '../src/beacon.ts'
import { QUICKNET } from '../src/quicknet.ts'
import type { PublishedRound } from '../src/verify-round.ts'
import type { ReceiptFile } from './receipt-file.ts'
import type { Step } from './step.ts'

/** Checks that the parts of one file agree: a file that contradicts itself proves nothing. */
export function claimSteps({ round, order }: ReceiptFile): Step[] {
  const steps: Step[] = []
  if (round.beacon.kind === 'local') steps.push(localBeaconStep(round))
  if (order) {
    steps.push({
      title: 'your order',
      says: 'Your order names the round that was checked, and the result that was drawn in it.',
      ...same(
        `game ${round.game_id}, round ${round.issue}, result ${codeOf(round) || 'none'}`,
        `game ${order.gameId}, round ${order.issue}, result ${order.lotteryCode || 'none'}`,
      ),
    })
    if (order.stake === null) {
      steps.push({
        title: 'your stake',
        says: 'Your total stake is the same stake on each of your choices.',
        ok: false,
        computed: 'it cannot be divided by the number of choices',
        published: order.playType,
      })
    }
  }
  return steps
}

// A forged round that calls a public beacon local would avoid the comparison with quicknet's key.
function localBeaconStep({ beacon }: PublishedRound): Step {
  const quicknet =
    beacon.chain_hash === QUICKNET.chainHash || beacon.public_key === QUICKNET.publicKey
  return {
    title: 'beacon kind',
    says: 'A beacon that calls itself the operator’s own is not drand’s, and is of the scheme that this program checks.',
    ok: !quicknet && beacon.scheme === BEACON_SCHEME,
    computed: quicknet ? `quicknet ${BEACON_SCHEME}` : `local ${BEACON_SCHEME}`,
    published: `${beacon.kind} ${beacon.scheme}`,
  }
}

function codeOf({ digits }: PublishedRound): string {
  if (digits === null) return ''
  return [...digits, digits.reduce((sum, digit) => sum + digit, 0)].join(' ')
}

function same(computed: string, published: string): Pick<Step, 'ok' | 'computed' | 'published'> {
  return { ok: computed === published, computed, published }
}
