/**
 * The change of a log's key: an entry of the log in which the key that signed until then names the next one. A reader who
 * trusts the one trusts the other: all that the next one signs, its holder could have signed by the first.
 */
import { concatBytes } from '@noble/hashes/utils.js'
import { toBase64 } from './hex.ts'
import {
  formatVerifierKey,
  readSignatureLine,
  readVerifierKey,
  type SigningKey,
  signaturesOf,
  signNote,
  type VerifierKey,
} from './signed-note.ts'

export type KeyChange = {
  readonly before: VerifierKey
  readonly after: VerifierKey
  /** By the log's own clock, in unix seconds. */
  readonly changedAt: number
}

/** More than a log has in a lifetime: what a stranger names beyond them is not read. */
const CHANGES_MAX = 100

const ENTRY =
  /^(?<signed>sum28\/1 key\nbefore=(?<before>.+)\nafter=(?<after>.+)\nchanged_at=(?<at>[0-9]{1,15})\n)signature=(?<signature>.+)\n$/

/** The text of the entry. */
export function keyChangeText({
  before,
  after,
  changedAt,
}: KeyChange & { readonly before: SigningKey }): string {
  const keys = `before=${formatVerifierKey(before)}\nafter=${formatVerifierKey(after)}\n`
  const signed = `sum28/1 key\n${keys}changed_at=${changedAt}\n`
  const { id, bytes } = signNote(signed, before)
  return `${signed}signature=${toBase64(concatBytes(id, bytes))}\n`
}

/** Reads such an entry; null unless the key before has signed it, and both are keys of one log. */
export function readKeyChange(text: string): KeyChange | null {
  const { signed = '', at, signature, ...keys } = ENTRY.exec(text)?.groups ?? {}
  const [before, after] = [keys.before, keys.after].map((key) => readVerifierKey(key ?? ''))
  if (before?.type !== 'log' || after?.type !== 'log' || before.name !== after.name) return null
  const line = readSignatureLine(`— ${before.name} ${signature}`)
  const isSigned = line && signaturesOf({ text: signed, signatures: [line] }, [before])?.length
  return isSigned ? { before, after, changedAt: Number(at) } : null
}

/** The changes as a log lists them, with an empty line between two of them: the file `/tlog/keys`. */
export function formatKeyChanges(texts: readonly string[]): string {
  return texts.join('\n')
}

export function readKeyChanges(file: string): KeyChange[] {
  return keyChangesIn(file.split(/(?<=\n)\n/))
}

/** The changes among some texts, in their order. */
export function keyChangesIn(texts: readonly string[]): KeyChange[] {
  return texts.slice(0, CHANGES_MAX).flatMap((text) => readKeyChange(text) ?? [])
}

/**
 * The keys without those that were changed by a moment: whoever holds one of them still speaks no more for the log. A key
 * to which the house went back later is not among them: the one between may have been dropped.
 *
 * @param changes in the log's order, whatever its clock said
 * @param at in unix seconds
 */
export function keysAt(
  keys: readonly VerifierKey[],
  changes: readonly KeyChange[],
  at: number,
): VerifierKey[] {
  const changed = new Set<string>()
  for (const { before, after, changedAt } of changes) {
    if (changedAt <= at) changed.add(formatVerifierKey(before))
    changed.delete(formatVerifierKey(after))
  }
  return keys.filter((key) => !changed.has(formatVerifierKey(key)))
}

/** The keys, and all that they lead to. */
export function followKeys(
  keys: readonly VerifierKey[],
  changes: readonly KeyChange[],
): VerifierKey[] {
  const known = new Map(keys.map((key) => [formatVerifierKey(key), key]))
  for (let before = 0; before < known.size; ) {
    before = known.size
    for (const { before: from, after } of changes) {
      if (known.has(formatVerifierKey(from))) known.set(formatVerifierKey(after), after)
    }
  }
  return [...known.values()]
}
