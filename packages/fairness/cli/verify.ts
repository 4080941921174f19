/** `npm run verify -- receipt.json …`: checks receipts and rounds offline. See docs/fairness.md. */
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BEACON_SCHEME } from '../src/beacon.ts'
import type { TrustedKeys } from '../src/logged-entry.ts'
import { endSeenAt, verifyLog } from '../src/logged-round.ts'
import { QUICKNET } from '../src/quicknet.ts'
import { readVerifierKey, type VerifierKey } from '../src/signed-note.ts'
import { type PublishedRound, type Verdict, verdictOf, verifyRound } from '../src/verify-round.ts'
import { linkSteps } from './chain-links.ts'
import { type ReceiptFile, readReceiptFile, UnusableFile } from './receipt-file.ts'
import { printable, printedStep, type Step, stepInWords } from './step.ts'

const USAGE = `npm run verify -- receipt.json [more.json …]

Checks saved receipts, rounds (GET /api/fairness/round) or whole order replies, with neither server
nor network. Several files of one chain are also held against one another.

--allow-local    take a beacon of the operator's own, as the demo has, for a proof
--fresh          the files were fetched just now: what their log lacks ten minutes after it was due fails, and
                 a settlement, a refund or a voided round's seed fifteen minutes late
--log <key>      the log's key as you kept it: the first line of /tlog/vkeys
--witness <key>  of a witness whom you trust; of several, each must have signed in time. Without keys,
                 those of the file are taken, and one witness is enough

Exit code: 0 everything holds; 1 something does not hold; 2 a file cannot be used;
3 nothing is wrong, but not all is public yet: check again after the draw; or no file shows the place of
a line that was signed: save its receipt again;
4 everything holds, but is not proved against the operator: the beacon is his own, no witness signed
the book before the beacon's value existed, no signed log shows the round's end, or it was voided for
want of a book or of the beacon's value, by his word.`

/** `unproved`: all holds, by a beacon of the operator's own, by his clock or by his word alone. */
type FileVerdict = Verdict | 'unproved'

const EXIT_CODES: Record<FileVerdict, number> = {
  verified: 0,
  failed: 1,
  unfinished: 3,
  unproved: 4,
}

type Options = {
  allowLocal: boolean
  trusted: TrustedKeys
  /** When the files were fetched, in unix seconds; undefined if that is not known. */
  now: number | undefined
}
type Task = Options & { paths: readonly string[] }

/** Checks all files. @returns the exit code */
function verify({ paths, ...options }: Task): number {
  const files: ReceiptFile[] = []
  for (const path of paths) {
    try {
      files.push(readReceiptFile({ path: inReadersFolder(path), name: basename(path) }))
    } catch (error) {
      if (!(error instanceof UnusableFile)) throw error
      console.error(`${printable(path)} cannot be checked. ${error.message}`)
    }
  }
  if (files.length < paths.length) return EXIT_UNUSABLE
  const verdicts = files.map((file) => checkFile(file, options))
  if (files.length > 1) verdicts.push(checkTogether(files))
  const verdict = worst(verdicts)
  if (files.length > 1) console.log(`\n${OVERALL[verdict]}`)
  return EXIT_CODES[verdict]
}

const EXIT_UNUSABLE = 2

const OVERALL: Record<FileVerdict, string> = {
  verified: 'ALL FILES: VERIFIED. Everything that was checked holds.',
  failed: 'ALL FILES: FAILED. Something above does not hold.',
  unfinished: 'ALL FILES: NOT FINISHED. Nothing is wrong, but not all is public, or saved, yet.',
  unproved:
    'ALL FILES: NOT PROVED. Everything holds, by a beacon, a clock or a word of the operator’s own.',
}

function checkFile(file: ReceiptFile, { allowLocal, trusted, now }: Options): FileVerdict {
  const { round, receipt, order } = file
  console.log(`${printable(file.name)}: game ${round.game_id}, round ${printable(round.issue)}`)
  const endedAt = endSeenAt(round, trusted)
  const ownSteps = verifyRound({ round, receipt, order, now, endedAt })
  const local = round.beacon.kind === 'local' ? [localBeaconStep(round)] : []
  const steps: Step[] = [...ownSteps.map(stepInWords), ...local]
  const logSteps = verifyLog({ round, receipt, trusted, ...(now !== undefined && { now }) })
  const unproved = logSteps.filter(({ ok }) => ok === null).map(({ name }) => name)
  const all = [...steps, ...logSteps.map(stepInWords)]
  for (const step of all) console.log(printedStep(step))
  const failed = logSteps.some(({ ok }) => ok === false)
  // Nothing more will be published of a voided round but its seed; a refund is waited for.
  const isWaiting = ownSteps.some(({ name, ok }) => name === 'receipt-refund' && ok === null)
  const isVoid = round.status === 'voided' && !isWaiting
  const result = failed ? 'failed' : verdictOfSteps(steps, isVoid)
  const doubts = [
    ...(round.beacon.kind === 'local' && !allowLocal
      ? ['the beacon is the operator’s own: he could know its values early']
      : []),
    ...doubtsOfDecision(round, unproved.includes('witness')),
    ...(unproved.some((name) => name !== 'witness' && name !== 'receipt-signature')
      ? ['not in a witnessed log: that everybody can read the same of this round is his word']
      : []),
  ]
  const verdict = result === 'verified' && doubts.length > 0 ? 'unproved' : result
  for (const note of notesOf(file, trusted)) console.log(`  Take note: ${note}`)
  const words =
    verdict === 'unproved'
      ? `NOT PROVED: everything holds, but ${doubts.join('; ')}.`
      : sentence(verdict, all, file)
  console.log(`${words}\n`)
  return verdict
}

/** Why nobody saw that a book, or a void, was not decided by a known value. When a voided round was closed decides nothing. */
function doubtsOfDecision({ status, void: voided }: PublishedRound, isUnseen: boolean): string[] {
  if (voided?.reason === 'sealed_late') {
    return [
      'voided without a book: that he closed none, and hid none when he knew the beacon’s value, is his word',
    ]
  }
  if (voided?.reason === 'beacon_late') {
    return [
      'voided for want of the beacon’s value: that he could not store it in time is his word, and drand’s own record has when it was published',
    ]
  }
  return isUnseen && status !== 'voided'
    ? ['not witnessed: that the book was closed before the beacon’s value is his word']
    : []
}

function checkTogether(files: readonly ReceiptFile[]): FileVerdict {
  const steps = linkSteps(files)
  console.log('The files together')
  for (const step of steps) console.log(printedStep(step))
  if (steps.length === 0) {
    console.log('  No two of them are of one chain: there is nothing to hold against one another.')
    return 'verified'
  }
  const verdict = verdictOfSteps(steps, false)
  const words: Record<Verdict, string> = {
    failed: `FAILED: ${failures(steps)}.`,
    unfinished:
      'NOT FINISHED: no file shows the place of a line that was signed for you. Save its receipt again.',
    verified: 'VERIFIED together.',
  }
  console.log(words[verdict])
  return verdict
}

/** @param isComplete whether steps without a result are not waited for */
function verdictOfSteps(steps: readonly Step[], isComplete: boolean): Verdict {
  const counted = isComplete ? steps.filter((step) => step.ok !== null) : steps
  return verdictOf(counted.map((step) => ({ ...step, name: 'seed' as const })))
}

function sentence(
  verdict: Verdict,
  steps: readonly Step[],
  { round, receipt }: ReceiptFile,
): string {
  if (verdict === 'failed') return `FAILED: ${failures(steps)}.`
  if (verdict === 'unfinished') {
    const next = round.status === 'voided' ? 'once your stake came back' : 'after the draw'
    return `NOT FINISHED: nothing is wrong, but not all is public yet. Check again ${next}.`
  }
  if (round.status === 'voided') {
    return 'VOIDED: nothing was drawn in this round. What is published of it holds.'
  }
  const bet = receipt ? ', and the bet is in the closed book' : ''
  return `VERIFIED: the digits ${round.digits?.join(' ')} are those that seed and beacon give${bet}.`
}

function failures(steps: readonly Step[]): string {
  const failed = steps.filter((step) => step.ok === false).map((step) => printable(step.title))
  return `${failed.join(', ')} ${failed.length === 1 ? 'does' : 'do'} not hold`
}

/** Notes about facts that a passed check does not prove. */
function notesOf({ round, receipt }: ReceiptFile, trusted: TrustedKeys): string[] {
  const notes: string[] = []
  if (round.log) notes.push(...keyNotes(round.log.keys, trusted))
  if (round.log?.end) {
    notes.push(
      'that the log has no other seed, book or end of this round, no single file shows: the monitor and prove.py read the whole log.',
    )
  }
  if (round.beacon.kind === 'local') {
    notes.push(
      'this round used a local beacon, run by the operator, who could know results early. Its key was taken from the file.',
    )
  }
  if (receipt === undefined) {
    notes.push('there is no bet in this file, so the round alone was checked.')
  }
  if (round.status === 'voided') {
    notes.push(
      'when the beacon’s value reached the operator is his word; drand’s own record has when it was published.',
    )
    if (round.void?.digits) {
      notes.push(`${round.void.digits.join(' ')} are the digits that would have been drawn.`)
    }
  }
  return notes
}

function keyNotes(keys: readonly string[], { log, witnesses = [] }: TrustedKeys): string[] {
  const read = keys.flatMap((key) => readVerifierKey(key) ?? [])
  const namesOf = (type: VerifierKey['type']) =>
    read.filter((key) => key.type === type).map((key) => printable(key.name))
  const [name = 'none'] = namesOf('log')
  const others = namesOf('witness')
  const hasWitness = witnesses.length > 0
  const taken = [
    ...(log ? [] : [`the log ${name}`]),
    ...(hasWitness ? [] : [`its witnesses (${others.join(', ') || 'none'})`]),
  ]
  const notes: string[] = []
  if (taken.length > 0) {
    notes.push(
      `keys of ${taken.join(' and of ')} were taken from the file: name those that you know with --log and --witness.`,
    )
  }
  if (!log && hasWitness) {
    notes.push(
      'a witness signs the entries of a log and its name, not its key: that the log’s key signed your bet is as sure as the key.',
    )
  }
  if (!hasWitness && others.length > 1) {
    notes.push(
      'one witness of several was enough: to each of them the operator can show another end of the round, if no reader names them all.',
    )
  }
  return notes
}

function worst(verdicts: readonly FileVerdict[]): FileVerdict {
  const order = ['failed', 'unproved', 'unfinished'] as const
  return order.find((verdict) => verdicts.includes(verdict)) ?? 'verified'
}

/** A path as the reader named it: npm runs commands in the repository's folder and puts his into INIT_CWD. */
export function inReadersFolder(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path)
}

function readArguments(args: string[]): Task | 'help' | { fault: string } {
  try {
    const flag = { type: 'boolean', default: false } as const
    const { values, positionals } = parseArgs({
      args,
      options: { help: flag, 'allow-local': flag, fresh: flag, ...KEY_OPTIONS },
      allowPositionals: true,
    })
    if (values.help) return 'help'
    if (positionals.length === 0) return { fault: 'Name the file to check.' }
    const now = values.fresh ? Date.now() / 1_000 : undefined
    const allowLocal = values['allow-local']
    return { paths: positionals, allowLocal, trusted: trustedKeys(values), now }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

/** The options by which a reader names the keys that he knows. */
export const KEY_OPTIONS = {
  log: { type: 'string' },
  witness: { type: 'string', multiple: true, default: [] as string[] },
} as const

/** @throws Error when a text is no key of its type */
export function trustedKeys(values: { log?: string; witness: string[] }): TrustedKeys {
  return {
    log: values.log === undefined ? undefined : keyOf(values.log, 'log'),
    witnesses: values.witness.map((text) => keyOf(text, 'witness')),
  }
}

function keyOf(text: string, type: VerifierKey['type']): VerifierKey {
  const key = readVerifierKey(text)
  if (key?.type === type) return key
  throw new Error(`--${type} ${printable(text)} is not the key of a ${type}.`)
}

/** Runs the command with its arguments; prints what it finds. @returns its exit code */
export function runVerify(args: string[]): number {
  const task = readArguments(args)
  if (task === 'help') {
    console.log(USAGE)
    return 0
  }
  if ('fault' in task) {
    console.error(`${task.fault}\n\n${USAGE}`)
    return EXIT_UNUSABLE
  }
  return verify(task)
}

if (import.meta.main) process.exitCode = runVerify(process.argv.slice(2))

// A forged round that calls a public beacon local would avoid the comparison with quicknet's key.
function localBeaconStep({ beacon }: PublishedRound): Step {
  const quicknet =
    beacon.chain_hash === QUICKNET.chainHash || beacon.public_key === QUICKNET.publicKey
  return {
    title: 'beacon kind',
    says: 'A beacon that calls itself the operator’s own is not drand’s, and is of the scheme that this program checks.',
    ok: !quicknet && beacon.scheme === BEACON_SCHEME,
    computed: quicknet ? `quicknet ${BEACON_SCHEME}` : `local ${BEACON_SCHEME}`,
    published: `${beacon.kind} ${beacon.scheme}`,
  }
}
