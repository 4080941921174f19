/** The whole product on the test's own database, called over HTTP like a client. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CODES, type Envelope } from '@sum28/contract/envelope.ts'
import { recharge } from '@sum28/contract/money-routes.ts'
import type { ReplyOf, RequestOf, Route } from '@sum28/contract/route.ts'
import { STAFF_ACTIONS, type StaffAction } from '@sum28/contract/staff-actions.ts'
import { login, register, sendCode, userInfo } from '@sum28/contract/user-routes.ts'
import type { FastifyBaseLogger } from 'fastify'
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { PERIOD_MS } from '#src/adapters/chain/local-tron-chain.ts'
import type { CapturedMail } from '#src/adapters/mail/transport.ts'
import { type App, startApp } from '#src/app.ts'
import { readConfig } from '#src/config.ts'
import { addAccount } from '#src/modules/accounts/account-store.ts'
import { hashPassword } from '#src/modules/accounts/password.ts'
import { hashSecret } from '#src/modules/accounts/session.ts'
import { makeLog } from '#src/process/log.ts'
import type { AppOptions } from '#src/resources.ts'
import { writeSettings } from '#src/settings/stored-settings.ts'
import { giveMoney } from '../database/fixtures.ts'
import { queuedMails } from '../database/stored-rows.ts'
import { cloneDatabase, type TestDatabase, whileTestsRun } from '../database/test-database.ts'
import { addBlocks, holdChain } from '../hosts/served-local-node.ts'
import { ANSWER_WITHIN_MS, eventually, PATIENT_LIMITS } from '../requests/patience.ts'
import { FIRST_ROUND, morningAfter, TRUE_SCHEDULE } from './play-round.ts'
import { SECRET_KEY, SEED_KEY } from './secret-key.ts'

export type Reply<Data> = Envelope<Data> & { http: number; headers: Headers }

/** Fails with what the product says, if a reply is a refusal. */
export function expectSuccess({ code, msg }: Pick<Reply<unknown>, 'code' | 'msg'>): void {
  expect(code, msg).toBe(1)
}

/** The answer to a call in a word: 'done', or the reason of its refusal. */
export async function answerTo(call: Answering): Promise<string> {
  const { code, data } = await call
  return code === CODES.success ? 'done' : ((data as { reason?: string } | null)?.reason ?? '')
}

/** The fields that are wrong in a call whose input is refused. */
export async function faultsOf(call: Answering): Promise<string[]> {
  const { data } = await call
  return Object.keys((data as { fields?: object } | null)?.fields ?? {})
}

type Answering = Promise<Pick<Reply<unknown>, 'code' | 'data'>>

export type TestApp = Awaited<ReturnType<typeof launchTestApp>>

/** Production on one machine, with the demo's test services and what tests need. */
export const PRODUCTION_ENVIRONMENT = {
  PROFILE: 'production',
  ALLOW_IN_PRODUCTION:
    'local-beacon,local-chain,captured-mail,no-witness,plain-http,shared-console,short-seal',
  BEACON: 'local',
  SECRET_KEY,
  SEED_KEY,
  PUBLIC_URL: 'http://127.0.0.1',
  RATE_LIMITS: 'on',
}

/** What a test may change in its product. */
type TestAppOptions = {
  log?: FastifyBaseLogger
  /** The product's time at its start, in milliseconds since 1970; by default {@link FIRST_ROUND}. */
  at?: number
  /** Blocks of the local chain come by `addBlocks` alone, and not by the product's time. */
  chainByHand?: boolean
  tuning?: AppOptions['tuning']
}

/** The product for one test; by default on its true schedule, as the first rounds of a day have opened. */
export async function createTestApp(
  environment: Record<string, string> = {},
  options: TestAppOptions = {},
): Promise<TestApp> {
  const test = await launchTestApp(environment, options)
  onTestFinished(() => test.discard())
  return test
}

/** One product for all tests of a `describe`, which must not disturb each other; there only while they run. */
export function shareTestApp(
  environment: Record<string, string> = {},
  options: TestAppOptions = {},
): TestApp {
  let shared: TestApp | null = null
  beforeAll(async () => {
    shared = await launchTestApp(environment, options)
  })
  afterAll(() => shared?.discard())
  return whileTestsRun(() => shared)
}

/** The products of this worker's files. */
const ofWorker = new Map<string, Promise<TestApp>>()

/**
 * One product for all files of a worker; it runs until the worker ends. Its tests have players and staff of their own,
 * find other tests' rows in every list, and only move the clock forward.
 */
export function useWorkersApp(): TestApp {
  return useOfWorker({})
}

/** The same, of the API alone: nothing else reacts when a test moves the clock. No rounds are opened, no mail is sent. */
export function useWorkersApi(): TestApp {
  return useOfWorker(API_ALONE)
}

export const API_ALONE = { ROLE: 'api', DATABASE_URL: 'postgres://unused', SEED_KEY: '' }

function useOfWorker(environment: Record<string, string>): TestApp {
  let product: TestApp | null = null
  const name = environment.ROLE ?? 'all'
  beforeAll(async () => {
    const started =
      ofWorker.get(name) ??
      launchTestApp(environment, {}, mkdtempSync(join(inject('dataFolder'), 'app-')))
    ofWorker.set(name, started)
    product = { ...(await started), stop: notStopped, restart: notStopped, discard: notStopped }
    // A file's rounds are those of a day, whatever the files before it have done.
    const morning = await morningAfter(product)
    if (morning !== null) await product.database.moveClock(morning)
  })
  return whileTestsRun(() => product)
}

async function notStopped(): Promise<never> {
  throw new Error('this product runs for other files too: a test that stops one makes its own')
}

async function launchTestApp(
  environment: Record<string, string>,
  options: TestAppOptions,
  dataDir = mkdtempSync(join(tmpdir(), 'sum28-app-')),
) {
  const database = await cloneDatabase()
  await database.moveClock(options.at ?? FIRST_ROUND)
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    ...TRUE_SCHEDULE,
    // A test that counts bets needs a product with only its own.
    ROBOTS: 'off',
    ...environment,
  })
  if (options.chainByHand) await holdChain(database)
  const begin = async () => {
    await writeSettings(database.owner, config)
    return startApp({
      config,
      addresses: database.addresses,
      log: options.log ?? makeLog({ level: environment.LOG_LEVEL ?? 'silent', pretty: false }),
      build: 'test',
      tuning: {
        answerWithinMs: ANSWER_WITHIN_MS,
        limits: PATIENT_LIMITS,
        watchPollMs: 1_000,
        seedChainLength: 500,
        clockSyncMs: 5_000,
        // Each new connection plans its statements anew.
        connections: { requests: 4, orders: 2, jobs: 2, queue: 3, engine: 2, settling: 1 },
        mailTimeoutMs: 60_000,
        drain: async () => {},
        ...options.tuning,
      },
    })
  }
  let app = await begin().catch(async (error) => {
    await database.drop()
    throw error
  })
  let running = true

  async function stop(): Promise<void> {
    if (running) await app.stop()
    running = false
  }

  async function send(url: string, init: RequestInit): Promise<Reply<never>> {
    const response = await fetch(app.url + url, init)
    const envelope = (await response.json()) as Envelope<never>
    return { ...envelope, http: response.status, headers: response.headers }
  }

  return {
    get app(): App {
      return app
    },
    config,
    database,
    /**
     * Sends one request and returns the whole envelope, whatever the result.
     *
     * @throws if the reply of a call that was done is not the contract's, or an action of staff left no trace
     */
    async call<R extends Route>(
      route: R,
      request: RequestOf<R>,
      { token, key, headers = {} }: { token?: string; key?: string; headers?: Headed } = {},
    ): Promise<Reply<ReplyOf<R>>> {
      const sent: Headed = { ...headers }
      if (token) sent.Token = token
      if (key) sent['Idempotency-Key'] = key
      let path = route.path
      const init: RequestInit = { method: route.method, headers: sent }
      if (route.method === 'GET') {
        path += `?${new URLSearchParams(request as Record<string, string>)}`
      } else {
        sent['Content-Type'] = 'application/json'
        init.body = JSON.stringify(request)
      }
      const traces = () => database.owner.value<bigint>('select id from staff.audit_head')
      const before = isTraced(route) ? await traces() : null
      const reply = await send(path, init)
      if (reply.code !== CODES.success) return reply
      expectReplyOf(route, reply.data)
      if (before !== null && !reply.headers.has('Idempotency-Replayed'))
        expect(await traces(), `${route.path} left no trace`).toBeGreaterThan(before)
      return reply
    },
    /** The same for a path and a body of any kind. */
    post: (path: string, body: unknown, headers: Headed = {}): Promise<Reply<unknown>> =>
      send(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    /** Any request, for replies without an envelope. */
    fetch: (path: string, init?: RequestInit) =>
      fetch(app.url + path, { redirect: 'manual', ...init }),
    stop,
    /** Adds blocks to the local chain: by default as many as make all solid that was sent. The clock moves with it. */
    async addBlocks(count = SOLID_BLOCKS): Promise<void> {
      await addBlocks(database, count)
      await database.shiftClock(count * PERIOD_MS)
    },
    /** Starts it again on the same database and data folder. */
    async restart(): Promise<void> {
      await stop()
      app = await begin()
      running = true
    },
    /** Stops it and removes all of its data. */
    async discard(): Promise<void> {
      await stop()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

type Headed = Record<string, string>

/** Whether a call that is done adds a row to the log of what staff do. */
export function isTraced({ action }: Pick<Route, 'action'>): boolean {
  if (action === undefined) return false
  return /^(change|reveal)$/.test(STAFF_ACTIONS[action as StaffAction].kind)
}

function expectReplyOf({ path, reply }: Route, data: unknown): void {
  const read = z.safeParse(reply, data)
  if (!read.success) throw new Error(`${path}: ${JSON.stringify(read.error.issues)}`)
}

export const TEST_PASSWORD = 'a long enough passphrase'

export type TestMember = { token: string; id: number; email: string; username: string }

/** A cookie that a reply sets, by default that of a remembered device, as a browser sends it back; '' without one. */
export function cookieOf(
  { headers }: { headers: Headers },
  name: 'remember' | 'device' = 'remember',
): string {
  const set = headers.getSetCookie().find((each) => each.startsWith(`${name}=`))
  return set?.split(';', 1)[0] ?? ''
}

let named = 0

/** A name for a player that no other test of this worker uses. */
export function newName(): string {
  named += 1
  return `player_${named}`
}

/** Of the device on which each member registers: it is known to him, and its sign-in is not told. */
const DEVICE = 'd'.repeat(43)

/** A member who has registered, and signs in on that device. */
export async function registerMember(test: TestApp, username = newName()): Promise<TestMember> {
  const email = `${username}@example.org`.toLowerCase()
  const passwordHash = await hashPassword(TEST_PASSWORD)
  const account = {
    username,
    email,
    passwordHash,
    groupId: 1,
    inviterId: null,
    lang: 'en',
  } as const
  const id = await test.database.db.transaction((tx) => addAccount(tx, account))
  if (typeof id === 'string') throw new Error(`${username} was not added: ${id}`)
  await test.database.db.query(
    'insert into accounts.known_device (player_id, secret_hash) values ($1, $2)',
    [id, hashSecret(DEVICE)],
  )
  const headers = { cookie: `device=${DEVICE}; __Host-device=${DEVICE}` }
  const reply = await test.call(login, { account: username, password: TEST_PASSWORD }, { headers })
  if (reply.code !== 1) throw new Error(`signing in failed: ${JSON.stringify(reply)}`)
  return { token: reply.data.userinfo.token, id, email, username }
}

/** Registers a member by the mailed code, as a person would. */
export async function registerByMail(test: TestApp, username = newName()): Promise<TestMember> {
  const email = `${username}@example.org`.toLowerCase()
  await test.call(sendCode, { email, event: 'register' })
  const code = await mailedCode(test, email)
  const reply = await test.call(register, {
    username,
    email,
    code,
    password: TEST_PASSWORD,
    group_id: 1,
    adult: true,
  })
  if (reply.code !== 1) throw new Error(`registering failed: ${JSON.stringify(reply)}`)
  const { token, id } = reply.data.userinfo
  return { token, id, email, username }
}

/** The captured mail, newest first; that of the API alone is still in the queue. */
export async function mailsOf({ app, config, database }: TestApp): Promise<CapturedMail[]> {
  if (config.role !== 'api') return (await app.mails?.latest()) ?? []
  return (await queuedMails(database)).filter((mail) => mail !== null)
}

/** The mail to an address for which `isIt` holds; waits for it, since mails leave after their cause is committed. */
export function mailTo(
  test: TestApp,
  email: string,
  isIt: (mail: CapturedMail) => boolean,
): Promise<CapturedMail> {
  return eventually(async () =>
    (await mailsOf(test)).find((mail) => mail.to === email && isIt(mail)),
  )
}

/** The codes that were mailed to an address, newest first; notices come in between. */
export async function codesTo(test: TestApp, email: string): Promise<string[]> {
  const mails = (await mailsOf(test)).filter(({ to }) => to === email)
  return mails.flatMap(({ subject }) => /\d{6}/.exec(subject) ?? [])
}

/** The latest one. */
export function mailedCode(test: TestApp, email: string): Promise<string> {
  return eventually(async () => (await codesTo(test, email))[0])
}

/** Gives a member money, as if he had deposited it; only the tests of deposits use the chain. */
export async function deposit(test: TestApp, member: TestMember, u: number): Promise<void> {
  await giveMoney(test.database.owner, { playerId: member.id, u })
}

/** The next block of the local chain, and two more. */
const SOLID_BLOCKS = 3

/** The product's local chain. */
export function chainOf({ app }: TestApp) {
  if (!app.chain) throw new Error('the demo has a chain')
  return app.chain
}

/** Sends test USDT by the chain to an address. */
export async function sendUsdt(test: TestApp, to: string, amountMicro: bigint) {
  const sent = await chainOf(test).transfer({ to, amountMicro })
  if (!sent.ok) throw new Error(sent.message)
  return sent
}

/** Adds the blocks that make solid what was sent, and waits until the watcher has handled this one, by default the last. */
export async function untilWatched(test: TestApp, blockNumber?: number): Promise<void> {
  const awaited = blockNumber ?? (await chainOf(test).height()) + 1
  await test.addBlocks()
  const watched = 'select from deposits.watcher_height where block >= $1'
  await eventually(() => test.database.owner.exists(watched, [awaited]))
}

/** A member's own TRON address; none is given while a test has moved one of the clocks and they were not compared since. */
export function usdtAddressOf(test: TestApp, member: Pick<TestMember, 'token'>): Promise<string> {
  return eventually(async () => (await test.call(recharge, {}, member)).data.usdt)
}

/** Deposits test USDT to a member's own address, adds the blocks that make it solid, and waits for the credit. */
export async function depositByChain(test: TestApp, member: TestMember, u: number): Promise<void> {
  const address = await usdtAddressOf(test, member)
  const before = (await test.call(userInfo, {}, member)).data.money
  await sendUsdt(test, address, BigInt(Math.round(u * 1_000_000)))
  await test.addBlocks()
  await eventually(async () => {
    const { money } = (await test.call(userInfo, {}, member)).data
    return money !== before
  })
}

/** Keeps the queue of a running product from beginning a scheduled job by itself, at whatever hour a test runs. */
export async function keepFromRunning(
  { owner }: Pick<TestDatabase, 'owner'>,
  job: string,
): Promise<void> {
  await owner.query('delete from app.regular_job where name = $1', [job])
}
