import { expect, test } from 'vitest'
import { startInOrder } from './lifetime.ts'

test('parts end in the reverse order, each once, even if the end of one fails', async () => {
  const ended: string[] = []
  const { result, stop } = await startInOrder(async (ending) => {
    ending.defer(() => void ended.push('database'))
    ending.defer(() => {
      ended.push('mail')
      throw new Error('the mail server is gone')
    })
    ending.defer(() => void ended.push('server'))
    return 'started'
  })
  expect(result).toBe('started')
  await expect(Promise.all([stop(), stop()])).rejects.toThrow('the mail server is gone')
  expect(ended).toEqual(['server', 'mail', 'database'])
})

test('a start that fails ends what had been started, and throws why it failed', async () => {
  const ended: string[] = []
  const starting = startInOrder(async (ending) => {
    ending.defer(() => {
      ended.push('database')
      throw new Error('another error, at the end')
    })
    throw new Error('the port is in use')
  })
  await expect(starting).rejects.toThrow('the port is in use')
  expect(ended).toEqual(['database'])
})
