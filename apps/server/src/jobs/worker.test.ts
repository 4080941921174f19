/** Mail on its way through the queue of the whole product, to a real SMTP server. */
import { register, sendCode } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { captureLog } from '#testing/captured-log.ts'
import { startMailServer } from '#testing/mail-server.ts'
import { createTestApp, eventually, TEST_PASSWORD, type TestApp } from '#testing/test-app.ts'

const EMAIL = 'minh.anh@example.org'

/** Jobs in the queue: how often each was tried. */
function queued({ database }: TestApp): Promise<{ attempts: number }[]> {
  return database.owner.query('select attempts from graphile_worker._private_jobs')
}

/** Waits until a mail has been tried and put back. */
function failed(test: TestApp): Promise<true> {
  return eventually(async () =>
    (
      await test.database.owner.query(
        'select from graphile_worker._private_jobs where attempts > 0 and locked_at is null',
      )
    ).length > 0
      ? true
      : undefined,
  )
}

/** Lets what waits for its next try be due now. */
async function tryAgainNow({ database }: TestApp): Promise<void> {
  await database.owner.query(
    'update graphile_worker._private_jobs set run_at = now() where locked_at is null',
  )
}

async function allDelivered(test: TestApp): Promise<void> {
  await eventually(async () => ((await queued(test)).length === 0 ? true : undefined))
}

describe('a mailed code', () => {
  it('arrives once, and is in no line of the log', async () => {
    const server = await startMailServer()
    const { log, lines } = captureLog()
    const test = await createTestApp(
      { SMTP_URL: server.url, MAIL_FROM: 'a@sum28.example' },
      { log },
    )
    expect(test.app.mails).toBeNull()
    await test.post('/api/ems/send', { email: EMAIL, event: 'register', lang: 'ja' })
    await allDelivered(test)
    expect(server.arrived).toMatchObject([{ from: 'a@sum28.example', to: [EMAIL] }])
    const code = /\d{6}/.exec(server.arrived[0]?.subject ?? '')?.[0] ?? ''
    const person = { username: 'minh_anh', email: EMAIL, password: TEST_PASSWORD, adult: true }
    const { userinfo } = (await test.call(register, { ...person, code })).data
    await test.stop()
    expect(lines.length).toBeGreaterThan(10)
    for (const secret of [code, EMAIL, TEST_PASSWORD, userinfo.token]) {
      expect(lines.filter((line) => line.includes(secret))).toEqual([])
    }
    expect(server.offered).toBe(1)
  })

  it.each(['refuses', 'refuses for good', 'breaks', 'hangs'] as const)(
    'arrives later, once, when the server at first %s, and the log names nobody',
    async (mood) => {
      const server = await startMailServer(mood)
      const { log, lines } = captureLog()
      const test = await createTestApp({ SMTP_URL: server.url }, { log })
      expect(await test.call(sendCode, { email: EMAIL, event: 'register' })).toMatchObject({
        code: 1,
      })
      await failed(test)
      server.mood = 'takes'
      await tryAgainNow(test)
      await allDelivered(test)
      expect(server.arrived).toHaveLength(1)
      expect(server.offered).toBe(2)
      const code = /\d{6}/.exec(server.arrived[0]?.subject ?? '')?.[0] ?? 'none'
      expect(lines.filter((line) => line.includes('did not take the mail'))).not.toEqual([])
      for (const secret of [code, EMAIL]) {
        expect(lines.filter((line) => line.includes(secret))).toEqual([])
      }
    },
  )

  it('that no server will ever take is given up after twelve tries, kept, and said to have failed', async () => {
    const server = await startMailServer('refuses for good')
    const { log, lines } = captureLog()
    const test = await createTestApp({ SMTP_URL: server.url }, { log })
    await test.call(sendCode, { email: EMAIL, event: 'register' })
    await failed(test)
    const { owner } = test.database
    await owner.query(
      'update graphile_worker._private_jobs set attempts = max_attempts - 1 where locked_at is null',
    )
    await tryAgainNow(test)
    const [job] = await eventually(async () => {
      const jobs = await owner.query<{ last_error: string; max_attempts: number }>(
        `select last_error, max_attempts from graphile_worker._private_jobs
         where attempts = max_attempts and locked_at is null and last_error is not null`,
      )
      return jobs.length > 0 ? jobs : undefined
    })
    expect(job?.max_attempts).toBe(12)
    expect(job?.last_error).toBe('the mail server did not take the mail (EENVELOPE 550)')
    const said = lines.filter((line) => /did not take the mail \(EENVELOPE 550\)/.test(line))
    expect(said.length).toBeGreaterThanOrEqual(2)
    expect(said.some((line) => (JSON.parse(line) as { level: number }).level >= 40)).toBe(true)
    expect(lines.filter((line) => line.includes(EMAIL))).toEqual([])

    // It is not tried again of itself, not even by another process.
    await tryAgainNow(test)
    await test.restart()
    await test.call(sendCode, { email: 'other@example.org', event: 'register' })
    await eventually(() => (server.offered >= 3 ? true : undefined))
    expect(server.arrived).toEqual([])
    expect(await queued(test)).toContainEqual({ attempts: 12 })
    // Who runs the queue may give it another chance.
    server.mood = 'takes'
    await owner.query('update graphile_worker._private_jobs set attempts = 0, run_at = now()')
    await allDelivered(test)
    expect(server.arrived.map(({ to }) => to[0]).sort()).toEqual([EMAIL, 'other@example.org'])
  })

  it('to an address without an account is a job as well, that sends nothing', async () => {
    const server = await startMailServer()
    const test = await createTestApp({ SMTP_URL: server.url })
    await test.call(sendCode, { email: EMAIL, event: 'resetpwd' })
    await allDelivered(test)
    expect(server.offered).toBe(0)
    expect(await test.database.owner.query('select from accounts.email_code')).toHaveLength(1)
  })

  it('is not lost by a restart between its first try and its last', async () => {
    const server = await startMailServer('refuses')
    const test = await createTestApp({ SMTP_URL: server.url })
    await test.call(sendCode, { email: EMAIL, event: 'register' })
    await failed(test)
    await test.stop()
    expect(await queued(test)).toHaveLength(1)
    server.mood = 'takes'
    await tryAgainNow(test)
    await test.restart()
    await allDelivered(test)
    expect(server.arrived).toMatchObject([{ to: [EMAIL] }])
  })

  it('is queued with the code or not at all', async () => {
    const server = await startMailServer()
    const test = await createTestApp({ SMTP_URL: server.url })
    const { owner } = test.database
    await owner.query('alter function graphile_worker.add_job rename to add_job_elsewhere')
    expect(await test.call(sendCode, { email: EMAIL, event: 'register' })).toMatchObject({
      http: 500,
    })
    await owner.query('alter function graphile_worker.add_job_elsewhere rename to add_job')
    expect(await owner.query('select from accounts.email_code')).toEqual([])
    // No code was made, so no minute has to go by.
    expect(await test.call(sendCode, { email: EMAIL, event: 'register' })).toMatchObject({
      code: 1,
    })
    await allDelivered(test)
    expect(server.arrived).toHaveLength(1)
  })
})

describe('house-keeping', () => {
  it('forgets idempotency keys after seven days, and makes the coming months', async () => {
    const test = await createTestApp()
    const { owner } = test.database
    await owner.query(
      `insert into wallet.idempotency_key (player_id, key, route, input_hash, created_at)
       select 1, 'k' || age, 'playOrder', '', app.now() - make_interval(hours => age)
       from unnest(array[1, 167, 169]) age`,
    )
    await owner.query(`select graphile_worker.add_job('house-keeping')`)
    await allDelivered(test)
    const kept = await owner.query(
      'select key from wallet.idempotency_key order by created_at desc',
    )
    expect(kept).toEqual([{ key: 'k1' }, { key: 'k167' }])
    const months = await owner.query<{ ahead: number }>(
      `select count(*)::integer as ahead from pg_class
       where oid::regclass::text in (select 'ledger.posting_' || to_char(now() + make_interval(months => month), 'YYYY_MM')
         from generate_series(0, 3) month)`,
    )
    expect(months).toEqual([{ ahead: 4 }])
  })
})
