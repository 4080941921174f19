import { hashSeed } from '../src/seed-chain.ts'
import type { ReceiptFile } from './receipt-file.ts'
import type { Step } from './step.ts'

/**
 * Checks several files against one another: rounds of one chain have one game and one commitment,
 * each seed hashes to the one revealed before it, and two files of one round agree.
 * @returns no steps when no two files share a chain or a round
 */
export function linkSteps(files: readonly ReceiptFile[]): Step[] {
  return [...sameRoundSteps(files), ...sameChainSteps(files)]
}

function sameRoundSteps(files: readonly ReceiptFile[]): Step[] {
  const groups = groupBy(files, ({ round }) => `game ${round.game_id}, round ${round.issue}`)
  return groups.flatMap(([name, [first, ...others]]) =>
    others.flatMap((other) => (first ? [sameRoundStep(name, first, other)] : [])),
  )
}

function sameRoundStep(name: string, one: ReceiptFile, other: ReceiptFile): Step {
  const a = publishedFields(one)
  const b = publishedFields(other)
  // A value that was published later does not contradict a file from before it.
  const changed = [...a].filter(([field, value]) => {
    const now = b.get(field)
    return value !== null && now !== null && value !== now
  })
  const differences = (fields: ReadonlyMap<string, unknown>) =>
    changed.map(([field]) => `${field} ${fields.get(field)}`).join(', ')
  return {
    title: `two files of ${name}`,
    says: 'What was published once of a round is never published otherwise.',
    ok: changed.length === 0,
    computed: `${one.name}: ${differences(a) || 'nothing that differs'}`,
    published: `${other.name}: ${differences(b) || 'nothing that differs'}`,
  }
}

function publishedFields({ round }: ReceiptFile): Map<string, string | number | null | undefined> {
  const { beacon, book } = round
  return new Map<string, string | number | null | undefined>([
    ['chain_id', String(round.chain_id)],
    ['index', round.index],
    ['commitment', round.commitment],
    ['seed', round.seed],
    ...Object.entries(beacon).map(([field, value]) => [`beacon.${field}`, value] as const),
    ['digits', round.digits === null ? null : round.digits.join(' ')],
    ...Object.entries(book).map(([field, value]) => [`book.${field}`, value] as const),
  ])
}

function sameChainSteps(files: readonly ReceiptFile[]): Step[] {
  const chains = groupBy(files, ({ round }) => String(round.chain_id))
  return chains.flatMap(([chain, members]) => {
    const ordered = [...members].sort((a, b) => a.round.index - b.round.index)
    // A voided round may not reveal its seed; the chain continues beyond it.
    const revealed = ordered.filter(({ round }) => round.seed !== null)
    return [
      ...neighbours(ordered).flatMap(([earlier, later]) => orderStep(chain, earlier, later)),
      ...neighbours(revealed).map(([earlier, later]) => seedLinkStep(chain, earlier, later)),
    ]
  })
}

/** Reported only when it fails; when the order is right, the steps of the seeds show it. */
function orderStep(chain: string, earlier: ReceiptFile, later: ReceiptFile): Step[] {
  const fault = chainFault(earlier, later)
  if (fault === null) return []
  return [
    {
      title: `order of chain ${chain}`,
      says: 'A chain has one game and one commitment, and gives each of its rounds a place of its own, in order.',
      ok: false,
      computed: fault,
      published: `${earlier.name} and ${later.name}`,
    },
  ]
}

function seedLinkStep(chain: string, earlier: ReceiptFile, later: ReceiptFile): Step {
  const distance = later.round.index - earlier.round.index
  const computed = hashSeed(later.round.seed ?? '', distance)
  const published = earlier.round.seed
  return {
    title: `chain ${chain}, round ${earlier.round.issue} to ${later.round.issue}`,
    says: `The later seed, hashed ${distance === 1 ? 'once' : `${distance} times`}, gives the earlier one.`,
    ok: computed !== null && computed === published,
    computed,
    published,
  }
}

function chainFault({ round: a }: ReceiptFile, { round: b }: ReceiptFile): string | null {
  if (a.game_id !== b.game_id) return `two games, ${a.game_id} and ${b.game_id}`
  if (a.commitment !== b.commitment) return `two commitments, ${a.commitment} and ${b.commitment}`
  if (a.index === b.index) return `two rounds at place ${a.index}`
  if (/^[0-9]{1,32}$/.test(a.issue) && /^[0-9]{1,32}$/.test(b.issue)) {
    if (BigInt(a.issue) > BigInt(b.issue)) return `place ${b.index} went to the earlier round`
  }
  return null
}

function isOtherRound({ round: a }: ReceiptFile, { round: b }: ReceiptFile): boolean {
  return a.game_id !== b.game_id || a.issue !== b.issue
}

/** Every two neighbours; two files of one round are not a pair. */
function neighbours(ordered: readonly ReceiptFile[]): [ReceiptFile, ReceiptFile][] {
  return ordered.flatMap((later, i): [ReceiptFile, ReceiptFile][] => {
    const earlier = ordered[i - 1]
    return earlier && isOtherRound(earlier, later) ? [[earlier, later]] : []
  })
}

function groupBy(
  files: readonly ReceiptFile[],
  key: (file: ReceiptFile) => string,
): [string, ReceiptFile[]][] {
  const groups = new Map<string, ReceiptFile[]>()
  for (const file of files) groups.set(key(file), [...(groups.get(key(file)) ?? []), file])
  return [...groups]
}
