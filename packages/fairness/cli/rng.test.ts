import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sampleRounds } from '../quality/sample-rounds.ts'

const command = fileURLToPath(new URL('./rng.ts', import.meta.url))
const SEED = '5c'.repeat(32)

async function run(...args: string[]) {
  const child = spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  const [code] = await once(child, 'close')
  return { code, bytes: Buffer.concat(chunks), errors }
}

describe('npm run rng', () => {
  it('tests draws, prints its seed, and prints the same table for any number of threads', async () => {
    const args = ['--draws', '20000', '--seed', SEED, '--threads']
    const [one, two] = [await run(...args, '1'), await run(...args, '2')]
    const text = one.bytes.toString()
    expect(one.code).toBe(0)
    expect(text).toContain(`Seed ${SEED}`)
    expect(text).toContain('All 22 tests passed at 0.01 together (Holm).')
    const table = (output: string) => output.split('\n').filter((line) => line.startsWith('|'))
    expect(table(text)).toHaveLength(24)
    expect(table(two.bytes.toString())).toEqual(table(text))
  })

  it('streams the bytes of the draws before any is skipped, 32 a draw', async () => {
    const { code, bytes, errors } = await run('--raw', '--draws', '8', '--seed', SEED)
    expect(code).toBe(0)
    expect(errors).toContain(SEED)
    const inputs = [...sampleRounds({ seed: SEED, stretch: 0, rounds: 2 })].flat()
    const blocks = inputs.map(({ seed, gameId, issue, randomness }) =>
      createHmac('sha256', Buffer.from(seed, 'hex'))
        .update(`sum28/1|${gameId}|${issue}|${randomness}|0`)
        .digest(),
    )
    expect(bytes.equals(Buffer.concat(blocks))).toBe(true)
  })

  it('ends silently when the reader of the bytes closes the pipe', async () => {
    const child = spawn(process.execPath, [command, '--raw', '--threads', '1'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(child.stdout, 'data')
    child.stdout.destroy()
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
  })

  it.each([
    ['--draws', '5'],
    ['--draws', '1e7'],
    ['--seed', 'abc'],
    ['--threads', '0'],
    ['--nonsense'],
  ])('refuses %s %s', async (...args) => {
    const { code, errors } = await run(...args.filter((arg) => arg !== undefined))
    expect(code).toBe(2)
    expect(errors).toContain('npm run rng -- [--draws N]')
  })
})
