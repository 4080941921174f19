/** A public log of a test, with the rounds of its files. */
import { readBookLeaf } from '../src/book-tree.ts'
import { fromHex, toHex } from '../src/hex.ts'
import { logProofs } from '../src/log-tiles.ts'
import type { DatedCount } from '../src/logged-owed.ts'
import { type LogProof, receiptNoteText } from '../src/logged-round.ts'
import { hashLeaf, inclusionPath, rootOfLeaves, treeLevels } from '../src/merkle-tree.ts'
import {
  checkpointText,
  cosign,
  formatNote,
  formatVerifierKey,
  type SigningKey,
  signingKey,
  signNote,
} from '../src/signed-note.ts'
import type { PublishedRound } from '../src/verify-round.ts'

export const logKey = signingKey('house.example/tlog', 'log', fromHex('01'.repeat(32), 32))
export const witnessKey = signingKey('w.example/1', 'witness', fromHex('02'.repeat(32), 32))
export const secondWitnessKey = signingKey('w.example/2', 'witness', fromHex('03'.repeat(32), 32))

/** The text of an entry: its kind, and a line for each field. */
export function entry(kind: string, fields: object): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}=${value}\n`)
  return `sum28/1 ${kind}\n${lines.join('')}`
}

/** The entries by which a log states a round; without an end where the round states none. */
export function entriesOf(round: PublishedRound): {
  chain: string
  announcement: string
  book: string
  end: string | null
} {
  const { beacon, book, ends_at } = round
  const named = { game: round.game_id, issue: round.issue }
  const { seed, digits } = round
  const { signature, round: beacon_round } = beacon
  const isDrawn = seed !== null && signature !== null && digits !== null
  const draw = { ...named, beacon_round, signature, seed, digits: digits?.join(',') }
  function endOf(): string | null {
    if (round.status !== 'voided') return isDrawn ? entry('draw', draw) : null
    const { reason, voided_at } = round.void ?? {}
    return reason === undefined ? null : entry('void', { ...named, reason, voided_at })
  }
  return {
    chain: entry('chain', {
      chain: round.chain_id,
      game: round.game_id,
      length: 8,
      commitment: round.commitment,
      committed_at: 1,
    }),
    announcement: entry('announcement', {
      ...named,
      chain: round.chain_id,
      index: round.index,
      beacon: beacon.chain_hash,
      beacon_key: beacon.public_key,
      beacon_genesis: beacon.genesis_time,
      beacon_period: beacon.period,
      beacon_round,
      opens: ends_at - 210,
      seals: ends_at - 30,
      draws: ends_at,
      voids_at: round.voids_at,
      rules: '4:3',
    }),
    book: entry('book', {
      ...named,
      root: book.root,
      size: book.size,
      sealed_at: book.sealed_at,
      beacon_seen: beacon.round - 12,
    }),
    end: endOf(),
  }
}

/** The rules by which a line has its odds; null without a line. */
export function rulesOf(round: { game_id: number; leaf?: string }): string | null {
  const { planId, playType = '', odds, rulesVersion } = readBookLeaf(round.leaf ?? '') ?? {}
  const listed = playType.match(/[0-9]+/g)?.map((rule, at) => `${rule}:${odds?.[at]}`)
  if (!odds || !listed) return null
  return `sum28/1 rules\ngame=${round.game_id}\nroom=${planId}\nversion=${rulesVersion}\nodds=${listed},27:1900\n`
}

/** Entries of a log before those that are asked for. */
export const EARLIER = ['sum28/1 returns\nday=1\n', 'sum28/1 returns\nday=2\n']

/** A log of these entries, signed; with the signatures of witnesses unless their time is null. */
function logOf(
  entries: readonly string[],
  witnessedAt: number | null,
  { key = logKey, by = [witnessKey] } = {},
) {
  const leaves = entries.map((text) => hashLeaf(new TextEncoder().encode(text)))
  const text = checkpointText({ origin: key.name, size: leaves.length, root: rootOfLeaves(leaves) })
  const cosigners = witnessedAt === null ? [] : by
  const cosignatures = cosigners.map((witness) => cosign(text, witness, witnessedAt ?? 0))
  return {
    keys: [key, ...by].map(formatVerifierKey),
    key_changes: [] as string[],
    checkpoint: formatNote({ text, signatures: [signNote(text, key), ...cosignatures] }),
    entry: (text: string) => ({
      text,
      index: entries.indexOf(text),
      path: inclusionPath(treeLevels(leaves), entries.indexOf(text)).map(toHex),
    }),
  }
}

/**
 * The round with its proof of a log, which has other entries before; and its receipt, signed. The end stands in a later
 * state, which a witness signed after the end unless none did.
 */
export function logged<
  Round extends PublishedRound & { leaf?: string; player_id?: number | undefined },
>(
  round: Round,
  {
    witnessedAt = (round.ends_at - 20) as number | null,
    endWitnessedAt = (witnessedAt === null ? null : round.ends_at + 5) as number | null,
    before = EARLIER,
    /** The rules of its bet. */
    said = rulesOf(round),
    edit = (text: string) => text,
    /** The order of commitment, announcement and book in the log. */
    arrange = (entries: string[]) => entries,
    key = logKey as SigningKey,
    endKey = key as SigningKey,
    /** The witnesses who signed the state with the book, and that with the end. */
    by = [witnessKey] as SigningKey[],
    endBy = by as SigningKey[],
  } = {},
) {
  const { leaf, player_id } = round
  const stated = entriesOf(round)
  const chain = edit(stated.chain)
  const announcement = edit(stated.announcement)
  const book = edit(stated.book)
  const rules = said && edit(said)
  const isClosed = round.book.root !== null
  const own = arrange([chain, announcement, ...(isClosed ? [book] : [])])
  // The chain may be among the entries before.
  const sealed = [...new Set([...before, ...(rules ? [rules] : []), ...own])]
  const { entry, ...shown } = logOf(sealed, witnessedAt, { key, by })
  const end = stated.end && edit(stated.end)
  const ended =
    end === null ? null : logOf([...sealed, end], endWitnessedAt, { key: endKey, by: endBy })
  const log = {
    ...shown,
    keys: [...new Set([...shown.keys, ...(ended?.keys ?? [])])],
    chain: entry(chain),
    announcement: entry(announcement),
    book: isClosed ? entry(book) : null,
    end: end === null || !ended ? null : { ...ended.entry(end), checkpoint: ended.checkpoint },
    rules: rules ? entry(rules) : null,
  } satisfies LogProof
  return {
    ...round,
    book: { ...round.book, witnessed_at: isClosed ? witnessedAt : null },
    log,
    ...(leaf !== undefined &&
      player_id !== undefined && { signed: signedReceipt({ ...round, leaf, player_id }) }),
  }
}

/** The entries of the log that a round's file is of, to its end. */
export function entriesTo(round: PublishedRound, before: readonly string[] = EARLIER): string[] {
  const { chain, announcement, book, end } = entriesOf(round)
  return [...new Set([...before, chain, announcement, book, ...(end ? [end] : [])])]
}

/** What a house proves of the growth of a log with these entries, fewer than 256. */
export async function growthIn(
  entries: readonly string[],
): Promise<(sizes: readonly number[]) => string[][]> {
  const hashes = entries.map((text) => hashLeaf(new TextEncoder().encode(text)))
  const all = await Promise.all(
    hashes.map(async (_, at) => {
      const proofs = logProofs(at + 1, async ({ width }) => hashes.slice(0, width))
      const sizes = Array.from({ length: at + 1 }, (_each, size) => size)
      return Promise.all(sizes.map(async (size) => (await proofs.consistency(size)).map(toHex)))
    }),
  )
  return (sizes) => sizes.slice(1).map((size, at) => all[size - 1]?.[sizes[at] ?? 0] ?? [])
}

/** The log's proof of a count of what is owed. */
export function loggedCount(
  { number, counted_at, size, root, total }: DatedCount,
  {
    witnessedAt = (counted_at + 3) as number | null,
    edit = (text: string) => text,
    by = [witnessKey],
    key = logKey as SigningKey,
  } = {},
) {
  const text = `sum28/1 liabilities\ncount=${number}\ncounted_at=${counted_at}\nsize=${size}\nroot=${root}\ntotal=${total}\non_chain=0\nblock=none\nat_bank=none\naddresses=none\n`
  const { entry, ...shown } = logOf([...EARLIER, edit(text)], witnessedAt, { key, by })
  return { ...shown, entry: entry(edit(text)) }
}

/** The note by which the log's key signs a bet's line. */
export function signedReceipt(
  bet: { game_id: number; issue: string; leaf: string; player_id: number },
  key = logKey,
): string {
  const text = receiptNoteText({ gameId: bet.game_id, playerId: bet.player_id, ...bet })
  return formatNote({ text, signatures: [signNote(text, key)] })
}
