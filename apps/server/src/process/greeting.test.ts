import { describe, expect, it } from 'vitest'
import { useWorkersApp } from '#testing/product/test-app.ts'
import { greeting } from './greeting.ts'

const test = useWorkersApp()

const STAND_INS = { capturedMail: true, localChain: true, staff: 'account owner: in staff.json' }

/** Every address that a text names. What the parts of the product name: roles.test.ts. */
const addressesIn = (text: string) => text.match(/http:\S+/g) ?? []

describe('the greeting', () => {
  it('of the demo names existing pages', async () => {
    const { app, fetch } = test
    const text = greeting({ profile: 'demo', url: app.url, ...STAND_INS })
    expect(text).toContain('staff.json')
    const pages = addressesIn(text).filter((page) => !page.endsWith('/console'))
    expect(pages.map((page) => page.slice(app.url.length))).toEqual(['', '/dev/mail', '/dev'])
    for (const page of pages.slice(1)) {
      expect((await fetch(page.slice(app.url.length))).status).toBe(200)
    }
  })

  it('of production names no page of the demo, even with its test services, which it names', async () => {
    const url = 'http://localhost:3000'
    const text = greeting({ profile: 'production', url, ...STAND_INS })
    expect(addressesIn(text)).toEqual([url, `${url}/console`])
    expect(text).not.toMatch(/\/dev|staff/i)
    expect(text).toContain('Mail       goes nowhere')
    const real = { ...STAND_INS, capturedMail: false, localChain: false }
    expect(greeting({ profile: 'production', url, ...real })).not.toMatch(/Mail|Deposits/)
  })
})
