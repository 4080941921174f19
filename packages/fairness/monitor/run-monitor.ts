/** `npm run monitor -- <address>`: follows a house from outside. See docs/fairness.md. */
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readVerifierKey, type VerifierKey } from '../src/signed-note.ts'
import { LogDifference, type Look, logFollower, Unreachable } from './follow-log.ts'
import { isByDrand, type LoggedRound, nameOf } from './log-facts.ts'

const USAGE = `npm run monitor -- https://play.example [--witness <key of a witness> …]

Follows a house's public log: keeps a copy of it, checks every round, each count of what is owed and each day's returns
as they come, and names the first difference or delay. A difference ends it; what proves it is in files of its folder
whose names begin with difference.

--witness <key>     one that you trust: it is asked for what this monitor did not see come; each of several must have signed
--beacon <address>  where the beacon's values are asked for, to know when they were public: https://api.drand.sh
--folder .monitor   what was seen: keep it, because a house can deny only what nobody has kept
--once              looks once, from where it stopped, and ends

Exit code: 0 nothing is wrong; 1 a difference; 2 the command is wrong; 3 with --once: a delay; 4 the monitor itself
failed, such as by a full disk, and says nothing of the house.`

const EVERY_MS = 5_000

/** How long a house may leave something unanswered before that is told, and how often it is told again. */
const SILENT_MAX_MS = 60_000
const TOLD_EVERY_MS = 600_000

type Options = {
  address: string
  witnesses: VerifierKey[]
  beacon: string | undefined
  folder: string
  once: boolean
}

function readOptions(args: string[]): Options | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        witness: { type: 'string', multiple: true, default: [] },
        beacon: { type: 'string' },
        folder: { type: 'string', default: '.monitor' },
        once: { type: 'boolean', default: false },
      },
    })
    const [address = ''] = positionals
    if (!/^https?:\/\//.test(address) || !URL.canParse(address))
      return 'Name the address of a house.'
    const keys = values.witness.map(readVerifierKey)
    const wrong = values.witness.find((_, at) => keys[at]?.type !== 'witness')
    if (wrong !== undefined)
      return `--witness ${JSON.stringify(wrong)} is not the key of a witness.`
    const { folder, once } = values
    if (values.beacon !== undefined && !URL.canParse(values.beacon))
      return `--beacon ${JSON.stringify(values.beacon)} is no address.`
    const [house, beacon] = [address, values.beacon].map((url) => url?.replace(/\/$/, ''))
    return { address: house ?? '', witnesses: keys as VerifierKey[], beacon, folder, once }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Runs the command. @returns its exit code; without --once only when there is a difference, or the monitor fails */
export async function runMonitor(args: string[]): Promise<number> {
  const options = readOptions(args)
  if (typeof options === 'string') {
    console.error(`${options}\n\n${USAGE}`)
    return 2
  }
  const folder = resolve(process.env.INIT_CWD ?? process.cwd(), options.folder)
  try {
    return await follow({ ...options, folder })
  } catch (error) {
    if (error instanceof LogDifference) {
      console.error(`DIFFERENCE: ${error.message}. What proves it is in ${folder}.`)
      return 1
    }
    // An error of the system, such as of its disk, has a code and says all; another is a fault of this program.
    const { message, stack, code } = error as NodeJS.ErrnoException
    const why = code === undefined ? stack : message
    console.error(`The monitor itself failed, which says nothing of the house: ${why}`)
    return 4
  }
}

async function follow({ once, ...options }: Options): Promise<number> {
  const { look } = logFollower(options)
  const silence = silenceWatch(Date.now())
  for (;;) {
    const found = await look().catch((error: unknown) => {
      if (error instanceof Unreachable) return { ...NOTHING, unanswered: error.message }
      throw error
    })
    tell(found)
    const { unanswered } = found
    if (once) {
      if (unanswered === undefined) console.log(`${found.size} entries, and nothing differs`)
      else console.error(`DELAY: ${unanswered}.`)
      return unanswered !== undefined || found.delays.length > 0 ? 3 : 0
    }
    const told = silence(found, Date.now())
    if (told !== null) console.error(told)
    await sleep(EVERY_MS)
  }
}

/**
 * What to tell of a house that leaves something unanswered, look by look; times in milliseconds since 1970. A house
 * whose log was never seen is told at once: its address may be wrong.
 */
export function silenceWatch(startedAt: number) {
  let wasSeen = false
  let answeredAt = startedAt
  let toldAt: number | null = null
  return ({ size, unanswered }: Pick<Look, 'size' | 'unanswered'>, now: number): string | null => {
    wasSeen ||= size > 0
    if (unanswered === undefined) {
      const wasTold = toldAt !== null
      answeredAt = now
      toldAt = null
      return wasTold ? 'the house answers again' : null
    }
    const isDue =
      toldAt === null ? !wasSeen || now - answeredAt > SILENT_MAX_MS : now - toldAt >= TOLD_EVERY_MS
    if (!isDue) return null
    toldAt = now
    return `DELAY: ${unanswered}.`
  }
}

const NOTHING: Look = { size: 0, ended: [], counts: [], changes: [], delays: [] }

function tell({ ended, endedBefore = 0, counts, changes, delays }: Look): void {
  for (const change of changes) console.log(change)
  if (endedBefore > 0) console.log(`${endedBefore} rounds ended before the following, and hold`)
  for (const round of ended) console.log(`${nameOf(round)}: ${endOf(round)}`)
  for (const { number, total, on_chain } of counts)
    console.log(`count ${number}: ${total} owed, ${on_chain} on the chain, in millionths`)
  for (const delay of delays) console.error(`DELAY: ${delay}.`)
}

function endOf(round: LoggedRound): string {
  const { announcement, draw, void: voided, witnessed, odd } = round
  const unseen = witnessed ? [] : [`not ${witnessed === false ? 'witnessed' : 'watched'}`]
  if (!draw) {
    const end = [`voided, ${voided?.reason}`, ...unseen].join(', ')
    return odd === null ? end : `${end}. Of its game, ${odd}`
  }
  return [
    `${draw.digits?.replaceAll(',', ' ')} holds`,
    ...(isByDrand(announcement) ? [] : ['by a beacon of the operator’s own']),
    ...unseen.map((mark) => `its book ${mark}`),
  ].join(', ')
}

if (import.meta.main) process.exitCode = await runMonitor(process.argv.slice(2))
