/** The table of a run: the effect of each fault on players. */

import type { HeldRound } from './database-state.ts'
import type { Call, Fault } from './history.ts'

export type Struck = {
  name: string
  remark: string
  /** When it began, when all parts were there again, and when the next one began or the run ended. */
  from: number
  backAt: number
  until: number
}

/** What a fault did to players. */
type Line = ReturnType<typeof linesOf>[number]

/** The lines of a table; a draw belongs to the fault during which its round ended. */
export function linesOf(
  struck: readonly Struck[],
  calls: readonly Call[],
  faults: readonly Fault[],
  rounds: readonly HeldRound[],
) {
  return struck.map(({ name, remark, from, until }, index) => {
    const within = (at: number) =>
      (index === 0 || at >= from) && (index === struck.length - 1 || at < until)
    const faultsOfPhase = faults.filter(({ at }) => within(at))
    const count = (kind: Fault['kind']) =>
      faultsOfPhase.filter((fault) => fault.kind === kind).length
    const ended = rounds.filter(({ drawsAt }) => within(drawsAt))
    const voided = ended.filter(({ drawnAt, voidReason }) => drawnAt === null || voidReason)
    const answered = calls
      .filter(({ kind, outcome }) => kind === 'order' && /accepted|refused/.test(outcome.kind))
      .filter((call) => call.until >= from && call.until < until)
    const instants = [from, ...answered.map((call) => call.until).sort((a, b) => a - b)]
    const gaps = instants.map((at, position) => at - (instants[position - 1] ?? at))
    const first = answered
      .filter((call) => call.from >= from)
      .reduce((least, call) => Math.min(least, call.until), Number.POSITIVE_INFINITY)
    return {
      name,
      remark,
      orders: answered.filter(({ outcome }) => outcome.kind === 'accepted').length,
      lost: count('lost'),
      twice: count('twice'),
      /** Replies and balances that fit no order of events. */
      untrue: count('contradiction') + count('balance') + count('history'),
      late: ended.filter((round) => (round.drawnAt ?? 0) > round.voidsAt).length,
      voided: voided.length,
      /** Of these, those whose seal was mostly over before all parts were back: their books could not be closed. */
      excused: voided.filter((round) => isExcused(round, struck)).length,
      /** How long after its round's end the latest draw came, in seconds. */
      latestDrawS: Math.max(
        0,
        ...ended.map((round) => ((round.drawnAt ?? 0) - round.drawsAt) / 1_000),
      ),
      /** The longest time without an answered order, in seconds. */
      withoutServiceS: Math.max(...gaps) / 1_000,
      /** The time until the first answered order that was sent after the fault, in seconds. */
      firstAfterS: (first - from) / 1_000,
    }
  })
}

/** Whether parts were away for more than half of a round's seal, within which its book has to be closed. */
function isExcused({ sealsAt, drawsAt }: HeldRound, struck: readonly Struck[]): boolean {
  const away = struck.map(({ from, backAt }) =>
    Math.max(0, Math.min(backAt, drawsAt) - Math.max(from, sealsAt)),
  )
  return away.reduce((sum, ms) => sum + ms, 0) > (drawsAt - sealsAt) / 2
}

/** As Markdown. */
export function tableOf(lines: readonly Line[]): string {
  const head = [
    ...['fault', 'orders accepted', 'lost', 'twice', 'untrue replies', 'draws late'],
    ...['voided', 'latest draw, s', 'without service, s', 'first order after, s'],
  ]
  const rows = lines.map((line) => [
    line.remark ? `${line.name} (${line.remark})` : line.name,
    ...[line.orders, line.lost, line.twice, line.untrue, line.late, line.voided],
    ...[line.latestDrawS, line.withoutServiceS, line.firstAfterS].map((each) => each.toFixed(1)),
  ])
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

export type Check = { name: string; right: boolean }

/** What has to be 0, for each line. */
export function checksOf(lines: readonly Line[]): Check[] {
  return lines.flatMap(({ name, lost, twice, untrue, late, voided, excused }) =>
    Object.entries({
      'orders lost': lost,
      'orders that stand twice': twice,
      'untrue replies': untrue,
      'late draws': late,
      'rounds voided': voided - excused,
    }).map(([what, count]) => ({ name: `${name}: ${count} ${what}`, right: count === 0 })),
  )
}
