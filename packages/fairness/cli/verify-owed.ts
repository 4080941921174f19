/** `npm run verify:owed -- proof.json`: checks offline that a balance is in a count of what the house owes. */
import { parseArgs } from 'node:util'
import type { TrustedKeys } from '../src/logged-entry.ts'
import {
  type DatedCount,
  type OwedLog,
  type OwedLogStep,
  verifyOwedLog,
} from '../src/logged-owed.ts'
import { type OwedProof, type OwedStep, verifyOwed } from '../src/sum-tree.ts'
import {
  entryOf,
  jsonOf,
  need,
  objectOf,
  string,
  textOf,
  texts,
  UnusableFile,
  wholeNumber,
} from './receipt-file.ts'
import { printable, printedStep, timeOf } from './step.ts'
import { inReadersFolder, KEY_OPTIONS, trustedKeys } from './verify.ts'

const USAGE = `npm run verify:owed -- proof.json

Checks the file that the app saves under Me, with neither server nor network: that your balance is in a count of what
the house owes, that the count is at most 26 hours old by this machine's clock, and that it stands in the house's
public log.

--log <key>      the log's key as you kept it: the first line of /tlog/vkeys
--witness <key>  of a witness whom you trust; of several, each must have signed. Without keys, those of the file are
                 taken, and one witness is enough

Exit code: 0 everything holds; 1 something does not hold; 2 the file cannot be used; 3 the count was too young to be in
the log: save the proof again; 4 everything holds, but no witness signed the log.`

const SAYS: Record<OwedStep['name'] | OwedLogStep['name'], string> = {
  leaf: 'The line of the count can be read, and none of its amounts is negative.',
  count: 'The line is of this count, not of another day.',
  player: 'The line is yours: it has your number, as you see it under Me.',
  sums: 'No sum on the way to the root is negative or too large.',
  root: 'Your line leads, hash by hash, to the published root: nothing in it was changed.',
  total: 'Your amounts are part of the published total, in millionths.',
  recent: 'The count is at most 26 hours old by this machine’s clock: one is made each day.',
  'log-entry': 'The public log has this count with this root and this total.',
  'log-path': 'The log’s entry leads, hash by hash, to the root of the log.',
  'log-signature': 'The log’s key signed that root, or a later one that it leads to.',
  witness:
    'A witness signed it too, or each that you named, with the time of its own clock: others were shown the same log.',
  logged: 'A count is in the public log within ten minutes, and the file shows where.',
}

const NOT_RECENT =
  'an earlier count proves nothing of today. Set this machine’s clock if it is wrong, or save the proof again: if the app has no later count, the house has not counted for a day.'

/** Steps whose values are instants. */
const TIMES: readonly string[] = ['recent', 'witness'] satisfies OwedLogStep['name'][]

type OwedFile = { count: DatedCount; playerId: number; proof: OwedProof; log: OwedLog | null }

/** @throws UnusableFile when the text is no proof */
function readProof(text: string): OwedFile {
  const file = objectOf(jsonOf(text), 'The file')
  const body = 'data' in file ? objectOf(file.data, '"data"') : file
  const count = objectOf(need(body, 'count'), 'The field "count"')
  const proof = objectOf(need(body, 'proof'), 'The field "proof"')
  const path = need(proof, 'proof.path')
  if (!Array.isArray(path)) throw new UnusableFile('The field "proof.path" is no list.')
  return {
    count: {
      number: wholeNumber(count, 'count.number'),
      counted_at: wholeNumber(count, 'count.counted_at'),
      size: wholeNumber(count, 'count.size'),
      root: string(count, 'count.root'),
      total: string(count, 'count.total'),
    },
    playerId: wholeNumber(body, 'player_id'),
    proof: {
      leaf: string(proof, 'proof.leaf'),
      index: wholeNumber(proof, 'proof.index'),
      path: path.map((node) => {
        const fields = objectOf(node, 'A part of "proof.path"')
        return { sum: string(fields, 'sum'), hash: string(fields, 'hash') }
      }),
    },
    log: readLog(need(body, 'log')),
  }
}

function readLog(value: unknown): OwedLog | null {
  if (value === null) return null
  const log = objectOf(value, 'The field "log"')
  return {
    keys: texts(log, 'log.keys'),
    key_changes: texts(log, 'log.key_changes'),
    checkpoint: string(log, 'log.checkpoint'),
    entry: entryOf(log, 'log.entry'),
  }
}

function checkFile({ count, playerId, proof, log }: OwedFile, trusted: TrustedKeys): number {
  const now = Math.floor(Date.now() / 1_000)
  const steps = [
    ...verifyOwed(proof, { count, playerId }),
    ...verifyOwedLog({ count, log, now, trusted }),
  ]
  for (const { name, ok, computed, published } of steps) {
    const shown = TIMES.includes(name) ? timeOf : (value: string | null) => value
    const values = { computed: shown(computed), published: shown(published) }
    console.log(printedStep({ title: name, says: SAYS[name], ok, ...values }))
  }
  if (log && !(trusted.log && trusted.witnesses?.length)) {
    console.log(
      '  Take note: keys of the log or of its witnesses were taken from the file: name those that you know with --log and --witness.',
    )
  }
  if (log) {
    console.log(
      '  Take note: that the log has no second count of this number, and no later one, no single file shows: the monitor reads the whole log.',
    )
  }
  const failed = steps.filter(({ ok }) => ok === false).map(({ name }) => name)
  if (failed.length > 0) {
    if (failed.includes('recent')) console.log(`  Take note: ${NOT_RECENT}`)
    console.log(`FAILED: ${failed.join(', ')}.`)
    return 1
  }
  if (!log) {
    console.log(
      'NOT IN THE LOG YET: the count was too young. Save the proof again, and check that.',
    )
    return 3
  }
  const mine = `your balance is in count ${count.number} of what the house owes, which stands in its public log`
  const witnessed = steps.every(({ ok }) => ok)
  console.log(witnessed ? `VERIFIED: ${mine}.` : `NOT PROVED: ${mine}, but no witness signed it.`)
  return witnessed ? 0 : 4
}

function readArguments(args: string[]): { path: string; trusted: TrustedKeys } {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: KEY_OPTIONS })
  const [path] = positionals
  if (path === undefined || positionals.length > 1) throw new Error('Name the one file to check.')
  return { path, trusted: trustedKeys(values) }
}

/** Runs the command with its arguments; prints what it finds. @returns its exit code */
export function runVerifyOwed(args: string[]): number {
  let task: ReturnType<typeof readArguments>
  try {
    task = readArguments(args)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    return 2
  }
  try {
    return checkFile(readProof(textOf(inReadersFolder(task.path))), task.trusted)
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error
    console.error(`${printable(task.path)} cannot be checked. ${printable(error.message)}`)
    return 2
  }
}

if (import.meta.main) process.exitCode = runVerifyOwed(process.argv.slice(2))
