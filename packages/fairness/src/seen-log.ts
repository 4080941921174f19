/** What a file shows of a log, in the form in which a device keeps it: then another log that is shown later is noticed. */
import { keyChangesIn } from './key-change.ts'
import { checkLog, keysOf, type ShownLog } from './logged-entry.ts'
import { type LoggedRound, type LogProof, witnessesOf } from './logged-round.ts'
import {
  formatVerifierKey,
  readNote,
  readVerifierKey,
  signaturesOf,
  type VerifierKey,
} from './signed-note.ts'

/** How many entries a log has, and what binds them. */
export type LogState = {
  readonly size: number
  /** In hex. */
  readonly root: string
}

/** Keys are lines: `witness <verifier key>`. */
export type SeenLog = {
  /** All keys that the file names. */
  readonly named: readonly string[]
  /** Of each change of the log's key that the key before has signed: that key, and the one after it. */
  readonly changes: readonly (readonly [before: string, after: string])[]
  /** The states that keys of the log have signed, and these keys. */
  readonly states: readonly (LogState & { readonly signers: readonly string[] })[]
  /** The witnesses that count: of a round, see {@link witnessesOf}. */
  readonly witnesses: readonly string[]
  /** The keys of the log that signed the receipt's line; null without a receipt. */
  readonly receiptSigners: readonly string[] | null
}

/**
 * @param round whose log it is, if it is of one
 * @param signed a receipt's note, if the file is one
 */
export function seenLog(
  log: ShownLog & { readonly end?: LogProof['end'] },
  { round, signed }: { round?: LoggedRound; signed?: string | undefined } = {},
): SeenLog {
  const keys = keysOf(log, {})
  const line = readNote(signed ?? '')
  const signers = (line && signaturesOf(line, keys.logs)) ?? []
  const first = checkLog(log, keys)
  const last = log.end ? checkLog(log.end, keys) : null
  const witnesses = round ? witnessesOf(round, first, last) : [...first.cosigned.keys()]
  return {
    named: log.keys.flatMap((text) => readVerifierKey(text) ?? []).map(lineOf),
    changes: keyChangesIn(log.key_changes).map(({ before, after }) => [
      lineOf(before),
      lineOf(after),
    ]),
    states: [first, ...(last ? [last] : [])].flatMap(({ size, root, signedBy }) =>
      root === null || signedBy.length === 0 ? [] : { size, root, signers: signedBy.map(lineOf) },
    ),
    witnesses: witnesses.map(lineOf),
    receiptSigners: signed === undefined ? null : signers.map(({ key }) => lineOf(key)),
  }
}

function lineOf(key: VerifierKey): string {
  return `${key.type} ${formatVerifierKey(key)}`
}
