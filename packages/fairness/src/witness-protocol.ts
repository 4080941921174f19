/**
 * The protocol between a log and its witnesses (c2sp.org/tlog-witness): what a log sends, and by which rule a witness
 * signs or refuses.
 */
import { fromBase64, toBase64 } from './hex.ts'
import { EMPTY_ROOT, HASH_BYTES, isConsistent, sameHash } from './merkle-tree.ts'
import {
  type Checkpoint,
  onePerKey,
  readCheckpoint,
  readNote,
  readSignatureLine,
  readSize,
  type Signed,
  type SignedNote,
  signaturesOf,
  type VerifierKey,
} from './signed-note.ts'

const MOST_HASHES = 63

/** The longest request that a witness has to read: 63 hashes, and a note with its signatures. */
export const LONGEST_REQUEST = 64 * 1024 + 4 * 1024

/** The type of the answer that names the size which the witness knows. */
export const SIZE_TYPE = 'text/x.tlog.size'

/** A checkpoint that a log asks a witness to sign. */
export type AddCheckpoint = {
  /** The size that the witness signed last, as the log believes. */
  readonly oldSize: number
  readonly proof: readonly Uint8Array[]
  /** A signed note. */
  readonly note: string
}

export function formatAddCheckpoint({ oldSize, proof, note }: AddCheckpoint): string {
  return `old ${oldSize}\n${proof.map((hash) => `${toBase64(hash)}\n`).join('')}\n${note}`
}

export function readAddCheckpoint(body: string): AddCheckpoint | null {
  const end = body.indexOf('\n\n')
  if (end < 0 || body.length > LONGEST_REQUEST) return null
  const [first = '', ...hashes] = body.slice(0, end).split('\n')
  const oldSize = first.startsWith('old ') ? readSize(first.slice(4)) : null
  const proof = hashes.map(fromBase64)
  if (oldSize === null || proof.length > MOST_HASHES) return null
  if (!proof.every((hash) => hash?.length === HASH_BYTES)) return null
  return { oldSize, proof: proof as Uint8Array[], note: body.slice(end + 2) }
}

/** What a witness keeps of a log: the checkpoint that it signed last. */
export type Witnessed = Pick<Checkpoint, 'size' | 'root'>

/**
 * A witness's decision, as its status of HTTP. Only 200 is signed: its note has one signature of each known key and no
 * other, so that what a witness keeps can be read again, whatever lines a stranger has added.
 */
export type Judgement =
  | ({ readonly status: 200; readonly checkpoint: Checkpoint } & SignedNote)
  | { readonly status: 409; readonly size: number; readonly why: string }
  | { readonly status: 400 | 403 | 404 | 422; readonly why: string }

/**
 * Decides whether a checkpoint continues what the witness signed before.
 *
 * @param known returns of a log, by its origin, the keys of which one has to have signed, the earlier ones whose
 *   signatures are kept too, and what was signed of it; null for an unknown log
 */
export function judgeCheckpoint(
  body: string,
  known: (origin: string) => {
    keys: readonly VerifierKey[]
    earlier?: readonly VerifierKey[]
    latest: Witnessed | null
  } | null,
): Judgement {
  const request = readAddCheckpoint(body)
  const note = request && readNote(request.note)
  const checkpoint = note && readCheckpoint(note.text)
  if (!request || !note || !checkpoint) return { status: 400, why: 'this is no request' }
  const log = known(checkpoint.origin)
  if (!log) return { status: 404, why: `the log ${checkpoint.origin} is not known here` }
  const signed = signaturesOf(note, log.keys) ?? []
  if (signed.length === 0) {
    return {
      status: 403,
      why: 'no key that is known of this log has signed the checkpoint, or only one that a later key has followed: name its keys in their order',
    }
  }
  const { oldSize, proof } = request
  if (oldSize > checkpoint.size) {
    return { status: 400, why: `the log had ${oldSize} entries and now has ${checkpoint.size}` }
  }
  const latest = log.latest ?? { size: 0, root: EMPTY_ROOT }
  if (oldSize !== latest.size) {
    return {
      status: 409,
      size: latest.size,
      why: `the last size that was signed is ${latest.size}`,
    }
  }
  const { size: newSize, root: newRoot } = checkpoint
  const empty = newSize === 0 && !sameHash(newRoot, EMPTY_ROOT)
  if (empty || !isConsistent({ oldSize, oldRoot: latest.root, newSize, newRoot, proof })) {
    return { status: 422, why: `the log of ${newSize} does not continue that of ${oldSize}` }
  }
  // By an earlier one the house knows its own log after a restore of that time.
  const keys = [...(log.earlier ?? []), ...log.keys]
  const signatures = onePerKey(note, keys).map(({ signature }) => signature)
  return { status: 200, checkpoint, text: note.text, signatures }
}

/** A cosignature that was found valid, and its time in unix seconds. */
export type Cosignature = Signed & { readonly time: number }

/**
 * The valid cosignatures of known witnesses in a witness's answer, the first of each; those of others are left out.
 *
 * @param text of the checkpoint that was sent
 */
export function readCosignatures(
  body: string,
  { text, witnesses }: { text: string; witnesses: readonly VerifierKey[] },
): Cosignature[] {
  const lines = body.length > LONGEST_REQUEST ? [] : body.split('\n')
  const signatures = lines.flatMap((line) => readSignatureLine(line) ?? [])
  return onePerKey({ text, signatures }, witnesses).flatMap((each) =>
    each.time === null ? [] : [{ ...each, time: each.time }],
  )
}
