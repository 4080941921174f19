/** A public log of a test, with the rounds of its files. */
import { fromHex, toHex } from '../src/hex.ts'
import type { DatedCount } from '../src/logged-owed.ts'
import { type LogProof, receiptNoteText } from '../src/logged-round.ts'
import { hashLeaf, inclusionPath, rootOfLeaves, treeLevels } from '../src/merkle-tree.ts'
import {
  checkpointText,
  cosign,
  formatNote,
  formatVerifierKey,
  signingKey,
  signNote,
} from '../src/signed-note.ts'
import type { PublishedRound } from '../src/verify-round.ts'

export const logKey = signingKey('house.example/tlog', 'log', fromHex('01'.repeat(32), 32))
export const witnessKey = signingKey('w.example/1', 'witness', fromHex('02'.repeat(32), 32))

/** The entries by which a log states a round. */
export function entriesOf(round: PublishedRound): { announcement: string; book: string } {
  const { beacon, book, ends_at } = round
  const entry = (kind: string, fields: object) =>
    `sum28/1 ${kind}\n${Object.entries(fields)
      .map(([name, value]) => `${name}=${value}\n`)
      .join('')}`
  const named = { game: round.game_id, issue: round.issue }
  return {
    announcement: entry('announcement', {
      ...{ ...named, chain: round.chain_id, index: round.index, beacon: beacon.chain_hash },
      ...{ beacon_key: beacon.public_key, beacon_genesis: beacon.genesis_time },
      ...{ beacon_period: beacon.period, beacon_round: beacon.round, opens: ends_at - 210 },
      ...{ seals: ends_at - 30, draws: ends_at, voids_at: round.voids_at, rules: '11:1' },
    }),
    book: entry('book', {
      ...{ ...named, root: book.root, size: book.size, sealed_at: book.sealed_at },
      beacon_seen: beacon.round - 12,
    }),
  }
}

/** Entries of a log before those that are asked for. */
const EARLIER = ['sum28/1 returns\nday=1\n', 'sum28/1 returns\nday=2\n']

/** A log of these entries, signed; with the signature of a witness unless its time is null. */
function logOf(entries: readonly string[], witnessedAt: number | null) {
  const leaves = entries.map((text) => hashLeaf(new TextEncoder().encode(text)))
  const text = checkpointText({
    ...{ origin: logKey.name, size: leaves.length, root: rootOfLeaves(leaves) },
  })
  const cosignatures = witnessedAt === null ? [] : [cosign(text, witnessKey, witnessedAt)]
  return {
    keys: [logKey, witnessKey].map(formatVerifierKey),
    checkpoint: formatNote({ text, signatures: [signNote(text, logKey), ...cosignatures] }),
    entry: (index: number) => ({
      ...{ text: entries[index] ?? '', index },
      path: inclusionPath(treeLevels(leaves), index).map(toHex),
    }),
  }
}

/** The round with its proof of a log, which has other entries before; and its receipt, signed. */
export function logged<Round extends PublishedRound & { leaf?: string }>(
  round: Round,
  {
    witnessedAt = (round.ends_at - 20) as number | null,
    before = EARLIER,
    edit = (text: string) => text,
  } = {},
) {
  const stated = entriesOf(round)
  const { entry, ...shown } = logOf(
    [...before, edit(stated.announcement), edit(stated.book)],
    witnessedAt,
  )
  const log = {
    ...shown,
    announcement: entry(before.length),
    book: entry(before.length + 1),
  } satisfies LogProof
  const closed = round.book.root !== null
  return {
    ...round,
    book: { ...round.book, witnessed_at: closed ? witnessedAt : null },
    log: closed ? log : null,
    ...(round.leaf !== undefined && { signed: signedReceipt({ ...round, leaf: round.leaf }) }),
  }
}

/** The log's proof of a count of what is owed. */
export function loggedCount(
  { number, counted_at, size, root, total }: DatedCount,
  { witnessedAt = (counted_at + 3) as number | null, edit = (text: string) => text } = {},
) {
  const text = `sum28/1 liabilities\ncount=${number}\ncounted_at=${counted_at}\nsize=${size}\nroot=${root}\ntotal=${total}\non_chain=0\nblock=none\nat_bank=none\naddresses=none\n`
  const { entry, ...shown } = logOf([...EARLIER, edit(text)], witnessedAt)
  return { ...shown, entry: entry(EARLIER.length) }
}

/** The note by which the log's key signs a bet's line. */
export function signedReceipt(
  bet: { game_id: number; issue: string; leaf: string },
  key = logKey,
): string {
  const text = receiptNoteText({ gameId: bet.game_id, issue: bet.issue, leaf: bet.leaf })
  return formatNote({ text, signatures: [signNote(text, key)] })
}
