import { describe, expect, it } from 'vitest'
import { captureLog } from '#testing/captured-log.ts'
import { requestLog } from './request-log.ts'

describe('the log of a request', () => {
  it('names the request in each line, and hides what the product’s log hides', () => {
    const { log, lines } = captureLog()
    const ofRequest = requestLog(log, { reqId: 'r1' }, {})
    ofRequest.error({ token: 'secret' }, 'a fault of ours')
    ofRequest.child({ part: 'body' }).warn('too long')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ reqId: 'r1', token: '[Redacted]', msg: 'a fault of ours' }),
      expect.objectContaining({ reqId: 'r1', part: 'body', msg: 'too long' }),
    ])
  })

  it('is made when its first line is written', () => {
    const { log } = captureLog()
    let made = 0
    const parent = Object.assign(Object.create(log), {
      child: (...more: Parameters<typeof log.child>) => {
        made += 1
        return log.child(...more)
      },
    })
    const ofRequest = requestLog(parent, { reqId: 'r1' }, {})
    expect(made).toBe(0)
    ofRequest.info('one')
    ofRequest.info('two')
    expect(made).toBe(1)
  })
})
