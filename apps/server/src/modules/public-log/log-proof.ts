/** What the public log proves of a round or of a count of what is owed, and a receipt that its key has signed. */
import type { LogProofOnWire, OwedLogOnWire, ShownLogOnWire } from '@sum28/contract/receipt.ts'
import { toHex } from '@sum28/fairness/hex.ts'
import { logProofs, type TileTrees } from '@sum28/fairness/log-tiles.ts'
import { receiptNoteText } from '@sum28/fairness/logged-round.ts'
import { EMPTY_ROOT, sameHash } from '@sum28/fairness/merkle-tree.ts'
import {
  formatNote,
  formatVerifierKey,
  readCheckpoint,
  readNote,
  signNote,
} from '@sum28/fairness/signed-note.ts'
import { LRUCache } from 'lru-cache'
import type { Queryable } from '#src/db/database.ts'
import { readFresh } from '#src/db/shared-reads.ts'
import { type LogSettings, logKeys, originOf, verifierKeys } from './log-keys.ts'
import {
  hashesOf,
  keyChanges,
  type LoggedEntries,
  loggedEntries,
  logNumber,
  placedEntry,
  signedSize,
  witnessesEver,
} from './log-store.ts'

type Named = { gameId: number; issue: string }

/** Of a bet: its room, and the version of the room's rules. */
type Rules = { roomId: number; rulesVersion: number }

/**
 * The proof of a round's commitment, announcement, book and end, and of a bet's rules; null until the announcement is in
 * a signed state.
 */
export type ReadLogProof = (round: Named & Partial<Rules>) => Promise<LogProofOnWire | null>

/** The proof of a count, by its number; null until it is in a signed state of the log. */
export type ReadOwedLog = (count: number) => Promise<OwedLogOnWire | null>

/**
 * Signs that a bet was accepted, as its line in the book: whoever leaves it out has signed against himself. `log`: what
 * the receipt shows of it.
 */
export type SignReceipt = (
  bet: Named & { playerId: number; leaf: string; log: Pick<ShownLogOnWire, 'checkpoint'> | null },
) => Promise<string>

/** Proofs that are cached, and tiles with their trees: those of the last hours are asked for most. */
const KEPT_MAX = 500
const TILES_MAX = 200

/** How long the keys that are shown are not read again. */
const KEYS_HOLD_MS = 2_000

type ShownKeys = Omit<ShownLogOnWire, 'checkpoint'>

type Deps = LogSettings & { db: Queryable }

type Entry = OwedLogOnWire['entry']

type Proof = Pick<ShownLogOnWire, 'checkpoint'> & {
  /** The log's name in this state, which may be an earlier one. */
  origin: string
  size: number
  entries: Entry[]
  /** Of another entry of this state. */
  pathOf: (index: number) => Promise<string[]>
}

export function logReader(deps: Deps): { ofRound: ReadLogProof; ofCount: ReadOwedLog } {
  const { db } = deps
  const kept = new LRUCache<string, Promise<Proof>>({ max: KEPT_MAX })
  const presentKeys = readFresh(readKeys, { freshMs: KEYS_HOLD_MS })
  const rules = new LRUCache<string, Omit<Entry, 'path'>>({ max: KEPT_MAX })
  const trees: TileTrees = new LRUCache({ max: TILES_MAX })

  async function read(subjects: readonly string[]): Promise<Proof | null> {
    const named = subjects.join('\n')
    const final = kept.get(named)
    if (final) return final
    const logged = await loggedEntries(db, originOf(deps.config, await logNumber(db)), subjects)
    if (!logged) return null
    // A state that not all witnesses have signed is followed by one that they have.
    const key = logged.byAll ? named : `${logged.note}\n${named}`
    const known = kept.get(key)
    if (known) return known
    const proof = proofOf(logged)
    kept.set(key, proof)
    proof.catch(() => kept.delete(key))
    return proof
  }

  async function proofOf({ origin, size, note: text, entries }: LoggedEntries): Promise<Proof> {
    const proofs = logProofs(size, (tile) => hashesOf(db, tile), trees)
    const note = readNote(text)
    if (!note || !sameHash(readCheckpoint(note.text)?.root ?? EMPTY_ROOT, await proofs.root())) {
      throw new Error(`the public log differs from what was signed at ${size} entries`)
    }
    // Signed by the present keys, also where those of that time are not given any more.
    const own = logKeys(origin, deps.secretKeys).map((key) => signNote(note.text, key))
    const cosigned = note.signatures.filter(({ name }) => name !== origin)
    const pathOf = async (index: number) => (await proofs.inclusion(index)).map(toHex)
    return {
      origin,
      size,
      pathOf,
      checkpoint: formatNote({ text: note.text, signatures: [...own, ...cosigned] }),
      entries: await Promise.all(
        entries.map(async (entry) => ({ ...entry, path: await pathOf(entry.index) })),
      ),
    }
  }

  /** The keys may have changed since the proofs were made, and so may the log's name. */
  async function shown(proof: Proof, end: Proof | null = null): Promise<ShownLogOnWire> {
    const present = await presentKeys.value()
    const own = [proof, end ?? proof].flatMap(({ origin }) => logKeys(origin, deps.secretKeys))
    const shownKeys = new Set([...own.map(formatVerifierKey), ...present.keys])
    return { ...present, keys: [...shownKeys], checkpoint: proof.checkpoint }
  }

  async function readKeys(): Promise<ShownKeys> {
    const origin = originOf(deps.config, await logNumber(db))
    const [ever, key_changes] = await Promise.all([witnessesEver(db), keyChanges(db)])
    return { keys: verifierKeys(origin, deps, ever), key_changes }
  }

  async function rulesIn(proof: Proof, { roomId, rulesVersion }: Rules): Promise<Entry | null> {
    const subject = `rules ${roomId} ${rulesVersion}`
    const entry = rules.get(subject) ?? (await placedEntry(db, subject))
    if (!entry || entry.index >= proof.size) return null
    rules.set(subject, entry)
    return { ...entry, path: await proof.pathOf(entry.index) }
  }

  return {
    async ofRound({ roomId, rulesVersion, ...named }) {
      const round = await db.first<{ chainId: number; hasBook: boolean; end: string | null }>(
        `select chain_id as "chainId", sealed_at is not null as "hasBook",
           case when state = 'voided' then 'void' when state in ('drawn', 'settled') then 'draw' end as "end"
         from rounds.round where game_id = $1::integer and issue = $2`,
        [named.gameId, named.issue],
      )
      if (!round) return null
      const name = `${named.gameId} ${named.issue}`
      const announced = [`chain ${round.chainId}`, `announcement ${name}`]
      const proof =
        (round.hasBook ? await read([...announced, `book ${name}`]) : null) ??
        (await read(announced))
      const ended = round.end ? await read([`${round.end} ${name}`]) : null
      const [chain, announcement, book = null] = proof?.entries ?? []
      if (!proof || !chain || !announcement) return null
      const [end] = ended?.entries ?? []
      const ofBet = roomId !== undefined && rulesVersion !== undefined
      return {
        ...(await shown(proof, ended)),
        chain,
        announcement,
        book,
        end: ended && end ? { ...end, checkpoint: ended.checkpoint } : null,
        rules: ofBet ? await rulesIn(proof, { roomId, rulesVersion }) : null,
      }
    },
    async ofCount(number) {
      const proof = await read([`liabilities ${number}`])
      const [entry] = proof?.entries ?? []
      return proof && entry ? { ...(await shown(proof)), entry } : null
    },
  }
}

/** Reads that the log only grew: for each of its sizes but the last the proof to the next; null if it has not so many. */
export function growthReader({
  db,
}: Pick<Deps, 'db'>): (sizes: readonly number[]) => Promise<string[][] | null> {
  // Of its own: anybody may ask for any sizes.
  const trees: TileTrees = new LRUCache({ max: TILES_MAX })
  return async (sizes) => {
    if ((sizes.at(-1) ?? 0) > (await signedSize(db))) return null
    return Promise.all(
      sizes.slice(1).map(async (size, at) => {
        const proofs = logProofs(size, (tile) => hashesOf(db, tile), trees)
        return (await proofs.consistency(sizes[at] ?? 0)).map(toHex)
      }),
    )
  }
}

/** By the earlier keys too, which readers may have kept, and by those of the name in the state that the receipt shows. */
export function receiptSigner({ db, config, secretKeys }: Deps): SignReceipt {
  return async ({ log, ...bet }) => {
    const present = originOf(config, await logNumber(db))
    const shown = readCheckpoint(readNote(log?.checkpoint ?? '')?.text ?? '')?.origin ?? present
    const keys = [...new Set([present, shown])].flatMap((origin) => logKeys(origin, secretKeys))
    const text = receiptNoteText(bet)
    return formatNote({ text, signatures: keys.map((key) => signNote(text, key)) })
  }
}
