import { readBookLeaf, rootOfClaim } from '../src/book-tree.ts'
import { fromHex, isHex, toHex } from '../src/hex.ts'
import { isLaterIssue, placeOfIssue } from '../src/issue-order.ts'
import type { LoggedEntry } from '../src/logged-entry.ts'
import { fullSubtrees, HASH_BYTES, hashLeaf } from '../src/merkle-tree.ts'
import { hashSeed } from '../src/seed-chain.ts'
import { readCheckpoint, readNote } from '../src/signed-note.ts'
import { partsOf, type ReceiptProof } from '../src/verify-round.ts'
import type { ReceiptFile } from './receipt-file.ts'
import type { Step } from './step.ts'

/**
 * Checks several files against one another: rounds of one chain have one game and one commitment,
 * each seed hashes to the one revealed before it, two files of one round agree, and all show one log.
 * @returns no steps when no two files share a chain, a round or a log
 */
export function linkSteps(files: readonly ReceiptFile[]): Step[] {
  return [
    ...sameRoundSteps(files),
    ...placeSteps(files),
    ...sameChainSteps(files),
    ...sameLogSteps(files),
  ]
}

function sameRoundSteps(files: readonly ReceiptFile[]): Step[] {
  const groups = groupBy(files, ({ round }) => `game ${round.game_id}, round ${round.issue}`)
  return groups.flatMap(([name, members]) =>
    members.flatMap((file, at) =>
      members.slice(at + 1).map((other) => sameRoundStep(name, file, other)),
    ),
  )
}

function sameRoundStep(name: string, one: ReceiptFile, other: ReceiptFile): Step {
  const fields = contradictions(one, other)
  const values = (file: ReceiptFile) => {
    const claims = claimsOf(file)
    return fields.map((field) => `${field} ${claims.get(field) ?? 'none'}`).join(', ')
  }
  return {
    title: `two files of ${name}`,
    says: 'What was published once of a round is never changed and never taken back.',
    ok: fields.length === 0,
    computed: `${one.name}: ${values(one) || 'nothing that differs'}`,
    published: `${other.name}: ${values(other) || 'nothing that differs'}`,
  }
}

/**
 * Of a round whose closed book a file has: the lines that were signed for a player, and whose place there no file shows.
 * Only the receipt of that bet could show or deny it, so that this has no result.
 */
function placeSteps(files: readonly ReceiptFile[]): Step[] {
  const groups = groupBy(files, ({ round }) => `game ${round.game_id}, round ${round.issue}`)
  return groups.flatMap(([name, members]) => {
    const book = members.find(({ round }) => round.book.root !== null)
    const lines = new Set(members.flatMap(({ receipt }) => receipt?.leaf ?? []))
    for (const { round, receipt } of members) {
      if (receipt && isPlaced(round.book, receipt)) lines.delete(receipt.leaf)
    }
    if (!book) return []
    return [...lines].map((leaf) => ({
      title: `your line in ${name}`,
      says: 'A line that was signed for you has its place in the closed book of its round, and no file shows it yet: save the receipt of this bet again. If that does not show it either, your bet was left out, and the line that was signed proves it.',
      ok: null,
      computed: leaf,
      published: book.round.book.root,
    }))
  })
}

function isPlaced(
  { root, size }: ReceiptFile['round']['book'],
  { leaf, leaf_index: leafIndex, path }: ReceiptProof,
): boolean {
  return root !== null && size !== null && rootOfClaim({ leaf, leafIndex, size, path }) === root
}

/** The states of a round in their order. Only a round that was not drawn can be voided. */
const PROGRESS = ['open', 'sealed', 'drawn', 'settled', 'voided']

/**
 * The fields in which two files of one round cannot both be true: those that differ, and those that the later file lacks
 * though the earlier one has them.
 */
function contradictions(one: ReceiptFile, other: ReceiptFile): string[] {
  const [earlier, later] = [one, other].sort(
    (a, b) => progressOf(a) - progressOf(b) || publishedValues(a) - publishedValues(b),
  ) as [ReceiptFile, ReceiptFile]
  const then = claimsOf(earlier)
  const now = claimsOf(later)
  const fields = [...then].flatMap(([field, value]) => {
    if (value === null || !now.has(field)) return []
    return now.get(field) === value ? [] : [field]
  })
  const undrawn =
    later.round.status === 'voided' && progressOf(earlier) >= PROGRESS.indexOf('drawn')
  return undrawn && earlier.round.status !== 'voided' ? ['status', ...fields] : fields
}

function progressOf({ round }: ReceiptFile): number {
  return PROGRESS.indexOf(round.status)
}

function publishedValues(file: ReceiptFile): number {
  return [...claimsOf(file).values()].filter((value) => value !== null).length
}

/** All that a file says for ever of its round, and of a bet in it, by field; null where it says nothing yet. */
function claimsOf({ round, receipt, order }: ReceiptFile): Map<string, string | null> {
  const { status: _, beacon, book, log, void: voided, ...facts } = round
  const claims = new Map<string, string | null>()
  function claim(prefix: string, values: object): void {
    for (const [field, value] of Object.entries(values)) {
      claims.set(prefix + field, value === null || value === '' ? null : String(value))
    }
  }
  claim('', facts)
  claim('beacon.', beacon)
  claim('book.', book)
  claim('void.', voided ?? { reason: null, voided_at: null, digits: null })
  for (const name of ['chain', 'announcement', 'book', 'end'] as const) {
    const { text = null, index = null } = log?.[name] ?? {}
    claim(`log.${name}.`, { text, index })
  }
  const orderNo = receipt && readBookLeaf(receipt.leaf)?.orderNo
  if (receipt && orderNo) {
    claim('line of bet ', { [orderNo]: receipt.leaf })
    claim('player of bet ', { [orderNo]: receipt.player_id })
  }
  if (receipt && book.root !== null) claim('line ', { [receipt.leaf_index]: receipt.leaf })
  if (order) {
    const settlement = order.settlement && partsOf(order.settlement)
    claim(`order ${order.orderNo}.`, { ...order, settlement })
  }
  return claims
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
  if (a.index === b.index) return `two rounds at position ${a.index}`
  if (isLaterIssue(a.issue, b.issue)) {
    return `position ${b.index} went to the earlier round`
  }
  return null
}

/** A log only grows: one that was begun anew has another entry, or another root, where it had one before. */
function sameLogSteps(files: readonly ReceiptFile[]): Step[] {
  const shown = files.filter(({ round }) => round.log)
  if (shown.length < 2) return []
  const faults = [...twoOfOne(shown.flatMap(placesIn)), ...fallsBack(shown)]
  return [
    {
      title: 'one log',
      says: 'All files show one public log: it has one name, each entry one place, each size one root, and a later round a later place. A log that is begun anew breaks this promise.',
      ok: faults.length === 0,
      computed: faults[0] ?? 'one log',
      published: 'one log',
    },
  ]
}

type Placed = { readonly what: string; readonly is: string }

/** What a file shows of its log: the name, the root at each size, each entry's place, and the hashes on their paths. */
function placesIn({ round: { log } }: ReceiptFile): Placed[] {
  if (!log) return []
  const { end, chain, announcement, book, rules } = log
  const shown = [
    { checkpoint: log.checkpoint, entries: [chain, announcement, book, rules] },
    ...(end ? [{ checkpoint: end.checkpoint, entries: [end] }] : []),
  ]
  return shown.flatMap(({ checkpoint, entries }) => {
    const state = readCheckpoint(readNote(checkpoint)?.text ?? '')
    if (!state) return []
    const { origin, size, root } = state
    return [
      { what: 'name', is: origin },
      { what: `root at ${size} entries`, is: toHex(root) },
      ...entries.flatMap((entry) => (entry ? placesOf(entry, size) : [])),
    ]
  })
}

function placesOf({ text, index, path }: LoggedEntry, size: number): Placed[] {
  const leaf = hashLeaf(new TextEncoder().encode(text))
  const hashes = path.flatMap((hash) => (isHex(hash, HASH_BYTES) ? fromHex(hash, HASH_BYTES) : []))
  return [
    { what: `entry at place ${index}`, is: text },
    { what: `place of ${JSON.stringify(text)}`, is: String(index) },
    ...fullSubtrees({ leafHash: leaf, index, size, path: hashes }).map(({ first, end, hash }) => ({
      what: `entries from ${first} to ${end - 1}`,
      is: toHex(hash),
    })),
  ]
}

function twoOfOne(placed: readonly Placed[]): string[] {
  const known = new Map<string, string>()
  return placed.flatMap(({ what, is }) => {
    const before = known.get(what) ?? is
    known.set(what, before)
    return before === is ? [] : [`two of the ${what}: ${before} and ${is}`]
  })
}

/** Rounds of one game whose announcements are not in the order of the rounds. */
function fallsBack(files: readonly ReceiptFile[]): string[] {
  const placed = files.filter(({ round }) => placeOfIssue(round.issue))
  const games = groupBy(placed, ({ round }) => String(round.game_id))
  return games.flatMap(([game, members]) => {
    const ordered = members.toSorted(({ round: a }, { round: b }) =>
      a.issue === b.issue ? 0 : isLaterIssue(a.issue, b.issue) ? 1 : -1,
    )
    return neighbours(ordered).flatMap(([{ round: a }, { round: b }]) => {
      const [before = 0, after = 0] = [a, b].map(({ log }) => log?.announcement.index)
      if (before < after) return []
      return [`game ${game}: round ${b.issue} stands before round ${a.issue}`]
    })
  })
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
