/** The public log of the running product, followed from outside as anybody can. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { logFollower, Unreachable } from '@sum28/fairness/monitor/follow-log.ts'
import { openCheckpoint, readVerifierKey } from '@sum28/fairness/signed-note.ts'
import { expect, it, onTestFinished } from 'vitest'
import { playRound } from '#testing/product/play-round.ts'
import { createTestApp, eventually } from '#testing/product/test-app.ts'

it('a monitor finds that each round of the product holds, and its witness’s signature', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sum28-followed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const product = await createTestApp()
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
    return games.size === 4 ? true : undefined
  })

  const [log, witness] = (await (await fetch(`${url}/tlog/vkeys`)).text())
    .split('\n')
    .map(readVerifierKey)
  if (!log || !witness) throw new Error('the keys are not shown')
  expect(witness.name).toBe('own-witness-of-the-house')
  const answer = await fetch(`${url}/tlog/checkpoint`)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(openCheckpoint(await answer.text(), { log, witnesses: [witness] })?.cosigned.size).toBe(1)
  // The proof of the book: the first checkpoint with it that the witness signed.
  const proof = await fetch(`${url}/tlog/witnessed/1/${issue}`)
  expect(proof.headers.get('cache-control')).toContain('immutable')
  const closed = openCheckpoint(await proof.text(), { log, witnesses: [witness] })
  expect(closed?.cosigned.size).toBe(1)
  const tile = await fetch(`${url}/tlog/tile/0/000.p/1`)
  expect(tile.headers.get('content-type')).toBe('application/octet-stream')
  expect(tile.headers.get('cache-control')).toContain('immutable')
  for (const path of [
    'tile/0/000.p/0',
    'tile/0/0',
    'tile/0/999',
    'witnessed/1/1',
    'witnessed/1/x',
    'x',
    'tile/0/%2e%2e/000',
  ]) {
    expect((await fetch(`${url}/tlog/${path}`)).status, path).toBe(404)
  }
})
