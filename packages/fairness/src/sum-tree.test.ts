/** A count of what a house owes: what a proof shows, and each way in which one could deceive a player. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runVerifyOwed } from '../cli/verify-owed.ts'
import { loggedCount, logKey, secondWitnessKey, witnessKey } from '../testing/logged.ts'
import { HAS_PYTHON, runPython } from '../testing/python.ts'
import vectors from '../testing/vectors/owed-vectors.json' with { type: 'json' }
import { toHex } from './hex.ts'
import { keyChangeText } from './key-change.ts'
import type { OwedLog } from './logged-owed.ts'
import {
  cosign,
  formatNote,
  formatVerifierKey,
  type SigningKey,
  signingKey,
  signNote,
} from './signed-note.ts'
import {
  joinSums,
  leafNode,
  nodeBytes,
  nodeOfBytes,
  type OwedCount,
  type OwedLeaf,
  type OwedProof,
  owedLeafText,
  readOwedLeaf,
  SUM_MAX,
  sumLevels,
  sumPath,
  verifyOwed,
} from './sum-tree.ts'

const salt = 'ab'.repeat(16)
const [count] = vectors.counts
if (!count) throw new Error('the vectors have no count')
const LEAVES = count.leaves.map((text) => readOwedLeaf(text) as OwedLeaf)
const MINE = 5

/** A house's tree of these leaves, and the proof of a place of it. */
function treeOf(leaves: readonly OwedLeaf[], index = MINE) {
  const levels = sumLevels(leaves.map(leafNode))
  const top = levels.at(-1)?.[0]
  const leaf = leaves[index]
  if (!top || !leaf) throw new Error('a tree without leaves')
  return {
    count: {
      number: leaf.count,
      size: leaves.length,
      root: toHex(top.hash),
      total: String(top.sum),
    },
    proof: { leaf: owedLeafText(leaf), index, path: sumPath(levels, index) },
  }
}

/** The names of the steps that do not hold. */
function failed(
  { count, proof }: { count: OwedCount; proof: OwedProof },
  playerId = LEAVES[MINE]?.playerId ?? 0,
): string[] {
  return verifyOwed(proof, { count, playerId })
    .filter(({ ok }) => !ok)
    .map(({ name }) => name)
}

/** The same of the tree of the vectors, with a proof that says something else. */
function failedWith(change: Partial<OwedProof>): string[] {
  const { count, proof } = treeOf(LEAVES)
  return failed({ count, proof: { ...proof, ...change } })
}

/** The tree of the vectors with one leaf changed. */
function withLeaf(index: number, change: Partial<OwedLeaf>): OwedLeaf[] {
  return LEAVES.map((leaf, at) => (at === index ? { ...leaf, ...change } : leaf))
}

describe('a count of what is owed', () => {
  it('has the roots, totals and paths of the vectors, which the second verifier computed', () => {
    for (const { leaves, root, total, paths, number } of vectors.counts) {
      const read = leaves.map((text) => readOwedLeaf(text) as OwedLeaf)
      expect(read.map(owedLeafText)).toEqual(leaves)
      for (const [index, path] of paths.entries()) {
        const tree = treeOf(read, index)
        expect(tree.count).toEqual({ number, size: leaves.length, root, total })
        expect(tree.proof.path).toEqual(path)
        expect(failed(tree, read[index]?.playerId)).toEqual([])
      }
    }
  })

  it.skipIf(!HAS_PYTHON)('has vectors that the second verifier computes anew', () => {
    expect(runPython(VECTORS, null)).toEqual(vectors)
  })

  it('has a player’s amounts in its total: a left-out player has no proof', () => {
    const left = withLeaf(MINE, { playerId: 0, cash: 0n, held: 0n, atRisk: 0n })
    const without = treeOf(left)
    const all = treeOf(LEAVES)
    expect(BigInt(all.count.total) - BigInt(without.count.total)).toBe(
      leafNode(LEAVES[MINE] as OwedLeaf).sum,
    )
    // His true line does not lead there, and the line that does is not his.
    expect(failed({ ...without, proof: { ...all.proof, path: without.proof.path } })).toEqual([
      'root',
      'total',
    ])
    expect(failed(without)).toEqual(['player'])
  })

  it('shows a doubled player’s line to one player only: the other sees a number that is not his', () => {
    const same = { cash: 5n, held: 0n, atRisk: 0n }
    const house = treeOf(withLeaf(MINE, { ...same, playerId: 17 }))
    expect(failed(house, 17)).toEqual([])
    expect(failed(house, 18)).toEqual(['player'])
  })

  it('shows a changed salt, a changed amount and an exchanged path', () => {
    const mine = LEAVES[MINE] as OwedLeaf
    const changed = (change: Partial<OwedLeaf>) =>
      failedWith({ leaf: owedLeafText({ ...mine, ...change }) })
    expect(changed({ salt: 'cd'.repeat(16) })).toEqual(['root'])
    expect(changed({ cash: mine.cash + 1n, held: mine.held - 1n })).toEqual(['root'])
    expect(changed({ cash: mine.cash + 1n })).toEqual(['root', 'total'])
    expect(failedWith({ path: treeOf(LEAVES, 2).proof.path })).toContain('root')
    expect(failedWith({ index: MINE ^ 1 })).toEqual(['root'])
  })

  it('shows a proof of another day', () => {
    const today = treeOf(LEAVES)
    const tomorrow = treeOf(LEAVES.map((leaf) => ({ ...leaf, count: leaf.count + 1 })))
    expect(failed({ count: tomorrow.count, proof: today.proof })).toEqual(['count', 'root'])
    expect(failed({ count: { ...today.count, number: 9 }, proof: today.proof })).toEqual(['count'])
  })

  it('takes no negative sum', () => {
    const mine = owedLeafText({ ...(LEAVES[MINE] as OwedLeaf), cash: -1n })
    expect(readOwedLeaf(mine)).toBeNull()
    expect(failedWith({ leaf: mine })).toContain('leaf')
    const [first, ...rest] = treeOf(LEAVES).proof.path
    for (const sum of ['-1', '', '01', '1.5', '0x1', '١', String(2n ** 64n - 1n)]) {
      const path = [{ hash: first?.hash ?? '', sum }, ...rest]
      expect(failedWith({ path })).toEqual(['sums', 'root', 'total'])
    }
    expect(() => joinSums(leafNode(LEAVES[0] as OwedLeaf), { sum: -1n, hash: new Uint8Array(32) }))
      // A house’s own program stops too.
      .toThrow(RangeError)
  })

  it('takes no sum that overflows', () => {
    const path = treeOf(LEAVES).proof.path.map((node) => ({ ...node, sum: String(SUM_MAX) }))
    expect(failedWith({ path })).toEqual(['sums', 'root', 'total'])
    const three = { cash: SUM_MAX, held: SUM_MAX, atRisk: SUM_MAX }
    const leaf = owedLeafText({ ...(LEAVES[MINE] as OwedLeaf), ...three })
    expect(failedWith({ leaf })).toEqual(['sums', 'root', 'total'])
    expect(() => treeOf(withLeaf(0, { cash: SUM_MAX }))).toThrow('is not from 0 to')
  })

  it('takes no tree of another size than its path', () => {
    const tree = treeOf(LEAVES)
    const { path } = tree.proof
    for (const size of [0, 4, 7, 9, 16, 2 ** 60, Number.NaN]) {
      expect(failed({ ...tree, count: { ...tree.count, size } })).toContain('sums')
    }
    for (const index of [-1, 8, 1.5, Number.NaN]) {
      expect(failedWith({ index })).toContain('sums')
    }
    expect(failedWith({ path: path.slice(1) })).toContain('sums')
    expect(failedWith({ path: Array(60).fill(path[0]) })).toContain('sums')
  })

  it('stores a node as 40 bytes', () => {
    const node = leafNode({ count: 1, playerId: 2, cash: 2n ** 40n, held: 3n, atRisk: 4n, salt })
    expect(nodeOfBytes(nodeBytes(node))).toEqual(node)
  })
})

describe('npm run verify:owed', () => {
  /** What the first verifier said of the files of these tests. */
  const judged: { content: string; options: string[]; code: number }[] = []

  /** Runs the command on a file. */
  function run(content: string, ...options: string[]): { code: number; text: string } {
    const folder = mkdtempSync(join(tmpdir(), 'sum28-owed-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'proof.json')
    writeFileSync(file, content)
    const lines: string[] = []
    for (const stream of ['log', 'error'] as const) {
      vi.spyOn(console, stream).mockImplementation((text) => void lines.push(String(text)))
    }
    const code = runVerifyOwed([...options, file])
    vi.restoreAllMocks()
    judged.push({ content, options, code })
    return { code, text: lines.join('\n') }
  }

  const HOUR_S = 3_600
  /** When a count was made that is so many seconds old by this machine's clock. */
  const secondsAgo = (age: number) => Math.floor(Date.now() / 1_000) - age
  const tree = treeOf(LEAVES)
  const count = { ...tree.count, counted_at: secondsAgo(HOUR_S) }
  const whole = {
    ...tree,
    count,
    player_id: LEAVES[MINE]?.playerId,
    log: loggedCount(count) as OwedLog | null,
  }
  const { log } = whole
  if (!log) throw new Error('the count is logged')

  function expectResult(
    found: ReturnType<typeof run>,
    { code, text }: ReturnType<typeof run>,
  ): void {
    expect(found).toMatchObject({ code, text: expect.stringContaining(text) })
  }

  it('proves a saved file, and fails one that was changed', () => {
    expectResult(run(JSON.stringify({ data: whole })), { code: 0, text: 'VERIFIED: your balance' })
    const other = { ...whole, player_id: 1 }
    expectResult(run(JSON.stringify(other)), { code: 1, text: 'FAILED: player.' })
  })

  it.each<[string, OwedLog, string]>([
    [
      'another root in the log',
      loggedCount(count, { edit: (text) => text.replace(/root=../, 'root=00') }),
      'log-entry',
    ],
    [
      'another total in the log',
      loggedCount(count, { edit: (text) => text.replace(/total=.*/, 'total=1') }),
      'log-entry',
    ],
    [
      'two totals in the log',
      loggedCount(count, { edit: (text) => `${text}total=${count.total}\n` }),
      'log-entry',
    ],
    [
      'a total that is left out of the log',
      loggedCount(count, { edit: (text) => text.replace(/total=.*\n/, '') }),
      'log-entry',
    ],
    [
      'an entry of another kind',
      loggedCount(count, { edit: (text) => text.replace('liabilities', 'returns') }),
      'log-entry',
    ],
    ['an earlier count’s entry', loggedCount({ ...count, number: 11 }), 'log-entry'],
    [
      'an entry that was changed after it was signed',
      { ...log, entry: { ...log.entry, text: `${log.entry.text}more=1\n` } },
      'log-path',
    ],
    [
      'an entry with half a character',
      { ...log, entry: { ...log.entry, text: `${log.entry.text}more=\ud800\n` } },
      'log-path',
    ],
    ['another place in the log', { ...log, entry: { ...log.entry, index: 1 } }, 'log-path'],
    ['a path that is missing', { ...log, entry: { ...log.entry, path: [] } }, 'log-path'],
    ['a checkpoint that is missing', { ...log, checkpoint: '' }, 'log-path, log-signature'],
    [
      'a checkpoint without the log’s signature',
      { ...log, checkpoint: log.checkpoint.replace(/\u2014 house.*\n/, '') },
      'log-signature',
    ],
    ['keys without the log’s', { ...log, keys: log.keys.slice(1) }, 'log-signature'],
    [
      'a false signature of a witness',
      { ...log, checkpoint: log.checkpoint.replace(/(\u2014 w.*)....==\n/, '$1AAAA==\n') },
      'log-signature',
    ],
  ])('fails %s', (_, shown, steps) => {
    const found = run(JSON.stringify({ ...whole, log: shown }))
    expectResult(found, { code: 1, text: `FAILED: ${steps}.` })
  })

  it('takes no log without a witness for a proof, and no key but those that the reader names', () => {
    const alone = { ...whole, log: loggedCount(count, { witnessedAt: null }) }
    expectResult(run(JSON.stringify(alone)), { code: 4, text: 'NOT PROVED' })
    const file = JSON.stringify(whole)
    const own = ['--log', formatVerifierKey(logKey), '--witness', formatVerifierKey(witnessKey)]
    expectResult(run(file, ...own), { code: 0, text: 'VERIFIED' })
    const seed = new Uint8Array(32).fill(9)
    const otherLog = formatVerifierKey(signingKey(logKey.name, 'log', seed))
    expectResult(run(file, '--log', otherLog), { code: 1, text: 'FAILED: log-signature.' })
    const stranger = formatVerifierKey(signingKey('other.example', 'witness', seed))
    expectResult(run(file, '--witness', stranger), { code: 4, text: 'NOT PROVED' })
    const text = 'is not the key of a witness'
    expectResult(run(file, '--witness', otherLog), { code: 2, text })
  })

  it('follows the log’s key that the reader names to the one that it has signed as the next', () => {
    const key = signingKey(logKey.name, 'log', new Uint8Array(32).fill(9))
    const shown = loggedCount(count, { key })
    const named = ['--log', formatVerifierKey(logKey)]
    const signedBy = (before: SigningKey) => {
      const key_changes = [keyChangeText({ before, after: key, changedAt: 1 })]
      return run(JSON.stringify({ ...whole, log: { ...shown, key_changes } }), ...named)
    }
    expectResult(signedBy(logKey), { code: 0, text: 'VERIFIED' })
    expectResult(signedBy(key), { code: 1, text: 'FAILED: log-signature.' })
    const changed = keyChangeText({ before: logKey, after: key, changedAt: count.counted_at })
    const byEarlier = { ...whole.log, key_changes: [changed] }
    const stolen = run(JSON.stringify({ ...whole, log: byEarlier }), ...named)
    expectResult(stolen, { code: 1, text: 'FAILED: log-signature.' })
  })

  it('needs each witness that the reader names', () => {
    const [one, other] = [witnessKey, secondWitnessKey]
    for (const [by, code] of [
      [[one], 4],
      [[one, other], 0],
    ] as const) {
      const file = { ...whole, log: loggedCount(count, { by: [...by] }) }
      const named = [one, other].flatMap((key) => ['--witness', formatVerifierKey(key)])
      expectResult(run(JSON.stringify(file), ...named), {
        code,
        text: 'no second count of this number, and no later one',
      })
    }
    const twice = ['--witness', formatVerifierKey(one), '--witness', formatVerifierKey(one)]
    expectResult(run(JSON.stringify(whole), ...twice), { code: 0, text: 'VERIFIED' })
  })

  it('says of a count that is too young that it is not in the log yet, and fails an older one', () => {
    const countedNow = (agoS: number) => {
      const dated = { ...count, counted_at: secondsAgo(agoS) }
      return run(JSON.stringify({ ...whole, count: dated, log: null }))
    }
    expectResult(countedNow(60), { code: 3, text: 'NOT IN THE LOG YET' })
    for (const ago of [700, -700]) {
      expectResult(countedNow(ago), { code: 1, text: 'FAILED: logged.' })
    }
  })

  it('takes no count for a proof of today but one of the last 26 hours by this machine’s clock', () => {
    const counted = (age: number) => {
      const dated = { ...count, counted_at: secondsAgo(age) }
      return run(JSON.stringify({ ...whole, count: dated, log: loggedCount(dated) }))
    }
    for (const age of [25.9 * HOUR_S, -500]) {
      expectResult(counted(age), { code: 0, text: 'VERIFIED' })
    }
    for (const age of [26.1 * HOUR_S, 400 * 24 * HOUR_S, -700]) {
      expectResult(counted(age), { code: 1, text: 'FAILED: recent.' })
    }
    expectResult(counted(48 * HOUR_S), { code: 1, text: 'Set this machine’s clock if it is wrong' })
  })

  it('reads half a surrogate as the character that stands for what is none', () => {
    const edit = (text: string) => `${text}more=\ufffd\n`
    const logged = loggedCount(count, { edit })
    const text = logged.checkpoint.replace(/\n\n.*/s, '\n\ufffd\n')
    const signatures = [signNote(text, logKey), cosign(text, witnessKey, secondsAgo(60))]
    const checkpoint = formatNote({ text, signatures })
    const file = JSON.stringify({ ...whole, log: { ...logged, checkpoint } })
    const halved = file.replaceAll('\ufffd', '\\ud800')
    expect(halved).not.toBe(file)
    for (const content of [file, halved]) expectResult(run(content), { code: 0, text: 'VERIFIED' })
  })

  it('reads a file with a mark of its encoding, and a whole number with decimals', () => {
    const file = JSON.stringify(whole)
    const edited = file
      .replace('"index":', '"more":9e999,"index":')
      .replace('"size":8', '"size":8.0')
    for (const content of [`\ufeff${file}`, edited]) {
      expect(content).not.toBe(file)
      expectResult(run(content), { code: 0, text: 'VERIFIED' })
    }
    for (const content of [`\ufeff\ufeff${file}`, file.replace('{', '{"more":NaN,')]) {
      expectResult(run(content), { code: 2, text: 'It is not JSON' })
    }
    const large = file.replace(/"player_id":[0-9]+/, '"player_id":9007199254740993')
    expectResult(run(large), { code: 2, text: 'must be a whole number' })
  })

  it('says of a file that it cannot use what is wrong with it', () => {
    const { proof } = whole
    const { log: _, ...unlogged } = whole
    for (const [content, wrong] of [
      ['{', 'It is not JSON'],
      ['[]', 'The file is not an object'],
      [JSON.stringify({ ...whole, proof: null }), 'The field "proof" is not an object'],
      [JSON.stringify({ ...whole, count: { ...count, total: 5 } }), '"count.total" is 5'],
      [
        JSON.stringify({ ...whole, proof: { ...proof, path: [7] } }),
        '"proof.path" is not an object',
      ],
      [JSON.stringify(unlogged), '"log" is missing'],
      [JSON.stringify({ ...whole, log: { ...log, entry: null } }), '"log.entry" is not an object'],
      [JSON.stringify({ ...whole, proof: { ...proof, path: {} } }), '"proof.path" is no list'],
      [
        JSON.stringify({ ...whole, log: { ...log, entry: { ...log.entry, path: {} } } }),
        '"log.entry.path" is {}',
      ],
    ] as const) {
      expectResult(run(content), { code: 2, text: wrong })
    }
  })

  it.skipIf(!HAS_PYTHON)(
    'has the verdicts of the second verifier on all files of these tests',
    () => {
      expect(judged.length).toBeGreaterThan(20)
      expect(runPython(SECOND, judged)).toEqual(judged.map(({ code }) => code))
    },
  )
})

/** The vectors, by the second verifier's code alone. */
const VECTORS = `
import hashlib, json
from owed import path, tree

def leaf(count, at, people):
    salt = hashlib.sha256(f"salt {count} {at}".encode()).hexdigest()[:32]
    amounts = [at * 1000003, at * at * 7, at * 10000] if at < people else [0, 0, 0]
    return "|".join(map(str, [1, count, 100 + at if at < people else 0, *amounts, salt]))

def vector(count, size, people):
    leaves = [leaf(count, at, people) for at in range(size)]
    levels = tree(leaves)
    (total, root), = levels[-1]
    paths = [path(levels, at) for at in range(size)]
    return {"number": count, "leaves": leaves, "root": root.hex(), "total": str(total), "paths": paths}

print(json.dumps({"counts": [vector(12, 8, 7), vector(1, 1, 1)]}))
`

const SECOND = `
import contextlib, io, json, sys, tempfile
from owed import main

def code_of(content, options):
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
        file.write(content)
        file.flush()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                return main([*options, file.name])
            except SystemExit as end:
                return end.code

print(json.dumps([code_of(each["content"], each["options"]) for each in json.load(sys.stdin)]))
`
