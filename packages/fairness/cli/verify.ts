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

Exit code: 0 everything holds; 1 something does not hold; 2 a file cannot be used;
3 nothing is wrong, but not all is public yet: check again after the draw.`

const EXIT_CODES: Record<Verdict, number> = { verified: 0, failed: 1, unfinished: 3 }

/** The whole command. @returns its exit code */
function verify(paths: readonly string[]): number {
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
  const verdicts = files.map(checkFile)
  if (files.length > 1) verdicts.push(checkTogether(files))
  const verdict = worst(verdicts)
  if (files.length > 1) console.log(`\n${OVERALL[verdict]}`)
  return EXIT_CODES[verdict]
}

const EXIT_UNUSABLE = 2

const OVERALL: Record<Verdict, string> = {
  verified: 'ALL FILES: VERIFIED. Everything that was checked holds.',
  failed: 'ALL FILES: FAILED. Something above does not hold.',
  unfinished: 'ALL FILES: NOT FINISHED. Nothing is wrong, but not all is public yet.',
}

function checkFile(file: ReceiptFile): Verdict {
  const { round, receipt, order } = file
  console.log(`${printable(file.name)}: game ${round.game_id}, round ${printable(round.issue)}`)
  const bet =
    order && order.stake !== null
      ? { orderNo: order.orderNo, playType: order.playType, stake: order.stake }
      : undefined
  const steps: Step[] = [
    ...verifyRound({ round, receipt, order: bet }).map(stepInWords),
    ...claimSteps(file),
  ]
  for (const step of steps) console.log(printedStep(step))
  const verdict = verdictOfSteps(steps, round.status === 'voided')
  for (const note of notesOf(file)) console.log(`  Take note: ${note}`)
  console.log(`${sentence(verdict, steps, file)}\n`)
  return verdict
}

function checkTogether(files: readonly ReceiptFile[]): Verdict {
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
  verdict: Verdict,
  steps: readonly Step[],
  { round, receipt }: ReceiptFile,
): string {
  if (verdict === 'failed') return `FAILED: ${failures(steps)}.`
  if (verdict === 'unfinished') {
    return 'NOT FINISHED: nothing is wrong, but not all is public yet. Check again after the draw.'
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

function worst(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('failed')) return 'failed'
  return verdicts.includes('unfinished') ? 'unfinished' : 'verified'
}

// npm runs commands in the repository's folder and puts the reader's folder into INIT_CWD.
function inReadersFolder(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path)
}

function readPaths(args: string[]): string[] | 'help' | { fault: string } {
  try {
    const options = { help: { type: 'boolean', default: false } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    if (values.help) return 'help'
    return positionals.length > 0 ? positionals : { fault: 'Name the file to check.' }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

const paths = readPaths(process.argv.slice(2))
if (paths === 'help') {
  console.log(USAGE)
} else if ('fault' in paths) {
  console.error(`${paths.fault}\n\n${USAGE}`)
  process.exitCode = EXIT_UNUSABLE
} else {
  process.exitCode = verify(paths)
}
