/**
 * Small faults for the SQL functions, made by rule: what a tired colleague may write, and what a test
 * must notice.
 */

export type SqlMutant = {
  /** Such as `bets.place`. */
  functionName: string
  /** The line of the file, from 1, on which the fault begins. */
  line: number
  rule: string
  before: string
  after: string
  /** The whole file with the fault in it. */
  text: string
}

type Change = { rule: string; at: number; before: string; after: string }

/** Every fault that the rules know for a file of functions, each of them alone. */
export function mutantsOf(file: string): SqlMutant[] {
  return functionBodies(file).flatMap(({ name, start, body }) =>
    RULES.flatMap((rule) => rule(body)).map((change) => {
      const at = start + change.at
      return {
        functionName: name,
        line: file.slice(0, at).split('\n').length,
        rule: change.rule,
        before: change.before.trim(),
        after: change.after.trim(),
        text: file.slice(0, at) + change.after + file.slice(at + change.before.length),
      }
    }),
  )
}

function functionBodies(file: string): { name: string; start: number; body: string }[] {
  const made =
    /^create or replace function ([\w.]+)\([\s\S]*?(?:as (\$\w*\$)\n|begin atomic\n|return )/gm
  return [...file.matchAll(made)].map((match) => {
    const start = match.index + match[0].length
    const end = file.indexOf(match[2] ?? ';\n', start)
    return { name: match[1] ?? '', start, body: withoutComments(file.slice(start, end)) }
  })
}

/** The same text with blanks for its comments, so that places stay what they are. */
function withoutComments(body: string): string {
  return body.replace(/--[^\n]*/g, (comment) => ' '.repeat(comment.length))
}

type Rule = (body: string) => Change[]

const RULES: readonly Rule[] = [
  replaced('a lock is not taken', /^ *perform [^;]*?for (?:no key )?update;\n/gm, () => ''),
  replaced('a row is read without its lock', / for (?:no key )?update(?=;)/g, () => ''),
  replaced('a refusal is left out', /^ *if [^\n]* then return [^\n]*; end if;\n/gm, () => ''),
  replaced('a case is left out', /^ *when [^\n]* then '\w+'\n/gm, () => ''),
  replaced('a condition is left out', /\n *and [^\n;]*(?=[\n;])/g, (text) =>
    isBalanced(text) ? '' : null,
  ),
  replaced('a comparison is turned', / (>=|<=|<>|<|>) /g, (text) => TURNED[text.trim()] ?? null),
  replaced('a sign is turned', /(?<=\w|\)) ([+-]) (?=[\w(])/g, (text) =>
    text.includes('+') ? ' - ' : ' + ',
  ),
  replaced('another column is taken', /\b(cash|held)(?= [+\-=><]|_after)/g, (text) =>
    text === 'cash' ? 'held' : 'cash',
  ),
  replaced(
    'the time is read before the lock',
    /^ *perform [^;]*?for (?:no key )?update;\n *\w+ := app\.now\(\);\n/gm,
    (text) => {
      const at = text.lastIndexOf('\n', text.length - 2) + 1
      return text.slice(at) + text.slice(0, at)
    },
  ),
]

const TURNED: Record<string, string> = {
  '>=': ' > ',
  '<=': ' < ',
  '<': ' <= ',
  '>': ' >= ',
  '<>': ' = ',
}

function replaced(rule: string, wanted: RegExp, into: (text: string) => string | null): Rule {
  return (body) =>
    [...body.matchAll(wanted)].flatMap((match) => {
      const after = into(match[0])
      return after === null ? [] : [{ rule, at: match.index, before: match[0], after }]
    })
}

function isBalanced(text: string): boolean {
  return text.split('(').length === text.split(')').length
}
