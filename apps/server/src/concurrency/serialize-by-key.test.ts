import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { serializeByKey } from './concurrency.ts'

describe('work in turn', () => {
  it('begins when the previous one has ended, even if that failed', async () => {
    const run = serializeByKey<string>()
    const log: string[] = []
    const step = (name: string, fails = false) =>
      run('ann', async () => {
        log.push(`${name} begins`)
        await sleep(1)
        log.push(`${name} ends`)
        if (fails) throw new Error(name)
        return name
      })
    const all = await Promise.allSettled([step('one'), step('two', true), step('three')])
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(log).toEqual(
      ['one', 'two', 'three'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    )
  })

  it('does not wait for other keys', async () => {
    const run = serializeByKey<string>()
    const never = run('ann', () => new Promise(() => {}))
    expect(await run('bob', async () => 'done')).toBe('done')
    void never
  })
})
