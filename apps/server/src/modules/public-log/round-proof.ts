/** What the public log proves of one round, and a receipt that its key has signed. */
import type { LogProofOnWire } from '@sum28/contract/receipt.ts'
import { toHex } from '@sum28/fairness/hex.ts'
import { logProofs } from '@sum28/fairness/log-tiles.ts'
import { receiptNoteText } from '@sum28/fairness/logged-round.ts'
import { EMPTY_ROOT, sameHash } from '@sum28/fairness/merkle-tree.ts'
import { formatNote, readCheckpoint, readNote, signNote } from '@sum28/fairness/signed-note.ts'
import { LRUCache } from 'lru-cache'
import type { Queryable } from '#src/db/database.ts'
import { type LogSettings, logKeys, originOf, verifierKeys } from './log-keys.ts'
import { hashesOf, type LoggedBook, loggedBook, logNumber } from './log-store.ts'

type Named = { gameId: number; issue: string }

/** The proof of a round's announcement and closed book; null until both are in a signed state of the log. */
export type ReadLogProof = (round: Named) => Promise<LogProofOnWire | null>

/** Signs that a bet was accepted, as its line in the book: whoever leaves it out has signed against himself. */
export type SignReceipt = (bet: Named & { leaf: string }) => Promise<string>

/** Rounds whose proofs are cached: those of the last hours are asked for most. */
const KEPT_MAX = 500

type Deps = LogSettings & { db: Queryable }

export function roundProofs(deps: Deps): ReadLogProof {
  const { db } = deps
  // What a witness has signed never changes.
  const kept = new LRUCache<string, LogProofOnWire>({ max: KEPT_MAX })

  async function read(round: Named): Promise<LogProofOnWire | null> {
    const logged = await loggedBook(db, originOf(deps.config, await logNumber(db)), round)
    if (!logged) return null
    const proof = await proofOf(logged)
    if (logged.witnessed) kept.set(`${round.gameId} ${round.issue}`, proof)
    return proof
  }

  async function proofOf(logged: LoggedBook): Promise<LogProofOnWire> {
    const { origin, size } = logged
    const proofs = logProofs(size, (tile) => hashesOf(db, tile))
    const note = readNote(logged.note)
    if (!note || !sameHash(readCheckpoint(note.text)?.root ?? EMPTY_ROOT, await proofs.root())) {
      throw new Error(`the public log differs from what was signed at ${size} entries`)
    }
    // Signed by the present keys, also where those of that time are not given any more.
    const own = logKeys(origin, deps.secretKeys).map((key) => signNote(note.text, key))
    const cosigned = note.signatures.filter(({ name }) => name !== origin)
    const entry = async (text: string, index: number) => ({
      text,
      index,
      path: (await proofs.inclusion(index)).map(toHex),
    })
    return {
      keys: verifierKeys(origin, deps),
      checkpoint: formatNote({ text: note.text, signatures: [...own, ...cosigned] }),
      announcement: await entry(logged.announcement, logged.announcedAt),
      book: await entry(logged.book, logged.bookAt),
    }
  }

  return async (round) => kept.get(`${round.gameId} ${round.issue}`) ?? read(round)
}

export function receiptSigner({ db, config, secretKeys }: Deps): SignReceipt {
  return async (bet) => {
    const [key] = logKeys(originOf(config, await logNumber(db)), secretKeys)
    const text = receiptNoteText(bet)
    return formatNote({ text, signatures: [signNote(text, key)] })
  }
}
