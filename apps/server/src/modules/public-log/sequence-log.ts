/**
 * The sequencer of the public log: gives each entry its place, signs the log's state and has it cosigned. Before it
 * appends anything it compares the log with what was signed before, in the database and by the witnesses: a log that
 * has lost entries, or differs, is not continued.
 */
import { createHash } from 'node:crypto'
import { keyChangeText } from '@sum28/fairness/key-change.ts'
import { type LogProofs, logProofs, TILE_WIDTH } from '@sum28/fairness/log-tiles.ts'
import { sameHash } from '@sum28/fairness/merkle-tree.ts'
import {
  checkpointText,
  formatNote,
  readCheckpoint,
  readNote,
  readSize,
  type SigningKey,
  signaturesOf,
  signNote,
} from '@sum28/fairness/signed-note.ts'
import {
  type Cosignature,
  formatAddCheckpoint,
  readCosignatures,
} from '@sum28/fairness/witness-protocol.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import type { AskedWitness } from './log-keys.ts'
import {
  addCheckpoint,
  countPlaced,
  hashesOf,
  LostTile,
  latestCheckpoint,
  noteKeyChange,
  placeEntries,
} from './log-store.ts'

export type SequencerDeps = {
  db: Database
  origin: string
  keys: readonly [SigningKey, ...SigningKey[]]
  witnesses: readonly AskedWitness[]
  /** The database's time, in milliseconds since 1970. */
  now: () => number
  /** How long a witness may take to answer. */
  patienceMs?: number
  /** Called with each witness that did not sign, or does not show what it has signed, and why. */
  onSilent: (witness: string, why: string) => void
}

const PATIENCE_MS = 2_000

/** A witness's time that differs more from ours is not taken: its clock is wrong, or it lies. */
const WITNESS_APART_MAX_MS = 60_000

/** A log that does not grow is signed again after this time, to show that nothing is held back. */
const AGAIN_AFTER_MS = 60_000

/** So long at most a state is not shown again to a witness that did not sign it: public ones limit how often they are asked. */
const LONGEST_PAUSE_MS = 30_000

/** Why the log cannot be continued, as a sentence for staff. */
export class LogStopped extends Error {}

/** A log at one size. */
type Head = { size: number; root: Uint8Array; proofs: LogProofs; note: string; text: string }

export function logSequencer(deps: SequencerDeps) {
  const { db, origin, keys, witnesses, now, onSilent, patienceMs = PATIENCE_MS } = deps
  const originHash = createHash('sha256').update(origin).digest('hex')
  const witnessKeys = witnesses.map(({ key }) => key)
  /** What each witness signed last, as far as this process knows. */
  const latestSizes = new Map<string, number>()
  /** The witnesses that did not sign when they were asked last: how often in a row, and when. */
  const unsigned = new Map<string, { times: number; at: number }>()
  let compared = false

  /** Signs the present state, if it is new. Throws {@link LogStopped} if the log is not what it was. */
  async function step(): Promise<void> {
    if (!compared) await compare()
    compared = true
    const size = await placeEntries(db)
    await extendNodes(db, size)
    const last = await latestCheckpoint(db, origin)
    const age = last ? now() - last.madeAt : 0
    const due = !last || last.size < size || age < 0 || age >= AGAIN_AFTER_MS
    if (due) await publish(await headOf(size))
    // A state that not all witnesses have signed yet is shown to the others again.
    else if (witnesses.length > 0 && !last.byAll) await publish(await headOf(size), last.note)
  }

  /** @param earlier the note of the same state as it was stored last, which is to get more signatures */
  async function publish(head: Head, earlier?: string): Promise<void> {
    const { size, text } = head
    const known = readCosignatures(earlier ?? '', { text, witnesses: witnessKeys })
    const fresh = await cosignedBy(
      head,
      witnesses
        .filter(({ key: asked }) => !known.some(({ key }) => key === asked))
        .filter(({ key }) => earlier === undefined || isDueAgain(key.name)),
    )
    if (earlier !== undefined && fresh.length === 0) return
    const cosigned = [...known, ...fresh]
    const signed = noteOf(text, cosigned)
    // What is stored is shown to all, and read at the next start.
    const isReadable = readNote(signed) !== null
    if (!isReadable) {
      for (const { key } of cosigned)
        onSilent(key.name, 'with its signature the checkpoint could not be read: it was left out')
      if (earlier !== undefined) return
    }
    const witnessed = isReadable ? cosigned : []
    await addCheckpoint(db, {
      origin,
      size,
      note: isReadable ? signed : head.note,
      witnessedAt:
        witnessed.length > 0 ? Math.min(...witnessed.map(({ time }) => time)) * 1_000 : null,
      byAll: witnesses.length > 0 && witnessed.length === witnesses.length,
    })
  }

  /** Whether a witness is shown a state again: at the next step, then after 4 s, and after longer and longer pauses. */
  function isDueAgain(name: string): boolean {
    const { times, at } = unsigned.get(name) ?? { times: 0, at: 0 }
    const age = now() - at
    return times < 2 || age < 0 || age >= Math.min(2 ** times * 1_000, LONGEST_PAUSE_MS)
  }

  function noteOf(text: string, cosigned: readonly Cosignature[]): string {
    const signatures = keys.map((key) => signNote(text, key))
    signatures.push(...cosigned.map(({ signature }) => signature))
    return formatNote({ text, signatures })
  }

  async function headOf(size: number): Promise<Head> {
    const proofs = logProofs(size, (tile) => hashesOf(db, tile))
    const root = await proofs.root()
    const text = checkpointText({ origin, size, root })
    return { size, root, proofs, note: noteOf(text, []), text }
  }

  /** Compares the log with its last signed state and with what its witnesses have signed. */
  async function compare(): Promise<void> {
    const last = await latestCheckpoint(db, origin)
    const size = last?.size ?? 0
    const head = await headOf(size).catch((error: unknown) => {
      if (error instanceof LostTile)
        throw new LogStopped(`The public log has lost a part: ${error.message}.`)
      throw error
    })
    if (last && !signerOf(last.note)) {
      throw new LogStopped(
        'The public log’s last checkpoint is signed by another key: give the earlier key too, after the present one in SECRET_KEY.',
      )
    }
    if (last && readNote(last.note)?.text !== head.text) {
      throw new LogStopped(
        'The public log differs from its last checkpoint: its entries were changed.',
      )
    }
    const signed = readCosignatures(last?.note ?? '', { text: head.text, witnesses: witnessKeys })
    const signers = signed.map(({ key }) => key)
    await Promise.all(witnesses.map((each) => compareWith(each, head, signers.includes(each.key))))
    const before = last && signerOf(last.note)
    const [after] = keys
    if (before && before !== after) {
      const changedAt = Math.floor(now() / 1_000)
      await noteKeyChange(db, keyChangeText({ before, after, changedAt }))
    }
  }

  /** The key that was the log's own when it signed a note; undefined if it is not given any more. */
  function signerOf(note: string): SigningKey | undefined {
    const read = readNote(note)
    const first = read?.signatures.find(({ name }) => name === origin)
    const key = first && keys.find(({ id }) => sameHash(id, first.id))
    return key && signaturesOf({ text: read?.text ?? '', signatures: [first] }, [key])?.length
      ? key
      : undefined
  }

  /** @param hasSigned whether the witness has signed this state */
  async function compareWith(witness: AskedWitness, head: Head, hasSigned: boolean): Promise<void> {
    let note: string | null
    try {
      note = await witness.latest(originHash, AbortSignal.timeout(patienceMs))
    } catch (error) {
      onSilent(witness.key.name, reasonOf(error))
      return
    }
    if (note !== null) await judge(witness, head, note)
    else if (hasSigned)
      onSilent(
        witness.key.name,
        'it shows no checkpoint: by it an older database is not kept from continuing the log',
      )
  }

  /** A note of a witness counts only if we signed it: then it proves a log that is not this one. */
  async function judge(witness: AskedWitness, head: Head, note: string): Promise<void> {
    const checkpoint = isOurs(note) && readCheckpoint(readNote(note)?.text ?? '')
    if (!checkpoint || checkpoint.origin !== origin) {
      onSilent(witness.key.name, 'it shows a checkpoint that this log has not signed')
      return
    }
    const isAhead = checkpoint.size > head.size
    // Another process may have given places since: they are counted after the witness has answered.
    const placed = isAhead ? await countPlaced(db) : head.size
    if (checkpoint.size > placed) {
      throw new LogStopped(
        `The public log has ${placed} entries, and ${witness.key.name} has signed ${checkpoint.size}: this database is older than the log. Restore a later copy (docs/runbooks.md).`,
      )
    }
    const { proofs } = isAhead ? await headOf(checkpoint.size) : head
    if (!sameHash(await proofs.root(checkpoint.size), checkpoint.root)) {
      throw new LogStopped(
        `The public log differs from what ${witness.key.name} has signed at ${checkpoint.size} entries: there are two logs of one name (docs/runbooks.md).`,
      )
    }
    latestSizes.set(witness.key.name, checkpoint.size)
  }

  function isOurs(note: string): boolean {
    const read = readNote(note)
    return read !== null && (signaturesOf(read, keys)?.length ?? 0) > 0
  }

  async function cosignedBy(head: Head, asked: readonly AskedWitness[]): Promise<Cosignature[]> {
    const answers = await Promise.allSettled(asked.map((witness) => cosignedByOne(witness, head)))
    const stopped = answers.find(
      (answer) => answer.status === 'rejected' && answer.reason instanceof LogStopped,
    )
    if (stopped?.status === 'rejected') throw stopped.reason
    return answers.flatMap((answer, at) => {
      const name = asked[at]?.key.name ?? ''
      if (answer.status === 'rejected') onSilent(name, reasonOf(answer.reason))
      const signed = answer.status === 'fulfilled' ? answer.value : []
      if (signed.length > 0) unsigned.delete(name)
      else unsigned.set(name, { times: (unsigned.get(name)?.times ?? 0) + 1, at: now() })
      return signed
    })
  }

  async function cosignedByOne(witness: AskedWitness, head: Head): Promise<Cosignature[]> {
    const { name } = witness.key
    const signal = AbortSignal.timeout(patienceMs)
    const ask = async (oldSize: number) =>
      witness.add(
        formatAddCheckpoint({
          oldSize,
          proof: await head.proofs.consistency(oldSize),
          note: head.note,
        }),
        signal,
      )
    let answer = await ask(Math.min(latestSizes.get(name) ?? 0, head.size))
    const size = answer.status === 409 ? readSize(answer.body.trim()) : null
    // The witness knows another size than this process thought.
    if (size !== null && size <= head.size) answer = await ask(size)
    if (answer.status === 409 || answer.status === 422) {
      const note = await witness.latest(originHash, signal)
      if (note !== null) await judge(witness, head, note)
    }
    const [cosignature] =
      answer.status === 200
        ? readCosignatures(answer.body, { text: head.text, witnesses: [witness.key] })
        : []
    if (!cosignature) {
      onSilent(name, await whyUnsigned(answer, size))
      return []
    }
    latestSizes.set(name, head.size)
    if (Math.abs(cosignature.time * 1_000 - now()) <= WITNESS_APART_MAX_MS) return [cosignature]
    const seconds = WITNESS_APART_MAX_MS / 1_000
    onSilent(name, `its time is more than ${seconds} seconds from ours: set its clock, or ours`)
    return []
  }

  /** @param claimed the size that the witness says it has signed: no proof, for it may lie */
  async function whyUnsigned(
    { status, body }: { status: number; body: string },
    claimed: number | null,
  ): Promise<string> {
    const placed = await countPlaced(db)
    if (claimed !== null && claimed > placed)
      return `it says that it has signed ${claimed} entries, and this log has ${placed}: this database may be older than the log (docs/runbooks.md)`
    return `it answered ${status}: ${body.slice(0, 200).trim()}`
  }

  return {
    step,
    /** The next step compares again: another process may have led meanwhile. */
    forget(): void {
      compared = false
      latestSizes.clear()
    },
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Stores the roots of the subtrees that have become full. */
async function extendNodes(db: Queryable, size: number): Promise<void> {
  let below = size
  for (let level = 1; below >= TILE_WIDTH; level += 1) {
    const full = Math.floor(below / TILE_WIDTH)
    // The first ones, without a gap.
    const stored = await db.value<number>(
      'select coalesce(max(position) + 1, 0)::float8 from public_log.node where level = $1',
      [level],
    )
    for (let position = stored; position < full; position += 1) {
      await db.query('select public_log.add_node($1, $2)', [level, position])
    }
    below = full
  }
}
