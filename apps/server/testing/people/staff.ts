/** Signs the demo's staff in, as they would: by password and TOTP code. */
import { createHash, randomBytes } from 'node:crypto'
import type { StaffRole } from '@sum28/contract/route.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { Secret, TOTP } from 'otpauth'
import { keysOf } from '#src/adapters/local-keys.ts'
import { readDemoStaff } from '#src/modules/staff/demo-staff.ts'
import { type Credentials, makeStaff } from '#src/modules/staff/make-staff.ts'
import { TIME_STEP_MS } from '#src/secrets/one-time-codes.ts'
import { type SecretCipher, secretCipher } from '#src/secrets/secret-cipher.ts'
import type { TestDatabase } from '../database/test-database.ts'
import type { TestApp } from '../product/test-app.ts'
import { machineWait } from '../requests/patience.ts'

export type StaffLogin = { name: string; password: string; totpSecret: string }

export type StaffSession = { token: string }

/** One session for each person of each product: a code is valid once, and tests are fast. */
const sessions = new WeakMap<TestApp, Map<string, Promise<StaffSession>>>()

/** A session of one of the demo's people; the same one while it lasts. */
export async function staffSession(
  test: TestApp,
  name: 'owner' | 'finance' | 'cashier' = 'owner',
): Promise<StaffSession> {
  const ofApp = sessions.get(test) ?? new Map<string, Promise<StaffSession>>()
  sessions.set(test, ofApp)
  const before = ofApp.get(name)
  if (before && (await isAlive(test, await before))) return before
  // Of several simultaneous callers the first signs in.
  const meanwhile = ofApp.get(name)
  if (meanwhile && meanwhile !== before) return meanwhile
  const session = signInStaff(test, demoLogin(test, name))
  ofApp.set(name, session)
  return session
}

/** Makes another member of any role and signs him in: two people of one role, for example. */
export async function addStaff(
  test: TestApp,
  role: StaffRole,
): Promise<StaffSession & { login: StaffLogin }> {
  const name = `${role}-${randomBytes(4).toString('hex')}`
  const made = await addMemberOfStaff(test.database, { name, role, cipher: cipherOf(test) })
  return { ...(await signInStaff(test, made)), login: made }
}

const cipherOf = ({ config }: TestApp) => secretCipher(keysOf(config).secretKeys[0])

/** Makes a member of staff in the database; `enrolled` false: one who has not signed in yet. */
export function addMemberOfStaff(
  { db }: Pick<TestDatabase, 'db'>,
  {
    cipher,
    ...member
  }: { name: string; role: StaffRole; enrolled?: boolean; cipher: SecretCipher },
): Promise<Credentials> {
  return db.transaction(async (tx) => {
    const made = await makeStaff({ tx, cipher }, { ...member, by: 'test' })
    if (typeof made === 'string') throw new Error(`no staff was made: ${made}`)
    return made
  })
}

/** Gives a member an address in the database, which is returned. */
export async function giveAddress({ database }: TestApp, { name }: StaffLogin): Promise<string> {
  const email = `${name}@example.org`
  await database.owner.query('update staff.member set email = $1 where name = $2', [email, name])
  return email
}

/** Makes a member of support who has a first password, and has not signed in yet. */
export async function inviteMember(test: TestApp): Promise<{ account: string; password: string }> {
  const { name: account, password } = await addMemberOfStaff(test.database, {
    name: `new-${randomBytes(4).toString('hex')}`,
    role: 'support',
    enrolled: false,
    cipher: cipherOf(test),
  })
  return { account, password }
}

export function demoLogin(test: TestApp, name: string): StaffLogin {
  const file = readDemoStaff(test.config.dataDir)
  const person = file && [file, ...file.others].find((each) => each.name === name)
  if (!person) throw new Error(`demo-staff.json has no ${name}`)
  return { name, password: person.password, totpSecret: person.totp_secret }
}

/** Signs in through the API, with a code that has not been used. */
export async function signInStaff(test: TestApp, login: StaffLogin): Promise<StaffSession> {
  const step = await freshStep(test, login)
  const reply = await test.call(staffLogin, {
    account: login.name,
    password: login.password,
    totp: codeOfTimeStep(login.totpSecret, step),
  })
  if (reply.code !== 1) throw new Error(`${login.name} did not sign in: ${JSON.stringify(reply)}`)
  return { token: reply.data.token }
}

/** Password and a fresh code, as a signed-in member proves once more that it is he. */
export async function proofOf(test: TestApp, login: StaffLogin) {
  const totp = codeOfTimeStep(login.totpSecret, await freshStep(test, login))
  return { password: login.password, totp }
}

export function codeOfTimeStep(totpSecret: string, step: number): string {
  return new TOTP({ secret: Secret.fromBase32(totpSecret) }).generate({
    timestamp: step * TIME_STEP_MS,
  })
}

/** By how much a process's clock may differ from the database's on a busy machine. */
const CLOCKS_DIFFER_MS = 500

/** The present time step, by the product's clock; never so near its edge that a process may be in another one. */
export async function currentStep({ database }: TestApp): Promise<number> {
  const nowAt = () => database.owner.value<number>('select app.now() as now')
  const pastEdge = (((await nowAt()) + CLOCKS_DIFFER_MS) % TIME_STEP_MS) - 2 * CLOCKS_DIFFER_MS
  if (pastEdge < 0) await machineWait(-pastEdge)
  return Math.floor((await nowAt()) / TIME_STEP_MS)
}

/** A code that is valid neither now nor soon. */
export function wrongCode(totpSecret: string, step: number): string {
  const near = [-2, -1, 0, 1, 2, 3].map((offset) => codeOfTimeStep(totpSecret, step + offset))
  let code = 0
  const text = () => String(code).padStart(6, '0')
  while (near.includes(text())) code += 1
  return text()
}

/**
 * The earliest step whose code is still valid; after three in a row the used ones are forgotten, and also where a code
 * happens to equal one that was used just before.
 */
async function freshStep(test: TestApp, { name, totpSecret }: StaffLogin): Promise<number> {
  const current = await currentStep(test)
  const text = 'select totp_time_step from staff.member where name = $1'
  const used = await test.database.owner.value<bigint | null>(text, [name])
  const step = Math.max(Number(used ?? 0n) + 1, current)
  const isCodeOf = (other: number) =>
    codeOfTimeStep(totpSecret, other) === codeOfTimeStep(totpSecret, step)
  if (step <= current + 1 && !isCodeOf(step - 1) && !isCodeOf(step - 2)) return step
  await test.database.owner.query('update staff.member set totp_time_step = 0 where name = $1', [
    name,
  ])
  return current
}

async function isAlive(test: TestApp, { token }: StaffSession): Promise<boolean> {
  const { http } = await test.call(listAuditRows, { limit: 1 }, { token })
  return http !== 401
}

/** Begins a session of a member, by default a new one, and returns its token. */
export async function staffToken(
  { owner }: Pick<TestDatabase, 'owner'>,
  { role = 'owner', name }: { role?: StaffRole; name?: string } = {},
): Promise<string> {
  const token = randomBytes(12).toString('hex')
  const id = await owner.value<number>(
    name === undefined
      ? `insert into staff.member (name, role, password_hash, encrypted_totp_secret, totp_key_id)
           values ('m' || $1, $2, '', '', '') returning id`
      : `select id from staff.member where name = $1 or $2::text is null`,
    [name ?? token, name === undefined ? role : ''],
  )
  await owner.query(
    `insert into staff.session (token_hash, staff_id, address) values ($1, $2, 'test')`,
    [createHash('sha256').update(token).digest(), id],
  )
  return token
}
