/**
 * A witness of public logs (c2sp.org/tlog-witness): signs that a log only grows, with the time of its own clock. What it
 * signed last is on its disk before the signature leaves it, so neither a crash nor a second process on the same
 * folder makes it sign two histories.
 */
import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fromHex, toHex } from '../src/hex.ts'
import { sameHash } from '../src/merkle-tree.ts'
import {
  cosign,
  formatNote,
  formatSignature,
  onePerKey,
  readCheckpoint,
  readNote,
  type SignedNote,
  type SigningKey,
  signaturesOf,
  signingKey,
  type VerifierKey,
} from '../src/signed-note.ts'
import {
  judgeCheckpoint,
  readAddCheckpoint,
  SIZE_TYPE,
  type Witnessed,
} from '../src/witness-protocol.ts'
import { giveToOwner } from './give-to-owner.ts'

export type WitnessAnswer = { status: number; type: string; body: string }

export type Witness = {
  readonly key: SigningKey
  /** Answers a request to sign a checkpoint. */
  addCheckpoint(body: string): WitnessAnswer
  /** The note that was signed last of a log, by the SHA-256 of its origin in hex; null if there is none. */
  latestNote(originHash: string): string | null
}

const TEXT = 'text/plain; charset=utf-8'

/**
 * @param logs the keys of each log in their succession, an earlier one before those that followed it
 * @param folder belongs to this witness: its key and what it signed; made if it is missing
 * @param now milliseconds since 1970
 * @throws if the folder has a file that is not whole: a witness that has forgotten would sign a second history
 */
export function openWitness(deps: {
  name: string
  folder: string
  logs: readonly VerifierKey[]
  now: () => number
  /** 32 secret bytes; by default those that its folder keeps. */
  seed?: Uint8Array
}): Witness {
  const { name, folder, logs, now } = deps
  if (mkdirSync(folder, { recursive: true, mode: 0o700 })) giveToOwner(folder)
  const key = signingKey(name, 'witness', deps.seed ?? readSeed(folder))
  // Fails at the start rather than at the first request.
  for (const log of logs) latest(folder, log.name)

  function addCheckpoint(body: string): WitnessAnswer {
    // What is judged is what is replaced, also where another process signs meanwhile.
    let before: Kept | null = null
    const judgement = judgeCheckpoint(body, (origin) => {
      const keys = logs.filter((log) => log.name === origin)
      if (keys.length === 0) return null
      before = latest(folder, origin)
      const last = before ? placeOfLast(keys, before) : 0
      return {
        keys: keys.slice(last),
        earlier: keys.slice(0, last),
        latest: before?.checkpoint ?? null,
      }
    })
    if (judgement.status === 409) return conflict(judgement.size)
    if (judgement.status !== 200) {
      if (judgement.status === 422 && before) keepRefused(folder, { body, before, logs })
      return { status: judgement.status, type: TEXT, body: `${judgement.why}\n` }
    }
    const { checkpoint, text, signatures } = judgement
    const signature = cosign(text, key, Math.floor(now() / 1_000))
    const note = formatNote({ text, signatures: [...signatures, signature] })
    if (!replace(folder, { origin: checkpoint.origin, before, note })) {
      return conflict(latest(folder, checkpoint.origin)?.checkpoint.size ?? 0)
    }
    // It had come with a false proof before: it is of no second history.
    rmSync(refusedFile(folder, { origin: checkpoint.origin, text }), { force: true })
    return { status: 200, type: TEXT, body: formatSignature(signature) }
  }

  return {
    key,
    addCheckpoint,
    latestNote(originHash) {
      const log = logs.find(({ name: origin }) => hashOf(origin) === originHash)
      return (log && latest(folder, log.name)?.note) ?? null
    },
  }
}

function conflict(size: number): WitnessAnswer {
  return { status: 409, type: SIZE_TYPE, body: `${size}\n` }
}

/** The name of a log's files, and of its address at a witness. */
export function hashOf(origin: string): string {
  return createHash('sha256').update(origin).digest('hex')
}

/** Made at the first start. It is the witness: whoever has it signs in its name. */
function readSeed(folder: string): Uint8Array {
  const file = join(folder, 'key')
  try {
    const seed = `${toHex(randomBytes(32))}\n`
    writeWhole(file, seed, (from) => linkSync(from, file))
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  }
  return fromHex(readFileSync(file, 'utf8').trim(), 32)
}

type Kept = { number: number; note: string; read: SignedNote; checkpoint: Witnessed }

/**
 * The place of the latest key by which a log signed what was kept of it: by an earlier one, which may have been stolen
 * since, no branch is begun. The first place if none of them signed that: the log's keys were named anew.
 */
function placeOfLast(keys: readonly VerifierKey[], { read }: Kept): number {
  const signers = (signaturesOf(read, keys) ?? []).map(({ key }) => key)
  return Math.max(0, ...signers.map((key) => keys.indexOf(key)))
}

/** What a witness has signed last cannot be read, so that it signs nothing. */
export class WitnessStateError extends Error {}

/** What was signed last of a log: the file with the highest number. @throws WitnessStateError */
function latest(folder: string, origin: string): Kept | null {
  const prefix = `${hashOf(origin)}.`
  const numbers = readdirSync(folder)
    .filter((file) => file.startsWith(prefix) && /^[0-9]+$/.test(file.slice(prefix.length)))
    .map((file) => Number(file.slice(prefix.length)))
  if (numbers.length === 0) return null
  const number = Math.max(...numbers)
  const file = join(folder, `${prefix}${number}`)
  const note = readFileSync(file, 'utf8')
  const read = readNote(note)
  const checkpoint = read && readCheckpoint(read.text)
  if (!checkpoint || checkpoint.origin !== origin) {
    throw new WitnessStateError(
      `${file} is not a checkpoint of ${origin}, and without it nothing is signed: restore it from a copy, or begin a witness of another name in another folder and give the log its key`,
    )
  }
  return { number, note, read, checkpoint }
}

/**
 * Keeps a checkpoint as the next one, and removes those before it.
 * @returns whether this process was the first; false: another one has signed a later one meanwhile
 */
function replace(
  folder: string,
  { origin, before, note }: { origin: string; before: Kept | null; note: string },
): boolean {
  const prefix = `${hashOf(origin)}.`
  const own = (before?.number ?? 0) + 1
  const file = join(folder, `${prefix}${own}`)
  try {
    writeWhole(file, note, (from) => linkSync(from, file))
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
  const numbers = readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
  const first = !numbers.some((number) => number > own)
  // A number that another process has removed meanwhile was free again.
  if (!first) rmSync(file, { force: true })
  for (const number of numbers) {
    if (number < own) rmSync(join(folder, `${prefix}${number}`), { force: true })
  }
  return first
}

/**
 * Keeps a checkpoint that the log's own key has signed and that was not shown to continue the log, beside what was
 * signed here before it. Of one size they prove two histories; otherwise the log's entries tell. Each such state has a
 * file of its own, so that nothing that is sent later takes its place, and what a log's key has signed bounds them.
 */
function keepRefused(
  folder: string,
  { body, before, logs }: { body: string; before: Kept; logs: readonly VerifierKey[] },
): void {
  const note = readNote(readAddCheckpoint(body)?.note ?? '')
  const checkpoint = note && readCheckpoint(note.text)
  if (!checkpoint) return
  const { origin, size, root } = checkpoint
  // A false proof of the very state that was signed here.
  if (size === before.checkpoint.size && sameHash(root, before.checkpoint.root)) return
  const { text } = note
  const file = refusedFile(folder, { origin, text })
  if (existsSync(file)) return
  const keys = logs.filter((log) => log.name === origin)
  const signatures = onePerKey(note, keys).map(({ signature }) => signature)
  const content = `${formatNote({ text, signatures })}\nSigned here before it:\n${before.note}`
  writeWhole(file, content, (from) => renameSync(from, file))
}

function refusedFile(folder: string, { origin, text }: { origin: string; text: string }): string {
  return join(folder, `${hashOf(origin)}-refused-${hashOf(text)}.txt`)
}

/** Writes a file's whole content and forces it to the disk before `place` gives it its name. */
function writeWhole(file: string, content: string, place: (from: string) => void): void {
  const from = `${file}-${process.pid}-${randomBytes(4).toString('hex')}.new`
  try {
    const opened = openSync(from, 'wx', 0o600)
    try {
      writeFileSync(opened, content)
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
    giveToOwner(from)
    place(from)
  } finally {
    rmSync(from, { force: true })
  }
  const folder = openSync(join(file, '..'), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
