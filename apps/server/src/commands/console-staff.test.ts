import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keysOf } from '#src/adapters/local-keys.ts'
import { lockDataFolder } from '#src/adapters/postgres/data-folder-lock.ts'
import { startEmbeddedPostgres } from '#src/adapters/postgres/embedded-postgres.ts'
import { openDatabase } from '#src/db/database.ts'
import { makeLogins } from '#src/db/logins.ts'
import { logInStaff, staffGuard } from '#src/modules/staff/log-in-staff.ts'
import type { StartError } from '#src/process/start-error.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { makeServerFolder } from '#testing/database/database-server.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { codeOfTimeStep } from '#testing/people/staff.ts'
import { useRealArgon2 } from '#testing/product/cheap-passwords.ts'
import { LOGIN_KEYS, SECRET_KEY, SEED_KEY } from '#testing/product/secret-key.ts'
import { PATIENT_TO_CONNECT } from '#testing/requests/patience.ts'
import { carryOut } from './console-staff.ts'

const COMMAND = fileURLToPath(new URL('./console-staff.ts', import.meta.url))

let folder: string
beforeAll(() => {
  folder = makeServerFolder()
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

type Ran = { code: number; out: string; err: string }

/** Carries the command out in this process, which is quicker. */
function run(args: string, environment: Record<string, string> = {}): Promise<Ran> {
  const settings = { DATA_DIR: join(folder, 'data'), ...environment }
  return carryOut(args.split(' '), () => settings).then(
    (out) => ({ code: 0, out, err: '' }),
    ({ message }: StartError) => ({ code: 1, out: '', err: message }),
  )
}

/** Runs the command as a person would, in its own folder. */
function runAsProcess(args: string, environment: Record<string, string> = {}): Promise<Ran> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: join(folder, 'data'), ...environment }
  const line = [COMMAND, ...args.split(' ')]
  return new Promise((resolve) => {
    execFile(process.execPath, line, { cwd: folder, env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, out, err }),
    )
  })
}

function printed({ out }: Ran, what: string): string {
  return new RegExp(`^ *${what} +(\\S+)$`, 'm').exec(out)?.[1] ?? ''
}

/** What a product running on the folder does, as far as a command is affected. */
async function runningProduct() {
  const dataDir = join(folder, 'data')
  const lock = lockDataFolder({ folder: dataDir })
  const postgres = await startEmbeddedPostgres({ dataDir })
  const { secretKeys, seedKeys } = keysOf({ dataDir, secretKeys: [], seedKeys: [] })
  const [secretKey] = secretKeys
  const { api } = await makeLogins(postgres.ownerUrl, { secretKey, seedKey: seedKeys[0] })
  const db = openDatabase(api, { limits: PATIENT_TO_CONNECT })
  return {
    db,
    secretKey,
    async stop() {
      await db.close()
      await postgres.stop()
      lock.release()
    },
  }
}

// The command hashes in a process of its own.
useRealArgon2()

describe('console:staff', () => {
  let made: Ran

  it('makes no database, and says that there is none', async () => {
    const DATA_DIR = join(folder, 'mistyped')
    const ran = await runAsProcess('--name ann --role finance', { DATA_DIR })
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.err).toContain(`There is no database in ${DATA_DIR}: `)
    const code = await run('--name owner --code', { DATA_DIR })
    expect(code).toMatchObject({ code: 1, out: '' })
    expect(code.err).toContain(
      `There is no file ${DATA_DIR}/demo-staff.json with the demo's people: `,
    )
    expect(existsSync(DATA_DIR)).toBe(false)
  })

  it('makes an account while nothing runs', async () => {
    await (await startEmbeddedPostgres({ dataDir: join(folder, 'data') })).stop()
    made = await runAsProcess('--name ann --role finance --with-secret')
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(printed(made, 'Role')).toBe('finance')
  })

  it('resets that account beside a running product', async () => {
    const product = await runningProduct()
    try {
      const logIn = (from: Ran) =>
        logInStaff(
          {
            db: product.db,
            cipher: secretCipher(product.secretKey),
            guard: staffGuard({ db: product.db, key: Buffer.alloc(32), on: false }),
          },
          {
            account: 'ann',
            password: printed(from, 'Password'),
            totp: codeOfTimeStep(printed(from, 'TOTP secret'), Math.floor(Date.now() / 30_000)),
            address: '192.0.2.1',
          },
        )
      expect(await logIn(made)).toMatchObject({ name: 'ann', role: 'finance' })

      const reset = await run('--name ann --reset --role owner --with-secret')
      expect(reset).toMatchObject({ code: 0, err: '' })
      expect(await logIn(made)).toEqual({ refused: 'account_or_password_wrong' })
      expect(await logIn(reset)).toMatchObject({ name: 'ann', role: 'owner' })

      const other = { SECRET_KEY: 'not the key that the product runs with' }
      const refused = await run('--name ann --reset', other)
      expect(refused).toMatchObject({ code: 1, out: '' })
      expect(refused.err).toContain('SECRET_KEY')
      // The running product's role has kept its password.
      expect(await product.db.query('select 1 as one')).toEqual([{ one: 1 }])
    } finally {
      await product.stop()
    }
  })

  it('works on a database of one’s own, and with the settings of a process with ROLE=api, not of other parts', async () => {
    const { addresses, owner, ownerUrl } = await createTestDatabase()
    await makeLogins(ownerUrl, LOGIN_KEYS)
    const own = { DATABASE_URL: ownerUrl, SECRET_KEY }
    expect(await run('--name ann --role owner', own)).toMatchObject({
      code: 0,
      // The first owner is made without an address.
      out: expect.stringContaining('My account'),
    })
    const rows = await owner.query('select name, role from staff.member')
    expect(rows).toEqual([{ name: 'ann', role: 'owner' }])
    const DATA_DIR = join(folder, 'parts')
    const api = { SECRET_KEY, DATA_DIR, ROLE: 'api', DATABASE_URL: addresses.api }
    expect(await run('--name ann --role finance', api)).toMatchObject({
      code: 1,
      err: expect.stringContaining('already'),
    })
    expect(await run('--name ann --close', api)).toMatchObject({ code: 0 })
    const engine = { ...api, SEED_KEY, ROLE: 'engine', DATABASE_URL: addresses.engine }
    expect(await run('--name bob --role owner', engine)).toMatchObject({
      code: 1,
      err: expect.stringContaining('ROLE=api or ROLE=all'),
    })
  })

  it('says that a database cannot be reached, and not its password', async () => {
    const address = 'postgres://nobody:nothing@127.0.0.1:1/sum28'
    const ran = await run('--name ann --reset', { DATABASE_URL: address })
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.err).toMatch(/127\.0\.0\.1:1\/sum28 cannot be reached/)
    expect(ran.err).not.toContain('nothing')
  })
})
