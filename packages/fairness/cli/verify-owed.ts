/** `npm run verify:owed -- proof.json`: checks offline that a balance is in a count of what the house owes. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type OwedCount,
  type OwedProof,
  type OwedStep,
  type PathNode,
  verifyOwed,
} from '../src/sum-tree.ts'
import { printable, printedStep } from './step.ts'

const USAGE = `npm run verify:owed -- proof.json

Checks the file that the app saves under Me: that your balance is in a count of what the house owes. Then compare root
and total with the entry "liabilities" of that number in the house's public log.

Exit code: 0 everything holds; 1 something does not hold; 2 the file cannot be used.`

const SAYS: Record<OwedStep['name'], string> = {
  leaf: 'The line of the count can be read, and none of its amounts is negative.',
  count: 'The line is of this count, not of another day.',
  player: 'The line is yours: it has your number, as you see it under Me.',
  sums: 'No sum on the way to the root is negative or too large.',
  root: 'Your line leads, hash by hash, to the published root: nothing in it was changed.',
  total: 'Your amounts are part of the published total, in millionths.',
}

/** Why a file cannot be checked, as a sentence. */
class UnusableFile extends Error {}

type Fields = Readonly<Record<string, unknown>>

function readProof(text: string): { count: OwedCount; playerId: number; proof: OwedProof } {
  const file = anObject(jsonOf(text), 'the file')
  const body = 'data' in file ? anObject(file.data, 'data') : file
  const count = anObject(body.count, 'count')
  const proof = anObject(body.proof, 'proof')
  if (!Array.isArray(proof.path)) throw new UnusableFile('"path" is no list.')
  const path: PathNode[] = proof.path.map((node) => {
    const fields = anObject(node, 'path')
    return { sum: aText(fields, 'sum'), hash: aText(fields, 'hash') }
  })
  return {
    count: {
      ...{ number: aNumber(count, 'number'), size: aNumber(count, 'size') },
      ...{ root: aText(count, 'root'), total: aText(count, 'total') },
    },
    playerId: aNumber(body, 'player_id'),
    proof: { leaf: aText(proof, 'leaf'), index: aNumber(proof, 'index'), path },
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw new UnusableFile('It is not JSON.')
  }
}

function anObject(value: unknown, name: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new UnusableFile(`"${name}" is missing, or no object.`)
}

function aText(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value === 'string') return value
  throw new UnusableFile(`"${name}" is missing, or no text.`)
}

function aNumber(fields: Fields, name: string): number {
  const value = fields[name]
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new UnusableFile(`"${name}" is missing, or no whole number.`)
}

/** Runs the command with its arguments; prints what it finds. @returns its exit code */
export function runVerifyOwed(args: readonly string[]): number {
  const [path] = args
  if (args.length !== 1 || path === undefined || path.startsWith('-')) {
    console.error(USAGE)
    return 2
  }
  try {
    // npm runs commands in the repository's folder and puts the reader's folder into INIT_CWD.
    const { count, playerId, proof } = readProof(
      readFileSync(resolve(process.env.INIT_CWD ?? process.cwd(), path), 'utf8'),
    )
    const steps = verifyOwed(proof, { count, playerId })
    for (const { name, ...step } of steps) {
      console.log(printedStep({ title: name, says: SAYS[name], ...step }))
    }
    const failed = steps.filter(({ ok }) => !ok).map(({ name }) => name)
    console.log(failed.length > 0 ? `FAILED: ${failed.join(', ')}.` : `VERIFIED: ${logHas(count)}`)
    return failed.length > 0 ? 1 : 0
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    console.error(`${printable(path)} cannot be checked. ${printable(why)}`)
    return 2
  }
}

/** What the log must have of a count. */
function logHas({ number, root, total }: OwedCount): string {
  return `your balance is in it, if the public log has of count ${number} the root ${printable(root)} and the total ${printable(total)}.`
}

if (import.meta.main) process.exitCode = runVerifyOwed(process.argv.slice(2))
