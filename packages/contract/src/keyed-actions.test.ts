import { describe, expect, it } from 'vitest'
import { Refusal, Unreachable } from './client.ts'
import { keyedActions } from './keyed-actions.ts'

describe('the key of an action', () => {
  const lost = () => Promise.reject(new Unreachable({ timedOut: true }))
  const refusedBy = (code: number) => () =>
    Promise.reject(new Refusal({ code, msg: 'no', time: '0', data: { reason: 'fault' } }))

  /** Sends an action, and returns the key that it had. */
  async function keyOf(
    actions: ReturnType<typeof keyedActions>,
    input: unknown,
    end: () => Promise<unknown> = async () => 'done',
  ): Promise<string> {
    let used = ''
    const send = (key: string) => {
      used = key
      return end()
    }
    await actions.send(input, send).catch(() => {})
    return used
  }

  it('is the same until an answer comes, for the same input alone', async () => {
    const actions = keyedActions()
    const first = await keyOf(actions, { method: 8, money: '150' }, lost)
    const another = await keyOf(actions, { method: 8, money: '151' }, lost)
    expect(another).not.toBe(first)
    expect(await keyOf(actions, { method: 8, money: '150' }, lost)).toBe(first)
    expect(await keyOf(actions, { method: 8, money: '150' })).toBe(first)
    expect(await keyOf(actions, { method: 8, money: '150' })).not.toBe(first)
  })

  it.each([500, 503])(
    'is the same after a refusal with code %i, which does not say',
    async (code) => {
      const actions = keyedActions()
      const first = await keyOf(actions, 1, refusedBy(code))
      expect(await keyOf(actions, 1)).toBe(first)
    },
  )

  it.each([400, 403, 404, 413, 429, 50012])(
    'is a new one after code %i, unless the action may have been done before',
    async (code) => {
      const actions = keyedActions()
      const first = await keyOf(actions, 1, refusedBy(code))
      const second = await keyOf(actions, 1, lost)
      expect(second).not.toBe(first)
      expect(await keyOf(actions, 1, refusedBy(code))).toBe(second)
      expect(actions.isUnanswered(1)).toBe(true)
      expect(await keyOf(actions, 1, refusedBy(0))).toBe(second)
      expect(actions.isUnanswered(1)).toBe(false)
    },
  )

  it('is a new one after a refusal, and after the action was found done', async () => {
    const actions = keyedActions()
    const first = await keyOf(actions, 1, refusedBy(0))
    const second = await keyOf(actions, 1, lost)
    expect(second).not.toBe(first)
    actions.forget(1)
    expect(await keyOf(actions, 1)).not.toBe(second)
  })
})
