/** The public log of the running product, followed from outside as anybody can. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fairnessRound, logGrowth } from '@sum28/contract/fairness-routes.ts'
import { playOrder } from '@sum28/contract/lottery-routes.ts'
import { owed } from '@sum28/contract/own-routes.ts'
import type { RequestOf } from '@sum28/contract/route.ts'
import { orderInfo } from '@sum28/contract/user-routes.ts'
import { fromHex } from '@sum28/fairness/hex.ts'
import { verifyOwedLog } from '@sum28/fairness/logged-owed.ts'
import { verifyLog } from '@sum28/fairness/logged-round.ts'
import { isConsistent } from '@sum28/fairness/merkle-tree.ts'
import { logFollower, Unreachable } from '@sum28/fairness/monitor/follow-log.ts'
import {
  openCheckpoint,
  readCheckpoint,
  readNote,
  readVerifierKey,
} from '@sum28/fairness/signed-note.ts'
import { verifyOwed } from '@sum28/fairness/sum-tree.ts'
import { HAS_PYTHON, runProver } from '@sum28/fairness/testing/python.ts'
import { expect, it } from 'vitest'
import type { Receipt } from '#src/modules/bets/receipt.ts'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { addSeatedPlayer, type SeatedPlayer } from '#testing/people/seated-player.ts'
import {
  FIRST_ROUND,
  moveToDraw,
  moveToSeal,
  openIssueFor,
  playRound,
} from '#testing/product/play-round.ts'
import { shareTestApp } from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'

const GAMES = [1, 2, 3, 4]

const HOUR_MS = 3_600_000

/** An hour ago at least: what the tests play is past by the machine's clock, which verifiers take. */
const LAST_MORNING = Date.now() - HOUR_MS - ((Date.now() - HOUR_MS - FIRST_ROUND) % (24 * HOUR_MS))

const product = shareTestApp({}, { at: LAST_MORNING })

it('a monitor finds that each round of the product holds, and its witness’s signature', async () => {
  const folder = temporaryFolder()
  const { url } = product.app
  const { look } = logFollower({ address: url, folder, witnesses: [] })
  const issue = await playRound(product)
  const games = new Set<number>()
  await eventually(async () => {
    // Until the first checkpoint there is no log.
    const { ended } = await look().catch((error: unknown) => {
      if (error instanceof Unreachable) return { ended: [] }
      throw error
    })
    for (const round of ended) if (round.issue === issue && round.draw) games.add(round.game)
    return games.size === 4
  })

  const { trusted } = await shownKeys(url)
  expect(trusted.witnesses[0]?.name).toBe('own-witness-of-the-house')
  const answer = await fetch(`${url}/tlog/checkpoint`)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(openCheckpoint(await answer.text(), trusted)?.cosigned.size).toBe(1)
  // The proof of the book: the first checkpoint with it that the witness signed.
  const proof = await fetch(`${url}/tlog/witnessed/1/${issue}`)
  expect(proof.headers.get('cache-control')).toBe('public, max-age=86400')
  const closed = openCheckpoint(await proof.text(), trusted)
  expect(closed?.cosigned.size).toBe(1)
  const tile = await fetch(`${url}/tlog/tile/0/000.p/1`)
  expect(tile.headers.get('content-type')).toBe('application/octet-stream')
  expect(tile.headers.get('cache-control')).toBe('public, max-age=86400')
  // Which paths have no file: public-log.test.ts of the module.
  expect((await fetch(`${url}/tlog/tile/0/%2e%2e/000`)).status).toBe(404)
})

it('an outside program proves rounds and bets by the log, the receipts and the witness’s key', async ({
  skip,
}) => {
  const { url } = product.app
  const player = await addSeatedPlayer(product.database)
  const other = await addSeatedPlayer(product.database)
  const issue = await openIssueFor(product, 60)
  const order = { issue, game_id: 1, plan_id: 11, play_type: '[1]', money: '100' }
  const receiptNow = await bet(player, order)
  const otherReceiptsNow = [
    await bet(other, { ...order, plan_id: 12, play_type: '[2,3]', money: '100.5' }),
    await bet(other, { ...order, game_id: 2, plan_id: 21, play_type: '[4,11,413]' }),
  ]
  const early = await receiptNow()
  await moveToSeal(product)
  for (const game_id of GAMES) {
    await eventually(async () => {
      const { data } = await product.call(fairnessRound, { game_id, issue })
      return data.book.witnessed_at
    })
  }
  await moveToDraw(product, issue)
  const receipt = await settled(receiptNow)
  expect(receipt.witnessed).toBe(true)
  expect(receipt.proof.signed).toBe(early.proof.signed)

  const { vkeys, trusted } = await shownKeys(url)
  const steps = verifyLog({ round: receipt.proof, receipt: receipt.proof, trusted })
  expect(steps.filter(({ ok }) => ok !== true)).toEqual([])
  expect(steps).toHaveLength(12)

  const states = [receipt.proof.log, receipt.proof.log?.end].map(stateOf)
  const [from, to] = states.map(({ size }) => size) as [number, number]
  const { data } = await product.call(logGrowth, { sizes: `${from},${to}` })
  expect(data.proofs).toHaveLength(1)
  expect(isGrown(states, data.proofs[0] ?? [])).toBe(true)
  expect(isGrown([stateOf(early.proof.log), states[1] ?? stateOf(null)], [])).toBe(false)
  for (const [sizes, http] of [
    [`${from},999999`, 404],
    [`${to},${from}`, 400],
    [`${from}`, 400],
    [`0,${from}`, 400],
    [`1,${from},x`, 400],
  ] as const) {
    expect((await product.call(logGrowth, { sizes })).http, sizes).toBe(http)
  }

  skip(!HAS_PYTHON)
  const folder = temporaryFolder()
  const receipts = [receipt, ...(await Promise.all(otherReceiptsNow.map(settled)))]
  const files = receipts.map((each, at) => {
    const file = join(folder, `receipt-${at}.json`)
    writeFileSync(file, JSON.stringify(each))
    return file
  })
  const key = ['--witness', vkeys[1] ?? '']
  const text = await eventually(async () => {
    const proved = await runProver([url, ...key, '--day', issue.slice(0, 8), ...files])
    // A job gives the draw its place in the log.
    const waits = proved.text.includes(`, round ${issue}: it has no end yet`)
    return waits ? undefined : proved.text
  })
  // All that is missing to a proof is drand.
  const games = GAMES.map((game) => `game ${game}, round ${issue}`)
  for (const name of [...games, ...files]) {
    expect(text).toContain(`${name}: its beacon is the operator's own
`)
  }
})

/** Places an order. Returns a function that reads its receipt. */
async function bet(player: SeatedPlayer, order: RequestOf<typeof playOrder>) {
  const placed = await product.call(playOrder, order, player)
  if (placed.code !== 1) throw new Error(JSON.stringify(placed))
  const { orderNo } = placed.data
  return async () => (await product.call(orderInfo, { orderNo }, player)).data
}

/** The receipt of a bet that is settled, with its round's end in the log: a job gives the draw its place. */
function settled(receiptNow: () => Promise<Receipt>): Promise<Receipt> {
  return eventually(async () => {
    const found = await receiptNow()
    return found.settled_at !== null && found.proof.log?.end ? found : undefined
  })
}

/** The log and its witness, by the keys that the product shows. */
async function shownKeys(url: string) {
  const vkeys = (await (await fetch(`${url}/tlog/vkeys`)).text()).split('\n')
  const [log, witness] = vkeys.map(readVerifierKey)
  if (!log || !witness) throw new Error('the keys are not shown')
  return { vkeys, trusted: { log, witnesses: [witness] } }
}

/** A state that a file shows of the log. */
function stateOf(shown: { checkpoint: string } | null | undefined) {
  const state = readCheckpoint(readNote(shown?.checkpoint ?? '')?.text ?? '')
  return state ?? { size: 0, root: new Uint8Array(32) }
}

function isGrown(states: ReturnType<typeof stateOf>[], proof: string[]): boolean {
  const [before, after] = states
  if (!before || !after) return false
  return isConsistent({
    oldSize: before.size,
    oldRoot: before.root,
    newSize: after.size,
    newRoot: after.root,
    proof: proof.map((hash) => fromHex(hash, 32)),
  })
}

it('a player finds his balance in a count that the public log has, by both verifiers', async ({
  skip,
}) => {
  const { url } = product.app
  const player = await addSeatedPlayer(product.database)
  await product.database.owner.query("select graphile_worker.add_job('count-owed')")
  // Both verifiers read one reply: a later count waits for its place in the log.
  const reply = await eventually(async () => {
    const found = (await product.call(owed, {}, player)).data
    return found.proof && found.log ? found : undefined
  })
  const { count, proof, log } = reply
  if (!count || !proof) throw new Error('he is not in the count')
  const { vkeys, trusted } = await shownKeys(url)
  const steps = [
    ...verifyOwed(proof, { count, playerId: player.id }),
    ...verifyOwedLog({ count, log, now: Date.now() / 1_000, trusted }),
  ]
  expect(steps.filter(({ ok }) => ok !== true)).toEqual([])
  expect(steps).toHaveLength(11)

  skip(!HAS_PYTHON)
  const folder = temporaryFolder()
  const file = join(folder, 'proof.json')
  writeFileSync(file, JSON.stringify(reply))
  const keys = ['--log', vkeys[0] ?? '', '--witness', vkeys[1] ?? '']
  expect(await runProver([...keys, file], 'owed.py')).toMatchObject({ code: 0 })
})
