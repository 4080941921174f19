/**
 * Small faults for the SQL functions, made by rules: mistakes that a developer could make, and that a test must
 * notice.
 */

export type SqlMutant = {
  /** Such as `bets.place`. */
  functionName: string
  /** The line of the file, from 1, on which the fault begins. */
  line: number
  rule: string
  before: string
  after: string
  /** Counts, from 1, if a function has the same text in several places. */
  occurrence: number
  /** The statement that makes the function with the fault in it, without its comments. */
  statement: string
}

type SqlFunction = { name: string; start: number; statement: string; bodyStart: number }

type Change = { rule: string; at: number; before: string; after: string }

/** Every fault that the rules know for a file of functions, each of them alone, by place. */
export function mutantsOf(file: string): SqlMutant[] {
  return functionsOf(file).flatMap(({ name, start, statement, bodyStart }) => {
    const body = statement.slice(bodyStart)
    const changes = RULES.flatMap((rule) => rule(body)).sort((a, b) => a.at - b.at)
    const texts = new Set<string>()
    const alike = new Map<string, number>()
    return changes.flatMap(({ rule, at: inBody, before, after }) => {
      const at = bodyStart + inBody
      const faulty = statement.slice(0, at) + after + statement.slice(at + before.length)
      // Two rules may make the same fault.
      if (texts.has(oneLine(faulty))) return []
      texts.add(oneLine(faulty))
      const key = `${rule} ${oneLine(before)}`
      alike.set(key, (alike.get(key) ?? 0) + 1)
      return {
        functionName: name,
        line: lineOf(file, start + at + before.search(/\S/)),
        rule,
        before: oneLine(before),
        after: oneLine(after),
        occurrence: alike.get(key) ?? 1,
        statement: faulty,
      }
    })
  })
}

/** Each function's name and the statement that makes it, with blanks for its comments. */
export function functionsOf(file: string): SqlFunction[] {
  const plain = withoutComments(file)
  const made =
    /^create or replace function ([\w.]+)\([\s\S]*?(?:as (\$\w*\$)\n|^begin (atomic)\n|\breturn )/gm
  return [...plain.matchAll(made)].map((match) => {
    const bodyStart = match[0].length
    const end = match[2] ? `\n${match[2]};` : match[3] ? '\nend;' : ';\n'
    const endsAt = plain.indexOf(end, match.index + bodyStart) + end.length
    return {
      name: match[1] ?? '',
      start: match.index,
      statement: plain.slice(match.index, endsAt),
      bodyStart,
    }
  })
}

/** The same text with blanks for its comments, so that positions do not change. */
function withoutComments(text: string): string {
  return text.replace(/--[^\n]*/g, (comment) => ' '.repeat(comment.length))
}

function lineOf(file: string, at: number): number {
  return file.slice(0, at).split('\n').length
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

type Rule = (body: string) => Change[]

const LOCK = String.raw` for (?:no key update|update|share)(?: of \w+)?`

const TURNED: Record<string, string> = {
  '>=': ' > ',
  '<=': ' < ',
  '<': ' <= ',
  '>': ' >= ',
  '<>': ' = ',
}

/** Names of one type that a developer could confuse, each for the other. */
const PAIRS = [
  ['staked', 'paid'],
  ['floor_cash', 'target'],
  ['cash_change', 'held_change'],
  ['cash_run', 'held_run'],
  ['cash_before', 'held_before'],
  ['approved_by', 'first_approved_by'],
  ['stake_min', 'stake_max'],
  ['house:game', 'house:treasury'],
  ['created_at', 'seen_at'],
  ['seals_at', 'draws_at'],
] as const

/** The same, and those that are taken for another one way alone. */
const SWAPPED: Record<string, string> = {
  ...Object.fromEntries(
    PAIRS.flatMap(([one, other]) => [
      [one, other],
      [other, one],
    ]),
  ),
  cash: 'held',
  payout: 'stake',
  total: 'stake',
  opens_at: 'seals_at',
  ended_at: 'used_at',
  'house:robots': 'house:treasury',
  booked_amount: 'chain_amount',
  chain_amount: 'recorded_amount',
  recorded_amount: 'booked_amount',
}

const NAMES = Object.keys(SWAPPED).join('|')

/** One of the names where its value is read: beside an operator, or first in brackets; or as an account. */
const COLUMN_READ = new RegExp(
  String.raw`(?<=(?:[-+<>=/*(] ?|\b(?:then|when|else) )(?:\w+\.)?)\b(?:${NAMES})\b(?![.(])|\b(?:${NAMES})\b(?= [-+<>*/]=? )|(?<=')(?:cash|held|house:\w+)(?=')`,
  'g',
)

const RULES: readonly Rule[] = [
  replaced(
    'a lock is not taken',
    /^ *(?:perform from [^;]*?\sfor (?:no key update|update|share)(?: of \w+)?|perform pg_advisory_[^;]*|lock table [^;]*);\n/gm,
    () => '',
  ),
  replaced(
    'a row is read without its lock',
    new RegExp(`(?<!perform from [^;]*)${LOCK}(?=;|\\n *[;)])`, 'g'),
    () => '',
  ),
  replaced(
    'a row is read without its lock',
    /\n *for (?:no key update|update|share)(?: of \w+)?(?=;|\n *\))/g,
    (_text, body, at) => (/perform from [^;]*$/.test(body.slice(0, at)) ? null : ''),
  ),
  replaced(
    'a refusal is left out',
    /^ *if (?:(?!\bthen\b)[^;])* then return [^\n]*; end if;\n/gm,
    () => '',
  ),
  replaced(
    'a refusal is left out',
    /^ *if (?:(?!\bthen\b)[^;])*then\n *(?:return [^;]*|raise [^;]*);\n *end if;\n/gm,
    () => '',
  ),
  replaced(
    'a refusal is left out',
    /^ *elsif [^;]*?then\s+(?:answer := [^;]*|raise [^;]*|return [^;]*);\n/gm,
    () => '',
  ),
  replaced(
    'a case is left out',
    /^ *when (?:(?!\n *when |\n *end|\n *else)[\s\S])*? then '\w+'\n/gm,
    () => '',
  ),
  replaced('a step is left out', /^ *perform (?!pg_|from |staff\.acting)\w+\.[^;]*;\n/gm, () => ''),
  replaced('a role is not asked for', /^ *perform staff\.acting\([^;]*;\n/gm, () => ''),
  conditionLeftOut('and'),
  conditionLeftOut('or'),
  firstConditionLeftOut,
  replaced('a comparison is turned', / (>=|<=|<>|<|>) /g, (text) => TURNED[text.trim()] ?? null),
  replaced('a sign is turned', /(?<=[\w)\]]) ([+-]) (?=[\w(])/g, (text) =>
    text.includes('+') ? ' - ' : ' + ',
  ),
  replaced('an order is turned', /\border by [\w.]+ desc\b/g, (text) => text.replace(' desc', '')),
  replaced('another column is taken', COLUMN_READ, (text) => SWAPPED[text] ?? null),
  replaced(
    'the time is read before the lock',
    /^ *perform [^;]*?(?:for (?:no key )?update|pg_advisory_xact_lock[^;]*);\n\s*\w+ := app\.now\(\);\n/gm,
    (text) => {
      const at = text.lastIndexOf('\n', text.length - 2) + 1
      return text.slice(at) + text.slice(0, at)
    },
  ),
  replaced(
    'the time is read before the lock',
    /^ *\w+ [\w.]+ := \w+\.lock\w*\([^;]*;\n *moment timestamptz := app\.now\(\);\n/gm,
    (text) => {
      const at = text.indexOf('\n') + 1
      return text.slice(at) + text.slice(0, at)
    },
  ),
]

function conditionLeftOut(word: 'and' | 'or'): Rule {
  const begins = new RegExp(String.raw`\s+${word} `, 'g')
  return (body) =>
    [...body.matchAll(begins)].flatMap((match) => {
      if (isBetween(body, match.index) || isQuoted(body, match.index)) return []
      const end = endOfCondition(body, match.index + match[0].length)
      const before = body.slice(match.index, end)
      return [{ rule: 'a condition is left out', at: match.index, before, after: '' }]
    })
}

/** The first of several conditions of a decision; in a `where` the first one is usually a table's key. */
function firstConditionLeftOut(body: string): Change[] {
  return [...body.matchAll(/\b(?:if|elsif|when)\s+/g)].flatMap((match) => {
    const from = match.index + match[0].length
    if (isQuoted(body, from)) return []
    const end = endOfCondition(body, from)
    const next = /^\s+(?:and|or)\s+/.exec(body.slice(end))
    if (!next) return []
    const before = body.slice(from, end + next[0].length)
    return [{ rule: 'a condition is left out', at: from, before, after: '' }]
  })
}

/** Whether an `and` belongs to `between … and …`. */
function isBetween(body: string, at: number): boolean {
  return /\bbetween [\w.]+$/.test(body.slice(0, at))
}

function isQuoted(body: string, at: number): boolean {
  return body.slice(0, at).split("'").length % 2 === 0
}

const AFTER_CONDITION =
  /^\s+(?:and|or|then|order by|group by|limit|for|returning|on conflict|where|left join|join|loop|as|else|end|having|union|set|window|when|from)\b/

/** The end of a condition that begins at a position: the next word or bracket that closes it. */
function endOfCondition(body: string, from: number): number {
  let depth = 0
  for (let at = from; at < body.length; at += 1) {
    const char = body[at]
    if (char === '(' || char === '[') depth += 1
    if (char === ')' || char === ']') depth -= 1
    if (depth < 0 || char === ';') return backOverBlanks(body, at)
    if (depth > 0 || !/\s/.test(char ?? '')) continue
    if (AFTER_CONDITION.test(body.slice(at, at + 40)) && !goesOn(body, at)) return at
  }
  return body.length
}

/** Whether the word at a position belongs to the condition: `is distinct from`, `between … and …`. */
function goesOn(body: string, at: number): boolean {
  return (
    body.slice(0, at).endsWith('is distinct') ||
    body.slice(0, at).endsWith('is not distinct') ||
    isBetween(body, at)
  )
}

function backOverBlanks(body: string, at: number): number {
  return at - (/\s*$/.exec(body.slice(0, at))?.[0].length ?? 0)
}

function replaced(
  rule: string,
  wanted: RegExp,
  into: (text: string, body: string, at: number) => string | null,
): Rule {
  return (body) =>
    [...body.matchAll(wanted)].flatMap((match) => {
      const after = into(match[0], body, match.index)
      return after === null ? [] : [{ rule, at: match.index, before: match[0], after }]
    })
}
