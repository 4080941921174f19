/**
 * Reads the tests of a file and what each asserts, for the pages that name the test behind each
 * row: its titles, and its own statements that contain an expectation.
 */
import { readFileSync } from 'node:fs'
import { parseSync } from '@swc/core'

/** A test: titles from the outermost block to its own, and the source of its assertions. */
export type FoundTest = { readonly titles: readonly string[]; readonly asserts: readonly string[] }

type Node = {
  readonly type: string
  readonly span?: { readonly start: number; readonly end: number }
  readonly [field: string]: unknown
}

/** `expect`, and helpers whose name begins with it. */
const EXPECTS = /^expect/

/**
 * All tests of a file. Titles of parametrised tests are the templates. The cases of `it.each`, and
 * of a loop around tests, count as assertions, because the test's expectations use them.
 */
export function testsIn(file: string): FoundTest[] {
  // The added empty statement gives the program a known first position, from which spans are counted.
  const source = `;${readFileSync(file, 'utf8')}`
  const bytes = Buffer.from(source)
  const program = parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x') })
  const tables = new Map<unknown, Node>()
  const found: FoundTest[] = []
  for (const node of walk(program as unknown as Node)) {
    if (node.type === 'VariableDeclarator') tables.set((node.id as Node).value, node.init as Node)
  }
  visit(program as unknown as Node, [], [])
  return found

  function text({ span }: Node): string {
    return span
      ? bytes.subarray(span.start - program.span.start, span.end - program.span.start).toString()
      : ''
  }

  function visit(node: Node, titles: readonly string[], cases: readonly string[]): void {
    const block = blockOf(node)
    const inner = [...cases, ...casesOf(node)]
    if (!block) {
      for (const child of childrenOf(node)) visit(child, titles, inner)
      return
    }
    const named = [...titles, block.title]
    if (block.isTest) found.push({ titles: named, asserts: [...inner, ...assertsIn(block.work)] })
    for (const child of childrenOf(block.work)) visit(child, named, inner)
  }

  /** A call with a title and a function: `it(…)`, `test.describe(…)`, `it.each(…)(…)`. */
  function blockOf(node: Node): { title: string; work: Node; isTest: boolean } | null {
    if (node.type !== 'CallExpression') return null
    const callee = text(node.callee as Node)
    if (!/^(describe|it|test)\b/.test(callee)) return null
    const given = (node.arguments as { expression: Node }[]).map(({ expression }) => expression)
    const title = given[0] && titleOf(given[0])
    const work = given.slice(1).find(({ type }) => /Function/.test(type))
    const isTest = !/^(test\.)?describe\b/.test(callee)
    return title && work ? { title, work, isTest } : null
  }

  function titleOf(node: Node): string | null {
    if (node.type === 'StringLiteral') return node.value as string
    return node.type === 'TemplateLiteral' ? text(node).slice(1, -1) : null
  }

  /** The list that a loop or a parametrised test runs over. */
  function casesOf(node: Node): string[] {
    if (node.type === 'ForOfStatement') return [tableText(node.right as Node)]
    if (node.type !== 'CallExpression') return []
    const each = node.callee as Node
    if (each.type !== 'CallExpression') return []
    return (each.arguments as { expression: Node }[]).map(({ expression }) => tableText(expression))
  }

  function tableText(node: Node): string {
    return text((node.type === 'Identifier' && tables.get(node.value)) || node)
  }

  /** The smallest statements that contain an expectation, and the lists of the loops around them. */
  function assertsIn(node: Node): string[] {
    const inner = childrenOf(node).flatMap(assertsIn)
    if (inner.length > 0) return [...casesOf(node), ...inner]
    const isWhole = /Statement$|Declaration$|Function/.test(node.type)
    return isWhole && node.type !== 'BlockStatement' && expects(node) ? [text(node)] : []
  }
}

function expects(node: Node): boolean {
  for (const each of walk(node)) {
    if (each.type === 'Identifier' && EXPECTS.test(String(each.value))) return true
  }
  return false
}

function* walk(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* walk(child)
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((each): each is Node => typeof each === 'object' && each !== null)
}
