import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { ownSession } from '@sum28/contract/staff-own-routes.ts'

import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { demoLogin, signInStaff } from '#testing/people/staff.ts'
import {
  API_ALONE,
  createTestApp,
  PRODUCTION_ENVIRONMENT,
  type TestApp,
} from '#testing/product/test-app.ts'
import { demoStaffFile, readDemoStaff, rewriteDemoStaff } from './demo-staff.ts'

const PEOPLE = ['owner', 'finance', 'cashier', 'support', 'editor', 'auditor']

async function names({ database }: TestApp): Promise<string[]> {
  return database.owner.column<string>('select name from staff.member order by id')
}

describe('the demo’s staff', () => {
  it('are one of each role and a second of finance, whose file nobody else may read and which survives a restart, as their sessions do', async () => {
    const test = await createTestApp(API_ALONE)
    const file = demoStaffFile(test.config.dataDir)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const before = readFileSync(file, 'utf8')
    const { others = [], ...owner } = readDemoStaff(test.config.dataDir) ?? {}
    expect([owner, ...others]).toMatchObject([
      { name: 'owner', role: 'owner' },
      { name: 'finance', role: 'finance' },
      { name: 'cashier', role: 'finance' },
      { name: 'support', role: 'support' },
      { name: 'editor', role: 'editor' },
      { name: 'auditor', role: 'auditor' },
    ])
    const session = await signInStaff(test, demoLogin(test, 'owner'))
    await test.restart()
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(await test.call(ownSession, {}, session)).toMatchObject({ code: 1 })
    const logins = PEOPLE.map((name) => demoLogin(test, name))

    // Nor are they made again when the file is lost.
    rmSync(file)
    await test.restart()
    expect(readDemoStaff(test.config.dataDir)).toBeNull()
    expect(await names(test)).toEqual(PEOPLE)
    for (const login of logins) await signInStaff(test, login)
  })

  it('are nobody in production', async () => {
    const test = await createTestApp({ ...PRODUCTION_ENVIRONMENT, ...API_ALONE })
    // Players' address, as the greeting names it.
    expect(test.app.url).toBe(PRODUCTION_ENVIRONMENT.PUBLIC_URL)
    expect(await names(test)).toEqual([])
    expect(readDemoStaff(test.config.dataDir)).toBeNull()
  })

  it('get new credentials into their file, and strangers get none', () => {
    const dataDir = temporaryFolder()
    const file = demoStaffFile(dataDir)
    const known = { password: 'old', totp_secret: 'old', otpauth: 'old' }
    const others = ['finance', 'support'].map((name) => ({ name, role: name, ...known }))
    const before = { name: 'owner', role: 'owner', ...known, others }
    writeFileSync(file, JSON.stringify(before))
    const credentials = { password: 'p', totpSecret: 'S', otpauth: 'u' }
    const rewrite = (name: string) =>
      rewriteDemoStaff(dataDir, { name, role: 'finance', ...credentials })
    expect(rewrite('ann')).toBe(false)
    expect(readDemoStaff(dataDir)).toEqual(before)
    expect(rewrite('finance')).toBe(true)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const finance = { ...others[0], password: 'p', totp_secret: 'S', otpauth: 'u' }
    expect(readDemoStaff(dataDir)).toEqual({ ...before, others: [finance, others[1]] })
    writeFileSync(file, '{ not whole')
    expect(rewrite('finance')).toBe(false)
    expect(readFileSync(file, 'utf8')).toBe('{ not whole')
  })
})
