/**
 * What a public log says of money: counts of what is owed, and the returns of each day. Each is checked against what was
 * said before and against the draws in the log. Pure: the same entries give the same finding.
 */
import { DAILY_S } from '../src/logged-owed.ts'
import { hits } from '../src/payout.ts'
import { SUM_MAX } from '../src/sum-tree.ts'
import {
  demand,
  type EntryKinds,
  type Fields,
  type LoggedRound,
  type LoggedRules,
  need,
  type Shown,
  wholeNumber,
} from './log-facts.ts'

/** A count of what is owed, as the log states it. Amounts are micro-units; `none` stands for what there is not. */
export type LoggedCount = Readonly<
  Record<
    'number' | 'counted_at' | 'size' | 'root' | 'total' | 'on_chain' | 'block' | 'at_bank',
    string
  >
>

/** What was paid on an outcome in a day, as the log states it. */
type LoggedReturn = {
  readonly game: number
  readonly rule: number
  readonly rounds: number
  readonly wins: number
  readonly staked: bigint
  readonly paid: bigint
  readonly expected: bigint
  readonly variance: bigint
  readonly largest: bigint
}

type LoggedReturns = {
  /** YYYY-MM-DD */
  readonly day: string
  readonly tests: number
  readonly unlikely: number
  readonly list: readonly LoggedReturn[]
}

/** The sums of an outcome over some days. */
type Comparison = LoggedReturn & {
  /** One of {@link DAYS_COMPARED}, up to the last report. */
  readonly days: number
  /** On how many of them there were stakes. */
  readonly played: number
}

/** What players are shown: a reply of `/api/fairness/returns`. */
export type ShownReturns = { readonly game: number; readonly days: number; readonly reply: unknown }

/** How long after its time a count may come into the log, or returns after they are shown, and how far clocks may differ. */
const COUNT_PATIENCE_S = 600

/** Of two counts that are nearer, each could have a part of the players: both would be of the last day. */
const COUNTS_APART_S = 22 * 3_600

const COUNT_FIELDS = 'count,counted_at,size,root,total,on_chain,block,at_bank,addresses'
const RETURN_FIELDS = 'day,tests,unlikely,returns'
/** Over how many days returns are compared, and shown to players. */
export const DAYS_COMPARED = [1, 30, 365]
const DAY_MS = 86_400_000

/** A deviation that luck brings in fewer than one of a thousand reports. */
const UNLIKELY = 0.001
/** The log has rounded figures, so a deviation at the very border may count or not. */
const LEAST_UNLIKELY = UNLIKELY * 0.99
const MOST_UNLIKELY = UNLIKELY * 1.01

export function moneyFacts() {
  const counts: LoggedCount[] = []
  /** Of the last year, the newest last. */
  let reports: LoggedReturns[] = []
  /** All of the last report. */
  let compared: readonly Comparison[] = []
  /** Since when players are shown returns that are not in the log, in milliseconds since 1970. */
  let unloggedSince: number | null = null
  /** What came late; sentences. */
  let late: string[] = []

  function takeCount(fields: Fields, { at, notAt }: Shown): void {
    demand(
      Object.keys(fields).join() === COUNT_FIELDS,
      `a count has the fields ${Object.keys(fields)}`,
    )
    const number = wholeNumber(fields, 'count')
    const name = `count ${number} of what is owed`
    const before = counts.at(-1)
    demand(number > counts.length, `${name} is stated twice`)
    demand(
      number === counts.length + 1,
      `${name} came, and count ${counts.length + 1} was left out`,
    )
    const countedAt = wholeNumber(fields, 'counted_at')
    const countedBefore = Number(before?.counted_at ?? countedAt)
    demand(countedAt >= countedBefore, `${name} was made before the one before it`)
    demand(
      countedAt * 1_000 <= at + COUNT_PATIENCE_S * 1_000,
      `${name} states a time that had not come when it was shown`,
    )
    if (notAt !== null && countedAt + COUNT_PATIENCE_S < notAt / 1_000) {
      late.push(`${name} states a time more than ten minutes before it was shown`)
    }
    if (countedAt - countedBefore > DAILY_S) {
      late.push(`between count ${number - 1} and count ${number} of what is owed a day is missing`)
    }
    if (before && countedAt - countedBefore < COUNTS_APART_S) {
      late.push(
        `count ${number} of what is owed was made less than 22 hours after count ${number - 1}: a player may be in one of them alone, and has to look in both`,
      )
    }
    const size = wholeNumber(fields, 'size')
    demand(
      size >= 256 && Number.isInteger(Math.log2(size)),
      `${name} has ${size} places, which are no power of two`,
    )
    demand(/^[0-9a-f]{64}$/.test(need(fields, 'root')), `${name} has no root`)
    const held = heldBy(need(fields, 'addresses'), name)
    demand(held === amountOf(fields, 'on_chain'), `${name} has another sum than its addresses hold`)
    amountOf(fields, 'total')
    if (fields.at_bank !== 'none') amountOf(fields, 'at_bank')
    if (fields.block !== 'none') wholeNumber(fields, 'block')
    const { count: _, addresses: _held, ...stated } = fields
    counts.push({ ...stated, number: String(number), size: String(size) } as LoggedCount)
  }

  function takeReturns(
    fields: Fields,
    _shown: Shown,
    days: Map<string, LoggedRound[]>,
    rules: ReadonlyMap<string, LoggedRules>,
  ): void {
    demand(
      Object.keys(fields).join() === RETURN_FIELDS,
      `returns have the fields ${Object.keys(fields)}`,
    )
    const day = need(fields, 'day')
    const name = `the returns of ${day}`
    demand(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(day), 'returns have no day')
    const last = reports.at(-1)?.day ?? ''
    demand(day !== last, `${name} are stated twice`)
    demand(day > last, `${name} came after those of a later day`)
    for (const [played, rounds] of days) {
      if (played > day) continue
      demand(played === day, `${name} came, and those of ${played} were left out`)
      demand(
        rounds.every((round) => round.draw || round.void),
        `${name} came before all rounds of the day had ended`,
      )
    }
    const list = rowsOf(fields.returns ?? '', name)
    for (const row of list) {
      const played = (days.get(day) ?? []).filter(({ game }) => game === row.game)
      compareWithDraws(row, played, name)
      compareWithOdds(row, oddsOf(row.rule, played, rules), name)
    }
    const report = { day, list, tests: wholeNumber(fields, 'tests') }
    const unlikely = wholeNumber(fields, 'unlikely')
    reports = [...reports.filter((each) => isWithin(each.day, day, 365)), { ...report, unlikely }]
    compared = comparisons(reports)
    const { tests, least, most } = unlikelyOf(compared)
    demand(
      report.tests === tests,
      `${name} are of ${report.tests} comparisons, and ${tests} follow`,
    )
    demand(
      unlikely >= least && unlikely <= most,
      `${name} call ${unlikely} deviations unlikely, and ${most} are`,
    )
    days.delete(day)
  }

  const kinds: EntryKinds = { liabilities: takeCount, returns: takeReturns }

  return {
    kinds,
    counts: counts as readonly LoggedCount[],
    /** The last day whose returns the log states; empty before the first. */
    lastDay: () => reports.at(-1)?.day ?? '',
    /**
     * Compares with the counts that players are shown.
     * @param reply of `/api/fairness/reserves`
     * @returns what is shown and not in the log, though it could be; sentences
     */
    compareReserves: (reply: unknown, now: number) => compareReserves(counts, reply, now),
    /**
     * Compares with the returns that players are shown.
     * @param shown of each game and number of days
     * @returns what is shown and not in the log, though it could be; sentences
     */
    compareReturns(shown: readonly ShownReturns[], now: number): string[] {
      const report = reports.at(-1)
      const isLater = (each: ShownReturns) => dayOf(each) > (report?.day ?? '')
      for (const each of shown) {
        if (report && !isLater(each)) compareReturns(report, compared, each)
      }
      const later = shown.find(isLater)
      unloggedSince = later ? (unloggedSince ?? now) : null
      if (!later || now <= (unloggedSince ?? now) + COUNT_PATIENCE_S * 1_000) return []
      return [`players are shown the returns of ${dayOf(later)}, which are not in the log`]
    },
    /**
     * What came late since the last call, and what has not come.
     * @param now in milliseconds since 1970
     * @param days whose returns are not in the log
     * @param firstEnd when the first round ended, in unix seconds
     */
    late(
      now: number,
      days: ReadonlyMap<string, readonly LoggedRound[]>,
      firstEnd: number | null,
    ): string[] {
      const told = late
      late = []
      const since = counts.at(-1)?.counted_at ?? firstEnd
      if (since !== null && now > (Number(since) + DAILY_S) * 1_000) {
        told.push('nothing that is owed was counted for a day')
      }
      for (const [day, rounds] of days) {
        const ends = Math.max(...rounds.map(({ announcement }) => Number(announcement.voids_at)))
        if (now > (ends + DAILY_S) * 1_000) told.push(`the returns of ${day} are not in the log`)
      }
      return told
    },
  }
}

type Shape = Readonly<Record<string, unknown>>

function listOf(reply: unknown, name: string): Shape[] {
  const list = ((reply ?? {}) as Shape)[name]
  demand(Array.isArray(list), `players are shown no ${name}`)
  return list
}

/** An amount on the wire as micro-units; `none` for null. */
function microOf(amount: unknown): string {
  const [, units, decimals = ''] = /^([0-9]{1,15})\.([0-9]{2,6})$/.exec(String(amount)) ?? []
  if (units === undefined) return amount === null ? 'none' : String(amount)
  return String(BigInt(units) * 1_000_000n + BigInt(decimals.padEnd(6, '0')))
}

function demandSame(name: string, pairs: readonly [string, unknown, unknown][]): void {
  for (const [what, logged, shown] of pairs) {
    demand(
      String(logged) === String(shown ?? 'none'),
      `${name}: the log has the ${what} ${logged}, and players are shown ${shown ?? 'none'}`,
    )
  }
}

function compareReserves(counts: readonly LoggedCount[], reply: unknown, now: number): string[] {
  const shown = new Map(listOf(reply, 'counts').map((count) => [String(count.number), count]))
  const delays: string[] = []
  for (const [number, { counted_at }] of shown) {
    const isOld = now / 1_000 > Number(counted_at) + COUNT_PATIENCE_S
    if (Number(number) > counts.length && isOld) {
      delays.push(`players are shown count ${number} of what is owed, which is not in the log`)
    }
  }
  const oldest = Math.min(...[...shown.keys()].map(Number), counts.length)
  for (const count of counts.slice(Math.max(0, oldest - 1))) {
    const theirs = shown.get(count.number)
    const name = `count ${count.number} of what is owed`
    demand(theirs, `${name} is in the log, and players are not shown it`)
    demandSame(name, [
      ['root', count.root, theirs.root],
      ['total', count.total, microOf(theirs.owed)],
      ['amount on the chain', count.on_chain, microOf(theirs.on_chain)],
      ['amount at the bank', count.at_bank, microOf(theirs.at_bank)],
      ['block', count.block, theirs.block],
      ['number of places', count.size, theirs.size],
      ['time', count.counted_at, theirs.counted_at],
    ])
  }
  return delays
}

/** The last day of the returns that players are shown; empty before the first. */
function dayOf({ reply }: ShownReturns): string {
  return String(((reply ?? {}) as Shape).day ?? '')
}

function compareReturns(
  report: LoggedReturns,
  compared: readonly Comparison[],
  { game, days, reply }: ShownReturns,
): void {
  const shown = (reply ?? {}) as Shape
  const name = `the returns of ${report.day}`
  demandSame(name, [
    ['day', report.day, shown.day],
    ['number of comparisons', report.tests, shown.tests],
    ['number of unlikely ones', report.unlikely, shown.unlikely],
  ])
  const list = listOf(reply, 'list')
  const logged = compared.filter((each) => each.game === game && each.days === days)
  const span = `in ${days} ${days === 1 ? 'day' : 'days'}`
  demandSame(`${name}, game ${game}, ${span}`, [['number of outcomes', logged.length, list.length]])
  for (const row of logged) {
    const theirs = list.find(({ rule_id }) => rule_id === row.rule) ?? {}
    const place = `${name}, game ${game}, outcome ${row.rule}, ${span}`
    demandSame(place, [
      ['number of rounds', row.rounds, theirs.rounds],
      ['number of wins', row.wins, theirs.wins],
      ['turnover', row.staked, microOf(theirs.turnover)],
      ['payouts', row.paid, microOf(theirs.payouts)],
    ])
    const figures = [
      ['expected payouts', Number(row.expected), theirs.expected],
      ['deviation', Math.sqrt(Number(row.variance)), theirs.deviation],
    ] as const
    for (const [figure, own, their] of figures) {
      // In the log each day's is rounded.
      demand(
        Math.abs(own - Number(microOf(their))) <= row.played,
        `${place}: the log has the ${figure} ${own}, and players are shown ${their}`,
      )
    }
    const chance = chanceOf(row, compared.length)
    const isUnlikely = Number(theirs.chance) < UNLIKELY
    demand(
      isUnlikely ? chance < MOST_UNLIKELY : chance >= LEAST_UNLIKELY,
      `${place}: by the log luck brings this with chance ${chance}, and players are shown ${theirs.chance}`,
    )
  }
}

function amountOf(fields: Fields, name: string): bigint {
  const value = need(fields, name)
  const amount = /^(?:0|[1-9][0-9]{0,18})$/.test(value) ? BigInt(value) : SUM_MAX + 1n
  demand(amount <= SUM_MAX, `${name} is ${JSON.stringify(value.slice(0, 40))}, and no amount`)
  return amount
}

/** What a count's addresses hold together. */
function heldBy(addresses: string, name: string): bigint {
  if (addresses === 'none') return 0n
  const seen = new Set<string>()
  return addresses.split(',').reduce((sum, each) => {
    const [, address = '', amount = ''] =
      /^(T[1-9A-HJ-NP-Za-km-z]{33}):(0|[1-9][0-9]{0,18})$/.exec(each) ?? []
    demand(address !== '' && !seen.has(address), `${name} has an address twice, or none`)
    seen.add(address)
    return sum + BigInt(amount)
  }, 0n)
}

const ROW = /^[1-9][0-9]{0,4}:[1-9][0-9]{0,4}:[1-9][0-9]{0,8}:[0-9]{1,9}(?::[0-9]{1,60}){5}$/

function rowsOf(text: string, name: string): LoggedReturn[] {
  let before = 0
  return (text === '' ? [] : text.split(',')).map((row) => {
    demand(ROW.test(row), `${name} have a row that is none: ${JSON.stringify(row.slice(0, 80))}`)
    const [game = 0, rule = 0, rounds = 0, wins = 0] = row.split(':').map(Number)
    const [staked = 0n, paid = 0n, expected = 0n, variance = 0n, largest = 0n] = row
      .split(':')
      .slice(4)
      .map(BigInt)
    const place = game * 100_000 + rule
    demand(place > before, `${name} have an outcome twice, or not in order`)
    before = place
    demand(wins > 0 || paid === 0n, `${name} pay on an outcome that did not win`)
    return { game, rule, rounds, wins, staked, paid, expected, variance, largest }
  })
}

/** Of the rounds in which an outcome won, no more can be stated than the log's draws have; nor of the others. */
function compareWithDraws(
  { game, rule, rounds, wins }: LoggedReturn,
  played: readonly LoggedRound[],
  name: string,
): void {
  const drawn = played.flatMap(({ draw }) => draw?.digits ?? [])
  const won = drawn.filter((digits) => isHit(rule, digits.split(','))).length
  demand(
    wins <= won && rounds - wins <= drawn.length - won,
    `${name} state ${wins} of ${rounds} rounds of game ${game} won by outcome ${rule}, and the log’s draws have ${won} of ${drawn.length}`,
  )
}

/** All odds of an outcome, in thousandths, by the rules that were announced for these rounds. */
function oddsOf(
  rule: number,
  played: readonly LoggedRound[],
  rules: ReadonlyMap<string, LoggedRules>,
): bigint[] {
  const versions = new Set(
    played.flatMap(({ announcement }) => announcement.rules?.split(',') ?? []),
  )
  return [...versions].flatMap((version) => {
    const own = rules.get(version)?.odds.get(String(rule))
    return own === undefined ? [] : BigInt(own)
  })
}

/**
 * What these stakes can have paid by these odds bounds each figure: `pays`, their sum over all rounds as if each had won,
 * is between the stakes at the least and at the greatest odds. Figures may be rounded by one half.
 */
function compareWithOdds(row: LoggedReturn, odds: readonly bigint[], name: string): void {
  const { game, rule, staked, paid, expected, variance, largest } = row
  const [wins, losses] = [BigInt(row.wins), BigInt(row.rounds - row.wins)]
  const ways = BigInt(waysOf(rule))
  const sorted = [...odds].sort((one, other) => (one < other ? -1 : 1))
  const least = (staked * (sorted[0] ?? 0n)) / 1_000n
  const most = (staked * (sorted.at(-1) ?? 0n)) / 1_000n
  const figures = {
    expected: (expected + 1n) * 1_000n >= least * ways && (expected - 1n) * 1_000n <= most * ways,
    variance: (variance - 1n) * 1_000n <= largest * (expected + 1n) * (1_000n - ways),
    largest: largest <= most && largest * (wins + losses) >= least,
    paid: paid <= most && paid <= largest * wins && paid + largest * losses >= least,
  }
  for (const [figure, holds] of Object.entries(figures)) {
    demand(
      holds,
      `${name} state a figure that no odds allow: ${figure} of game ${game}, outcome ${rule}`,
    )
  }
}

/** In how many of the thousand draws an outcome wins. */
function waysOf(rule: number): number {
  const draws = Array.from({ length: 1_000 }, (_, at) => [...String(at)])
  return draws.filter((digits) => isHit(rule, digits)).length
}

function isHit(rule: number, digits: readonly string[]): boolean {
  return hits(
    rule,
    digits.reduce((sum, digit) => sum + Number(digit), 0),
  )
}

function isWithin(day: string, until: string, days: number): boolean {
  return Date.parse(day) > Date.parse(until) - days * DAY_MS
}

/** The comparisons of the last report. */
function comparisons(reports: readonly LoggedReturns[]): Comparison[] {
  const until = reports.at(-1)?.day ?? ''
  const sums = new Map<string, Comparison>()
  for (const { day, list } of reports) {
    for (const days of DAYS_COMPARED.filter((each) => isWithin(day, until, each))) {
      for (const row of list) {
        const key = `${days} ${row.game} ${row.rule}`
        const sum = sums.get(key)
        sums.set(key, {
          days,
          game: row.game,
          rule: row.rule,
          played: (sum?.played ?? 0) + 1,
          rounds: (sum?.rounds ?? 0) + row.rounds,
          wins: (sum?.wins ?? 0) + row.wins,
          staked: (sum?.staked ?? 0n) + row.staked,
          paid: (sum?.paid ?? 0n) + row.paid,
          expected: (sum?.expected ?? 0n) + row.expected,
          variance: (sum?.variance ?? 0n) + row.variance,
          largest: sum && sum.largest > row.largest ? sum.largest : row.largest,
        })
      }
    }
  }
  return [...sums.values()]
}

/** At most how likely luck brings so large a deviation in any of the comparisons: Bernstein's inequality times their number. */
function chanceOf({ paid, expected, variance, largest }: Comparison, tests: number): number {
  const deviation = Math.abs(Number(paid - expected))
  const spread = 2 * (Number(variance) + (Number(largest) * deviation) / 3)
  return 2 * tests * Math.exp(-(deviation ** 2) / spread)
}

/** How many comparisons there are, and how many of them are unlikely. */
function unlikelyOf(compared: readonly Comparison[]) {
  const chances = compared.map((each) => chanceOf(each, compared.length))
  const below = (limit: number) => chances.filter((chance) => chance < limit).length
  return { tests: compared.length, least: below(LEAST_UNLIKELY), most: below(MOST_UNLIKELY) }
}
