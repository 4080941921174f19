/**
 * Signed notes, checkpoints and cosignatures of a transparency log, byte for byte by their public specifications:
 * c2sp.org/signed-note, c2sp.org/tlog-checkpoint and c2sp.org/tlog-cosignature (Ed25519, cosignature/v1).
 * All reading functions take texts of strangers: what is malformed gives null, and nothing is thrown.
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { fromBase64, toBase64, toHex } from './hex.ts'
import { EMPTY_ROOT, HASH_BYTES, sameHash } from './merkle-tree.ts'

/** What a key signs: the log its notes; a witness a checkpoint together with the time. */
export type KeyType = 'log' | 'witness'

const TYPE_BYTES: Record<KeyType, number> = { log: 0x01, witness: 0x04 }

/** A public key under its name: name and id together say by which key a note was signed. */
export type VerifierKey = {
  readonly name: string
  readonly type: KeyType
  /** 32 bytes, Ed25519. */
  readonly publicKey: Uint8Array
  /** 4 bytes. */
  readonly id: Uint8Array
}

/** A key that signs. */
export type SigningKey = VerifierKey & {
  /** 32 secret bytes. */
  readonly seed: Uint8Array
}

export type NoteSignature = {
  readonly name: string
  readonly id: Uint8Array
  readonly bytes: Uint8Array
}

export type SignedNote = {
  /** Ends with a newline. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

const ID_BYTES = 4
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const TIME_BYTES = 8
const LONGEST_NOTE = 64 * 1024
const MOST_SIGNATURES = 64

/** A key's name: not empty, without spaces and plus signs. */
export function isKeyName(name: string): boolean {
  return name.length <= 255 && /^[^\s+\p{C}\p{Z}]+$/u.test(name)
}

/** @throws RangeError when the name is none, or the key has not 32 bytes */
function verifierKey(name: string, type: KeyType, publicKey: Uint8Array): VerifierKey {
  if (!isKeyName(name)) throw new RangeError('the name of a key has neither spaces nor plus signs')
  if (publicKey.length !== KEY_BYTES) throw new RangeError('a public key has 32 bytes')
  const material = concatBytes(Uint8Array.of(TYPE_BYTES[type]), publicKey)
  const id = sha256(concatBytes(utf8ToBytes(`${name}\n`), material)).slice(0, ID_BYTES)
  return { name, type, publicKey, id }
}

/** @param seed 32 secret bytes */
export function signingKey(name: string, type: KeyType, seed: Uint8Array): SigningKey {
  if (seed.length !== KEY_BYTES) throw new RangeError('the seed of a key has 32 bytes')
  return { ...verifierKey(name, type, ed25519.getPublicKey(seed)), seed }
}

/** The key as a text that others configure: `<name>+<id>+<type and public key>`. */
export function formatVerifierKey({ name, type, publicKey, id }: VerifierKey): string {
  return `${name}+${toHex(id)}+${toBase64(concatBytes(Uint8Array.of(TYPE_BYTES[type]), publicKey))}`
}

export function readVerifierKey(text: string): VerifierKey | null {
  const [name = '', id, ...rest] = text.split('+')
  // A plus sign may be in the base64 too.
  const material = fromBase64(rest.join('+'))
  if (!isKeyName(name) || material?.length !== KEY_BYTES + 1) return null
  const type = (['log', 'witness'] as const).find((each) => TYPE_BYTES[each] === material[0])
  if (!type) return null
  const key = verifierKey(name, type, material.slice(1))
  return toHex(key.id) === id ? key : null
}

/** Reads a note without judging its signatures. */
export function readNote(note: string): SignedNote | null {
  const split = note.lastIndexOf('\n\n')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the specification excludes them
  if (note.length > LONGEST_NOTE || /[\x00-\x09\x0b-\x1f]/.test(note) || split < 0) return null
  const lines = note.slice(split + 2).split('\n')
  if (lines.pop() !== '' || lines.length === 0 || lines.length > MOST_SIGNATURES) return null
  const signatures = lines.map(readSignatureLine)
  if (!signatures.every((signature) => signature !== null)) return null
  return { text: note.slice(0, split + 1), signatures }
}

/** Reads one line of a note's signatures, without its newline. */
export function readSignatureLine(line: string): NoteSignature | null {
  const [, name = '', text = ''] = /^\u2014 (\S+) (\S+)$/u.exec(line) ?? []
  const bytes = fromBase64(text)
  if (!isKeyName(name) || bytes === null || bytes.length <= ID_BYTES) return null
  return { name, id: bytes.slice(0, ID_BYTES), bytes: bytes.slice(ID_BYTES) }
}

/** One line with its newline. */
export function formatSignature({ name, id, bytes }: NoteSignature): string {
  return `\u2014 ${name} ${toBase64(concatBytes(id, bytes))}\n`
}

export function formatNote({ text, signatures }: SignedNote): string {
  return `${text}\n${signatures.map(formatSignature).join('')}`
}

/** Signs a note's text as a log does. @param text ends with a newline */
export function signNote(text: string, { name, id, seed }: SigningKey): NoteSignature {
  return { name, id, bytes: ed25519.sign(utf8ToBytes(text), seed) }
}

/**
 * Signs a checkpoint as a witness does, with the time at which it was the largest that he knew.
 * @param time unix seconds, above 0
 */
export function cosign(text: string, { name, id, seed }: SigningKey, time: number): NoteSignature {
  if (!Number.isSafeInteger(time) || time <= 0) throw new RangeError('a time is above zero')
  const stamp = new Uint8Array(TIME_BYTES)
  new DataView(stamp.buffer).setBigUint64(0, BigInt(time))
  return { name, id, bytes: concatBytes(stamp, ed25519.sign(cosigned(text, time), seed)) }
}

function cosigned(text: string, time: number | bigint): Uint8Array {
  return utf8ToBytes(`cosignature/v1\ntime ${time}\n${text}`)
}

/** A signature that was found valid. */
export type Signed = {
  readonly key: VerifierKey
  /** The witness's time in unix seconds; null for the log. */
  readonly time: number | null
  readonly signature: NoteSignature
}

/** How many lines of one key are checked: each costs a millisecond or two, and strangers may add to a note. */
const LINES_OF_A_KEY = 4

/**
 * The valid signatures of known keys in a note: the first lines of each key are checked, and further ones left out.
 * @returns null when one of these is false: such a note is not to be used at all
 */
export function signaturesOf(
  { text, signatures }: SignedNote,
  keys: readonly VerifierKey[],
): Signed[] | null {
  const signed: Signed[] = []
  const lines = new Map<VerifierKey, number>()
  for (const signature of signatures) {
    const key = keys.find(({ name, id }) => name === signature.name && sameHash(id, signature.id))
    if (!key) continue
    const line = (lines.get(key) ?? 0) + 1
    lines.set(key, line)
    if (line > LINES_OF_A_KEY) continue
    const valid =
      key.type === 'log' ? logSigned(text, key, signature) : timeSigned(text, key, signature)
    if (!valid) return null
    signed.push(valid)
  }
  return signed
}

/**
 * Of each known key its first valid signature in a note: a note that strangers added to grows no further than its keys.
 * False lines are left out, and no more lines of a key are tried than {@link LINES_OF_A_KEY}.
 */
export function onePerKey(
  { text, signatures }: SignedNote,
  keys: readonly VerifierKey[],
): Signed[] {
  return keys.flatMap((key) => {
    const own = signatures.filter(({ name, id }) => name === key.name && sameHash(id, key.id))
    const tried = own.slice(0, LINES_OF_A_KEY)
    const [first] = tried.flatMap(
      (signature) => signaturesOf({ text, signatures: [signature] }, [key]) ?? [],
    )
    return first ?? []
  })
}

function logSigned(text: string, key: VerifierKey, signature: NoteSignature): Signed | null {
  const { bytes } = signature
  return isSigned(bytes, utf8ToBytes(text), key) ? { key, time: null, signature } : null
}

function timeSigned(text: string, key: VerifierKey, signature: NoteSignature): Signed | null {
  const { bytes } = signature
  if (bytes.length !== TIME_BYTES + SIGNATURE_BYTES) return null
  const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0)
  if (time === 0n || time > BigInt(Number.MAX_SAFE_INTEGER)) return null
  const valid = isSigned(bytes.slice(TIME_BYTES), cosigned(text, time), key)
  return valid ? { key, time: Number(time), signature } : null
}

/** What was found of each of the latest signatures: many receipts come with the same checkpoint. */
const judged = new Map<string, boolean>()

const MOST_JUDGED = 500

function isSigned(signature: Uint8Array, message: Uint8Array, { publicKey }: VerifierKey): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false
  const asked = toHex(sha256(concatBytes(publicKey, signature, message)))
  let valid = judged.get(asked)
  if (valid === undefined) {
    valid = isValid(signature, message, publicKey)
    if (judged.size === MOST_JUDGED) judged.clear()
    judged.set(asked, valid)
  }
  return valid
}

function isValid(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false })
  } catch {
    return false
  }
}

/** The state of a log: how many entries it has, and what binds them. */
export type Checkpoint = {
  /** The log's name. */
  readonly origin: string
  readonly size: number
  /** 32 bytes. */
  readonly root: Uint8Array
}

export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`
}

/** Reads a checkpoint's text; lines after the third are allowed and ignored. */
export function readCheckpoint(text: string): Checkpoint | null {
  const lines = text.split('\n')
  if (lines.pop() !== '' || lines.includes('')) return null
  const [origin, digits = '', hash = ''] = lines
  const root = fromBase64(hash)
  const size = readSize(digits)
  if (!origin || size === null || root?.length !== HASH_BYTES) return null
  return { origin, size, root }
}

/** A number of leaves as ASCII digits without leading zeroes. */
export function readSize(digits: string): number | null {
  const size = /^(0|[1-9][0-9]{0,15})$/.test(digits) ? Number(digits) : Number.NaN
  return Number.isSafeInteger(size) ? size : null
}

/** A checkpoint whose signatures were checked. */
export type SignedCheckpoint = Checkpoint & {
  readonly text: string
  /** The first time of each witness in its valid cosignatures, by its key as {@link formatVerifierKey} has it. */
  readonly cosigned: ReadonlyMap<string, number>
}

/**
 * Opens a log's checkpoint.
 * @param log null for a log of any name, which only its witnesses are asked about
 * @returns null unless the log's key signed it, no known key's signature is false, and its origin is the key's name
 */
export function openCheckpoint(
  note: string,
  { log, witnesses }: { log: VerifierKey | null; witnesses: readonly VerifierKey[] },
): SignedCheckpoint | null {
  const read = readNote(note)
  const checkpoint = read && readCheckpoint(read.text)
  const signed = read && signaturesOf(read, [...(log ? [log] : []), ...witnesses])
  if (!checkpoint || !signed) return null
  if (log && checkpoint.origin !== log.name) return null
  if (log && !signed.some(({ key }) => key === log)) return null
  if (checkpoint.size === 0 && !sameHash(checkpoint.root, EMPTY_ROOT)) return null
  const times = signed.flatMap(({ key, time }): [string, number][] =>
    time === null ? [] : [[formatVerifierKey(key), time]],
  )
  // Of two cosignatures of one witness the first counts.
  const cosigned = new Map(times.sort(([, one], [, other]) => other - one))
  return { ...checkpoint, text: read.text, cosigned }
}
