import type { LogStep, LogStepName } from '../src/logged-round.ts'
import type { VerifyStep, VerifyStepName } from '../src/verify-round.ts'

/** A check as it is printed: one of verifyRound, or one that only this command makes. */
export interface Step {
  readonly title: string
  /** What is checked, in a sentence without mathematics. */
  readonly says: string
  readonly ok: boolean | null
  readonly computed: string | null
  readonly published: string | null
}

const WORDS: Record<VerifyStepName | LogStepName, readonly [title: string, says: string]> = {
  state: [
    'state',
    'The round has published all that its state demands, and nothing that its state excludes: no seed and no digits before the draw, everything after it, no digits but a reason if it was voided.',
  ],
  seed: [
    'seed',
    'The seed is the committed one: hashed as often as the round’s position in its chain says, it gives the commitment. That this was fixed before the beacon’s value existed, the witness shows.',
  ],
  'beacon-chain': [
    'beacon chain',
    'The beacon is drand’s quicknet, which the operator has no hand in: scheme, chain and public key are those built into this program.',
  ],
  'beacon-round': [
    'beacon round',
    'The beacon’s round is the first after the end of the betting round.',
  ],
  'beacon-after-seal': [
    'beacon after seal',
    'The beacon’s value came after betting was closed, so no bet could follow from it.',
  ],
  'beacon-signature': [
    'beacon signature',
    'The beacon’s value is genuine: its signature is that of the beacon’s key on exactly this beacon round.',
  ],
  randomness: ['randomness', 'The beacon’s random number is the SHA-256 of that signature.'],
  digits: [
    'digits',
    'The three digits follow from seed, game, round and random number, and from nothing else.',
  ],
  void: [
    'reason of the void',
    'The published times and the book leave only this reason to void the round: no book before its end (sealed_late), no beacon value stored by the announced deadline (beacon_late), or a decision before its end (two_persons).',
  ],
  'receipt-order': [
    'your bet',
    'The line in the closed book is your bet: order number, room, choices, odds in thousandths, version of the rules, and stake per choice in millionths. Your order names game and round, and once it is settled the result that was drawn.',
  ],
  'receipt-nonce': ['your nonce', 'The line carries the secret word that only your receipt has.'],
  'receipt-path': [
    'closed book',
    'Your line leads, hash by hash, to the root of the book that was published at the seal: the bet is in it, unchanged.',
  ],
  'receipt-payout': [
    'your payout',
    'What was paid, in millionths, in all and for each choice, is what the digits and the odds in your line give, and your order names the profit that follows.',
  ],
  'receipt-refund': [
    'your refund',
    'The round was voided, and your order says that its stake came back: refunded, without profit or loss. Your statement shows it.',
  ],
  'log-chain': [
    'logged commitment',
    'The public log has the same commitment of this chain of seeds, for the same game.',
  ],
  'log-announcement': ['logged announcement', 'The public log has the same announcement.'],
  'log-rules': [
    'announced rules',
    'The announcement has the version of your room’s rules that your line names.',
  ],
  'log-odds': [
    'logged odds',
    'Before the announcement the log said this version of the rules, with the odds of your line.',
  ],
  'log-book': ['logged book', 'The public log has the same closed book.'],
  'log-end': [
    'logged end',
    'The public log has the same end of the round: the draw, or the void with its reason and time.',
  ],
  'log-entries': [
    'log',
    'Commitment, announcement, book and end follow each other in the log: hash by hash the first three lead to its root, and the end to its own. That the log says nothing else of this round, only the whole log shows.',
  ],
  'log-signature': [
    'log signature',
    'The log’s key signed these roots, or a later one that it leads to: each key of a log signs the next.',
  ],
  'beacon-seen': [
    'value at the seal',
    'When the book was closed, the newest value of the beacon that the operator had seen was an earlier one than that of the round.',
  ],
  witness: [
    'witness',
    'A witness signed a log with this book before the beacon’s value existed, by its clock, not the operator’s; and signed the log with the end too.',
  ],
  'end-witness': [
    'witness of the end',
    'A witness signed the log with this end, or each that you named, so that anybody who reads the whole log sees it; if persons voided the round, before the beacon’s value existed.',
  ],
  'receipt-signature': [
    'receipt signature',
    'The log’s key signed that the bet of the player whom the file names was accepted as this line: compare his number with yours.',
  ],
}

const TIMES: readonly string[] = ['beacon-after-seal', 'witness', 'end-witness'] satisfies (
  | VerifyStepName
  | LogStepName
)[]

/** A step of verifyRound or verifyLog in words; instants are shown as times. */
export function stepInWords(step: VerifyStep | LogStep): Step {
  const [title, says] = WORDS[step.name]
  const shown = TIMES.includes(step.name) ? timeOf : (value: string | null) => value
  return {
    title,
    says,
    ok: step.ok,
    computed: shown(step.computed),
    published: shown(step.published),
  }
}

/** An instant in unix seconds as it is printed. */
export function timeOf(seconds: string | null): string | null {
  if (seconds === null) return null
  const at = new Date(Number(seconds) * 1000)
  return Number.isNaN(at.getTime())
    ? seconds
    : `${at.toISOString().replace('.000', '')} (${seconds})`
}

/** The step as lines of text: its sentence, then the computed and the published value. */
export function printedStep(step: Step): string {
  const mark = step.ok === null ? 'not public' : step.ok ? 'holds' : 'DOES NOT HOLD'
  return [
    `  ${step.title}: ${mark}`,
    ...wrapped(step.says).map((line) => `      ${line}`),
    `      computed   ${printable(step.computed)}`,
    `      published  ${printable(step.published)}`,
  ].join('\n')
}

/**
 * Makes a value of a file safe to print. The file comes from a stranger, and control characters in
 * it could write a false verdict on the reader's terminal.
 */
export function printable(value: string | null): string {
  if (value === null) return '(nothing)'
  const safe = value.replace(
    /[^\x20-\x7e]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return safe.length > 600 ? `${safe.slice(0, 600)} …` : safe
}

function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + word.length > 85) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}
