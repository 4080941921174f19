/** `npm run verify -- receipt.json …`: checks receipts and rounds offline. See docs/fairness.md. */
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Verdict, verdictOf, verifyRound } from '../src/verify-round.ts'
import { linkSteps } from './chain-links.ts'
import { claimSteps } from './claims.ts'
import { type ReceiptFile, readReceiptFile, UnusableFile } from './receipt-file.ts'
import { printable, printedStep, type Step, stepInWords } from './step.ts'

const USAGE = `npm run verify -- receipt.json [more.json …]

Checks saved receipts, rounds (GET /api/fairness/round) or whole order replies, with neither server
nor network. Several files of one chain are also held against one another.

--allow-local  take a beacon of the operator's own, as the demo has, for a proof

Exit code: 0 everything holds; 1 something does not hold; 2 a file cannot be used;
3 nothing is wrong, but not all is public yet: check again after the draw;
4 everything holds, but the beacon is the operator's own, so nothing is proved against him.`

/** `unproved`: all holds by a beacon of the operator's own, who could know its values early. */
type FileVerdict = Verdict | 'unproved'

const EXIT_CODES: Record<FileVerdict, number> = {
  verified: 0,
  failed: 1,
  unfinished: 3,
  unproved: 4,
}

/** Checks all files. @returns the exit code */
function verify({ paths, allowLocal }: { paths: readonly string[]; allowLocal: boolean }): number {
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
  const verdicts = files.map((file) => checkFile(file, allowLocal))
  if (files.length > 1) verdicts.push(checkTogether(files))
  const verdict = worst(verdicts)
  if (files.length > 1) console.log(`\n${OVERALL[verdict]}`)
  return EXIT_CODES[verdict]
}

const EXIT_UNUSABLE = 2

const OVERALL: Record<FileVerdict, string> = {
  verified: 'ALL FILES: VERIFIED. Everything that was checked holds.',
  failed: 'ALL FILES: FAILED. Something above does not hold.',
  unfinished: 'ALL FILES: NOT FINISHED. Nothing is wrong, but not all is public yet.',
  unproved: 'ALL FILES: NOT PROVED. Everything holds, by a beacon of the operator’s own.',
}

function checkFile(file: ReceiptFile, allowLocal: boolean): FileVerdict {
  const { round, receipt, order } = file
  console.log(`${printable(file.name)}: game ${round.game_id}, round ${printable(round.issue)}`)
  const bet = order && order.stake !== null ? { ...order, stake: order.stake } : undefined
  const steps: Step[] = [
    ...verifyRound({ round, receipt, order: bet }).map(stepInWords),
    ...claimSteps(file),
  ]
  for (const step of steps) console.log(printedStep(step))
  const result = verdictOfSteps(steps, round.status === 'voided')
  const local = round.beacon.kind === 'local' && !allowLocal
  const verdict = result === 'verified' && local ? 'unproved' : result
  for (const note of notesOf(file)) console.log(`  Take note: ${note}`)
  console.log(`${sentence(verdict, steps, file)}\n`)
  return verdict
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
  console.log(verdict === 'failed' ? `FAILED: ${failures(steps)}.` : 'VERIFIED together.')
  return verdict
}

// Nothing more will be published of a voided round, so its missing values are not waited for.
function verdictOfSteps(steps: readonly Step[], voided: boolean): Verdict {
  const counted = voided ? steps.filter((step) => step.ok !== null) : steps
  return verdictOf(counted.map((step) => ({ ...step, name: 'seed' as const })))
}

function sentence(
  verdict: FileVerdict,
  steps: readonly Step[],
  { round, receipt }: ReceiptFile,
): string {
  if (verdict === 'failed') return `FAILED: ${failures(steps)}.`
  if (verdict === 'unfinished') {
    return 'NOT FINISHED: nothing is wrong, but not all is public yet. Check again after the draw.'
  }
  if (verdict === 'unproved') {
    return 'NOT PROVED: everything holds, but the beacon is the operator’s own: he could know its values early.'
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
function notesOf({ round, receipt }: ReceiptFile): string[] {
  const notes: string[] = []
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

function worst(verdicts: readonly FileVerdict[]): FileVerdict {
  const order = ['failed', 'unproved', 'unfinished'] as const
  return order.find((verdict) => verdicts.includes(verdict)) ?? 'verified'
}

// npm runs commands in the repository's folder and puts the reader's folder into INIT_CWD.
function inReadersFolder(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path)
}

function readArguments(
  args: string[],
): { paths: string[]; allowLocal: boolean } | 'help' | { fault: string } {
  try {
    const flag = { type: 'boolean', default: false } as const
    const options = { help: flag, 'allow-local': flag }
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    if (values.help) return 'help'
    if (positionals.length === 0) return { fault: 'Name the file to check.' }
    return { paths: positionals, allowLocal: values['allow-local'] }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
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
