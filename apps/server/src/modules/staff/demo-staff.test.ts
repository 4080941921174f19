import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { describe, expect, it } from 'vitest'
import { codeOfTimeStep, currentStep, demoLogin, signInStaff } from '#testing/people/staff.ts'
import { createTestApp, PRODUCTION_ENVIRONMENT, type TestApp } from '#testing/product/test-app.ts'
import { demoStaffFile, readDemoStaff, rewriteDemoStaff } from './demo-staff.ts'

const PEOPLE = ['owner', 'finance', 'cashier', 'support', 'editor', 'auditor']

async function names({ database }: TestApp): Promise<string[]> {
  const rows = await database.owner.query<{ name: string }>(
    'select name from staff.member order by id',
  )
  return rows.map(({ name }) => name)
}

describe('the demo’s staff', () => {
  it('are one of each role and a second of finance, whose file nobody else may read and which survives a restart', async () => {
    const test = await createTestApp()
    const file = demoStaffFile(test.config.dataDir)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const before = readFileSync(file, 'utf8')
    expect(JSON.parse(before)).toEqual({
      name: 'owner',
      role: 'owner',
      password: expect.stringMatching(/^[\w-]{24}$/),
      totp_secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauth: expect.stringMatching(/^otpauth:\/\/totp\/Sum28:owner\?/),
      others: [
        {
          name: 'finance',
          role: 'finance',
          password: expect.stringMatching(/^[\w-]{24}$/),
          totp_secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
          otpauth: expect.stringMatching(/^otpauth:\/\/totp\/Sum28:finance\?/),
        },
        expect.objectContaining({ name: 'cashier', role: 'finance' }),
        expect.objectContaining({ name: 'support', role: 'support' }),
        expect.objectContaining({ name: 'editor', role: 'editor' }),
        expect.objectContaining({ name: 'auditor', role: 'auditor' }),
      ],
    })
    const { password, totpSecret } = demoLogin(test, 'owner')
    const totp = codeOfTimeStep(totpSecret, await currentStep(test))
    expect(await test.call(staffLogin, { account: 'owner', password, totp })).toMatchObject({
      code: 1,
      data: { name: 'owner', role: 'owner' },
    })
    await test.restart()
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(await names(test)).toEqual(PEOPLE)
    for (const name of PEOPLE) await signInStaff(test, demoLogin(test, name))
  })

  it('are not made again when the file is lost', async () => {
    const test = await createTestApp()
    const login = demoLogin(test, 'owner')
    rmSync(demoStaffFile(test.config.dataDir))
    await test.restart()
    expect(readDemoStaff(test.config.dataDir)).toBeNull()
    expect(await names(test)).toEqual(PEOPLE)
    await signInStaff(test, login)
  })

  it('are nobody in production', async () => {
    const test = await createTestApp(PRODUCTION_ENVIRONMENT)
    expect(await names(test)).toEqual([])
    expect(readDemoStaff(test.config.dataDir)).toBeNull()
  })

  it('get new credentials into their file, and strangers get none', async () => {
    const test = await createTestApp()
    const { dataDir } = test.config
    const file = demoStaffFile(dataDir)
    const before = readDemoStaff(dataDir)
    const fresh = {
      name: 'finance',
      role: 'finance',
      password: 'p',
      totpSecret: 'S',
      otpauth: 'u',
    } as const
    expect(rewriteDemoStaff(dataDir, { ...fresh, name: 'ann' })).toBe(false)
    expect(readDemoStaff(dataDir)).toEqual(before)
    expect(rewriteDemoStaff(dataDir, fresh)).toBe(true)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readDemoStaff(dataDir)).toEqual({
      ...before,
      others: [
        { name: 'finance', role: 'finance', password: 'p', totp_secret: 'S', otpauth: 'u' },
        ...(before?.others.slice(1) ?? []),
      ],
    })
    writeFileSync(file, '{ not whole')
    expect(rewriteDemoStaff(dataDir, fresh)).toBe(false)
    expect(readFileSync(file, 'utf8')).toBe('{ not whole')
  })
})
