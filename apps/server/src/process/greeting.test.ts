import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { useWorkersApp } from '#testing/product/test-app.ts'
import { greeting, staffNote } from './greeting.ts'

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

  it('names a command of this process: an image has no npm, and one process alone has the demo’s file', () => {
    const here = fileURLToPath(import.meta.url)
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    vi.stubEnv('npm_execpath', '/npm')
    expect(staffNote(here)).toMatch(/ are in .+\n +npm run console:staff -- --code --name owner/)
    vi.stubEnv('npm_execpath', undefined)
    expect(staffNote(here)).toMatch(/\n +node apps\S+console-staff\.ts --code --name owner/)
    const missing = staffNote(`${here}.json`)
    expect(missing).toMatch(
      /of another process, or: node apps\S+console-staff\.ts --name owner --reset/,
    )
    expect(missing).not.toContain('--code')
  })
})
