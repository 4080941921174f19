/** Mail through the queue of the whole product, to a real SMTP server. */
import { register, sendCode } from '@sum28/contract/user-routes.ts'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { USDT_MAINNET_CONTRACT } from '#src/adapters/chain/tron-address.ts'
import {
  AWAITED_MINUTES,
  type NamedMail,
  queueOutbox,
  SEND_MAIL_JOB,
} from '#src/adapters/mail/outbox.ts'
import { sendOnce } from '#src/adapters/mail/send-once.ts'
import { smtpTransport } from '#src/adapters/mail/transport.ts'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { countOwed } from '#src/modules/disclosure/count-owed.ts'
import { auditHeads } from '#src/modules/staff/audit-heads.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { type ArrivedMail, type MailServer, startMailServer } from '#testing/hosts/mail-server.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { timeOf } from '#testing/product/play-round.ts'
import { CIPHER } from '#testing/product/secret-key.ts'
import { keepFromRunning, shareTestApp, TEST_PASSWORD } from '#testing/product/test-app.ts'
import { workerOn } from '#testing/product/worker-on.ts'
import { eventually } from '#testing/requests/patience.ts'
import { REGULAR_JOBS } from './regular-jobs.ts'

const EMAIL = 'minh.anh@example.org'

/** The jobs that send a mail: others come at each full minute. */
const MAILS = `graphile_worker._private_jobs
  where task_id = (select id from graphile_worker._private_tasks where identifier = '${SEND_MAIL_JOB}')`

/** A product, or a worker alone, by its database. */
type Queueing = { readonly database: Pick<TestDatabase, 'owner'> }

/** The mails in the queue: how often each was tried. */
function queued({ database }: Queueing): Promise<{ attempts: number }[]> {
  return database.owner.query(`select attempts from ${MAILS}`)
}

/**
 * Waits until a mail has been tried and put back, which is not tried again by itself.
 * @returns after how many milliseconds it would be tried again; 0 if no mail is left
 */
async function failed({ database: { owner } }: Queueing): Promise<number> {
  const putOff = `with failed as (
      select id, run_at from ${MAILS} and attempts > 0 and locked_at is null
        and run_at between now() and now() + interval '23 hours')
    update graphile_worker._private_jobs job set run_at = now() + interval '1 day'
    from failed where failed.id = job.id
    returning (extract(epoch from failed.run_at - now()) * 1000)::float8 as pause`
  return eventually(async () => {
    const [pause] = await owner.column<number>(putOff)
    return pause ?? (!(await owner.exists(`select from ${MAILS}`)) && 0)
  })
}

/** Makes jobs due that wait for their next try, and tells the worker, which otherwise looks every two seconds. */
async function tryAgainNow({ database }: Queueing): Promise<void> {
  await database.owner.query(
    `update graphile_worker._private_jobs set run_at = now() where locked_at is null;
     select pg_notify('jobs:insert', '{"count":2}')`,
  )
}

/** Waits until so many jobs of a name are in the queue. */
async function jobsLeft({ database }: Queueing, name: string, count: number): Promise<void> {
  const left = 'select from graphile_worker.jobs where task_identifier = $1'
  await eventually(async () => (await database.owner.query(left, [name])).length === count)
}

const nothingLeft = (of: Queueing) => jobsLeft(of, SEND_MAIL_JOB, 0)

/** Waits until the queue is empty. */
async function allDone({ database: { owner } }: Queueing): Promise<void> {
  await eventually(async () => !(await owner.exists('select from graphile_worker.jobs')))
}

async function addJob({ database }: Queueing, name: string): Promise<void> {
  await database.owner.query('select graphile_worker.add_job($1)', [name])
}

/** Work that a job begins, and that goes on until the test releases it. */
function heldWork() {
  const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const work = {
    begun: 0,
    started: started.promise,
    release: released.resolve,
    async run(): Promise<void> {
      work.begun += 1
      started.resolve()
      await released.promise
    },
  }
  return work
}

/** The lines with a code as a number of its own: long numbers and hashes have many groups of six digits. */
function linesWithCode(lines: readonly string[], code: string): string[] {
  return lines.filter((line) => new RegExp(`(?<![\\w.])${code}(?!\\w)`).test(line))
}

/** The code in the only mail of these. */
function codeIn([mail]: readonly ArrivedMail[]): string {
  return /\d{6}/.exec(mail?.subject ?? '')?.[0] ?? ''
}

/** A worker alone, with a mail server in some mood, and a code that waits in its queue. */
async function mailWorker(mood: MailServer['mood']) {
  const server = await startMailServer(mood)
  const database = await createTestDatabase()
  const { log, lines } = captureLog()
  let lateMs = 0
  const queue = () =>
    database.db.transaction((tx) =>
      queueOutbox.send(tx, { to: EMAIL, subject: '271828 is your code', text: 'a code' }),
    )
  async function start(): Promise<() => Promise<void>> {
    // Longer than a test: what ends then was not ended by a wait for the server.
    const timeoutMs = 60_000
    const mail = smtpTransport({ url: server.url, from: 'a@sum28.example', timeoutMs })
    const now = () => Date.now() + lateMs
    const worker = await workerOn(database, { log, mail, cipher: CIPHER, now })
    const stop = () => worker.stop().finally(() => mail.close())
    onTestFinished(stop)
    return stop
  }
  const passes = (ms: number) => {
    lateMs += ms
  }
  return { server, database, lines, queue, start, passes }
}

const mail = await startMailServer('takes', afterAll)
const { log, lines } = captureLog()
const test = shareTestApp({ SMTP_URL: mail.url, MAIL_FROM: 'a@sum28.example' }, { log })

describe('a mailed code', () => {
  /** The mail server in a mood, and what it is offered and takes from now on. */
  function inMood(mood: MailServer['mood']) {
    mail.mood = mood
    const [offered, arrived] = [mail.offered, mail.arrived.length]
    return { offered: () => mail.offered - offered, arrived: () => mail.arrived.slice(arrived) }
  }

  it('to an address without an account is also a job, which sends nothing', async () => {
    const since = inMood('takes')
    const email = 'nobody@example.org'
    await test.call(sendCode, { email, event: 'resetpwd' })
    await nothingLeft(test)
    expect(since.offered()).toBe(0)
    const code = 'select from accounts.email_code where email_key = $1'
    expect(await test.database.owner.query(code, [email])).toHaveLength(1)
  })

  it('is queued with the code or not at all', async () => {
    const since = inMood('takes')
    const { owner } = test.database
    const request = { email: 'in_one@example.org', event: 'register' } as const
    await owner.query('alter function graphile_worker.add_job rename to add_job_elsewhere')
    expect(await test.call(sendCode, request)).toMatchObject({ http: 500 })
    await owner.query('alter function graphile_worker.add_job_elsewhere rename to add_job')
    // No code was made, so it need not wait for the next minute.
    expect(await test.call(sendCode, request)).toMatchObject({ code: 1 })
    await nothingLeft(test)
    expect(since.arrived()).toHaveLength(1)
  })

  it('that the server takes at last arrives once, with a code that is still valid, and the log names nobody', async () => {
    const since = inMood('refuses')
    const from = lines.length
    const email = 'at_last@example.org'
    const began = await timeOf(test)
    await test.call(sendCode, { email, event: 'register' })
    expect(test.app.mails).toBeNull()
    await failed(test)
    await test.database.moveClock(began + (AWAITED_MINUTES - 1) * 60_000)
    mail.mood = 'takes'
    await tryAgainNow(test)
    await nothingLeft(test)
    expect(since.arrived()).toMatchObject([{ from: 'a@sum28.example', to: [email] }])
    expect(since.offered()).toBe(2)
    const code = codeIn(since.arrived())
    const person = { username: 'at_last', email, password: TEST_PASSWORD, adult: true }
    const { userinfo } = (await test.call(register, { ...person, code })).data
    const later = lines.slice(from)
    expect(later.join()).toContain('did not take the mail')
    expect(code).toMatch(/^\d{6}$/)
    expect(linesWithCode(later, code)).toEqual([])
    for (const secret of [email, TEST_PASSWORD, userinfo.token])
      expect(later.filter((line) => line.includes(secret))).toEqual([])
  })

  it.each([
    ['refuses to relay', /did not take the mail \(EENVELOPE 554 RCPT/, []],
    ['refuses', /did not take the mail \(EENVELOPE 450 RCPT/, []],
    ['breaks', /did not take the mail \(ECONNECTION/, [{ need: 'mail_away', count: 1 }]],
  ] as const)(
    'that the server %s is given up after its last try, is not kept, and the log says so',
    async (mood, said, needs) => {
      const test = await mailWorker(mood)
      const { server, lines } = test
      await test.queue()
      await test.start()
      await failed(test)
      test.passes((AWAITED_MINUTES - 1) * 60_000)
      await tryAgainNow(test)
      await nothingLeft(test)
      const reported = lines.filter((line) => said.test(line))
      expect(reported.length).toBeGreaterThanOrEqual(2)
      expect(Math.max(...reported.map((line) => JSON.parse(line).level))).toBeGreaterThan(30)
      expect(lines.filter((line) => line.includes(EMAIL))).toEqual([])
      expect(server.offered).toBe(2)
      // The address is to blame, or the server, until that takes a mail.
      const mailAway = () => readNeeds(test.database.db, ['mail_away'])
      await test.database.shiftClock((AWAITED_MINUTES - 1) * 60_000)
      expect(await mailAway()).toMatchObject(needs)
      server.mood = 'takes'
      await test.queue()
      await nothingLeft(test)
      expect(await mailAway()).toEqual([])
    },
  )

  it('reaches a mail server that takes it after five minutes, and is tried until shortly before its end', async () => {
    const test = await mailWorker('refuses')
    await test.queue()
    await test.start()
    const triedAt = [0]
    for (let pause = await failed(test); pause > 0; pause = await failed(test)) {
      triedAt.push((triedAt.at(-1) ?? 0) + pause)
      test.passes(pause)
      await tryAgainNow(test)
    }
    expect(test.server.offered).toBe(triedAt.length)
    const minutes = triedAt.map((at) => at / 60_000)
    expect(minutes.find((at) => at > 5)).toBeLessThan(AWAITED_MINUTES - 3)
    expect(minutes.at(-1)).toBeGreaterThan(AWAITED_MINUTES - 2.5)
    expect(minutes.at(-1)).toBeLessThan(AWAITED_MINUTES)
  })

  it('whose mailbox does not exist is tried once', async () => {
    const test = await mailWorker('has no such mailbox')
    await test.queue()
    await test.start()
    await nothingLeft(test)
    expect(test.server.offered).toBe(1)
    expect(test.lines.filter((line) => line.includes('a mail was given up'))).toHaveLength(1)
  })

  it('is not lost by a restart, is not sent later than that, and the log says so', async () => {
    const test = await mailWorker('refuses')
    const { server, lines } = test
    await test.queue()
    const stop = await test.start()
    await failed(test)
    await stop()
    expect(await queued(test)).toHaveLength(1)
    await test.queue()
    server.mood = 'takes'
    const stopAgain = await test.start()
    await eventually(() => server.arrived.length > 0)
    await tryAgainNow(test)
    await nothingLeft(test)
    expect(server.arrived).toMatchObject([{ to: [EMAIL] }, { to: [EMAIL] }])
    await stopAgain()

    await test.queue()
    test.passes((AWAITED_MINUTES + 2) * 60_000)
    await test.start()
    await nothingLeft(test)
    expect(server.arrived).toHaveLength(2)
    expect(lines.filter((line) => line.includes('too old to be sent'))).toHaveLength(1)
  })

  it('whose server is silent keeps no other job from its worker and no process from its end, and is left to the next', async () => {
    const test = await mailWorker('hangs')
    for (let mails = 0; mails < 8; mails += 1) await test.queue()
    const stop = await test.start()
    await eventually(() => test.server.offered > 0)
    await addJob(test, 'count-rounds')
    await jobsLeft(test, 'count-rounds', 0)
    await stop()
    const left = `select from ${MAILS} and locked_at is null and attempts < max_attempts`
    expect(await test.database.owner.query(left)).toHaveLength(8)
  })

  it('is known to be sent, in seconds and not in hours, if the connection breaks that was to say so', async () => {
    const test = await mailWorker('takes')
    const { owner } = test.database
    // The statement that marks the job as done waits for a lock while its connection breaks.
    const holding = heldWork()
    await owner.query(`
      create table app.gate (held boolean); insert into app.gate values (true);
      create function app.wait() returns trigger language plpgsql security definer as $$
      begin perform from app.gate for update; return old; end $$;
      create trigger wait before delete on graphile_worker._private_jobs
        for each row execute function app.wait()`)
    const held = owner.transaction(async (tx) => {
      // However long a slow machine takes until somebody waits for it.
      await tx.query('set local idle_in_transaction_session_timeout = 0')
      await tx.query('select from app.gate for update')
      await holding.run()
    })
    await holding.started
    await test.queue()
    await test.start()
    await somebodyWaits(test.database)
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database()`,
    )
    holding.release()
    await held
    await nothingLeft(test)
    expect(test.server.offered).toBe(1)
  })

  it('is recorded as sent when the database is back, and keeps its Message-ID at each try', async () => {
    const database = await createTestDatabase()
    const server = await startMailServer('refuses')
    const smtp = smtpTransport({ url: server.url, from: 'a@sum28.example' })
    onTestFinished(() => smtp.close())
    const ending = new AbortController()
    let away = false
    const mail = {
      ...smtp,
      async send(content: NamedMail) {
        await smtp.send(content)
        // Just after the server accepted it.
        await database.takeAway()
        away = true
      },
    }
    const send = sendOnce({ db: database.db, mail, signal: ending.signal })
    const content = { id: 'one', to: EMAIL, subject: 'a', text: 'b' }
    await expect(send(content)).rejects.toThrow(/did not take/)
    server.mood = 'takes'
    const sending = send(content)
    await eventually(() => away)
    await new Promise((later) => setTimeout(later, 700))
    await database.giveBack()
    await sending
    expect(await database.db.column('select mail_id from app.sent_mail')).toEqual(['one'])
    await send(content)
    // Given up while the database is down: this process still knows, and records it at the next try.
    const other = { ...content, id: 'two' }
    const otherSending = send(other)
    otherSending.catch(() => {})
    await eventually(() => server.arrived.length > 1)
    await new Promise((later) => setTimeout(later, 300))
    ending.abort()
    await expect(otherSending).rejects.toThrow()
    await database.giveBack()
    await send(other)
    const ids = server.arrived.map(({ id }) => id)
    expect(ids).toEqual(['<one@sum28.example>', '<two@sum28.example>'])
    expect(await database.db.query('select from app.sent_mail')).toHaveLength(2)
  })
})

describe('the scheduled jobs', () => {
  it('run, each of them, whatever the hour; and a new demo counts at once what it owes', async () => {
    const { owner } = test.database
    await eventually(() => owner.exists('select from disclosure.owed_count'))
    await owner.query(
      `insert into accounts.player (username, group_id, created_at)
       values ('idle_guest', 2, app.now() - interval '31 days')`,
    )
    await owner.query(
      `insert into rounds.day select 1, app.now()::date - n, 1 from generate_series(0, 30) n
       on conflict do nothing`,
    )
    for (const [name] of REGULAR_JOBS) await addJob(test, name)
    await allDone(test)
    const state = `select state from accounts.player where username = 'idle_guest'`
    expect(await owner.value(state)).toBe('closed')
    expect(auditHeads(test.config.dataDir).all()).not.toEqual([])
  })

  it('that are daily are done at the next start, if nothing ran at their time of the day', async () => {
    const database = await createTestDatabase()
    const daily = REGULAR_JOBS.filter(([, every]) => every === '1 day')
    expect(daily.map(([job]) => job)).toEqual([
      ...['check-books', 'write-audit-head', 'reencrypt-numbers', 'compare-with-chain'],
      ...['count-owed', 'anonymise-closed'],
    ])
    const [counting, comparing] = [heldWork(), heldWork()]
    for (const work of [counting, comparing]) work.release()
    const start = () =>
      workerOn(database, {
        countOwed: () => counting.run().then(() => 1),
        compareWithChain: comparing.run,
      })
    await (await start()).stop()
    await database.owner.query(
      `update app.regular_job set begun_at = begun_at - interval '1 day' where name = any ($1)`,
      [['count-owed', 'compare-with-chain']],
    )
    await start()
    await Promise.all([counting.started, comparing.started])
  })

  it('that check all books have the time which statements over all of history take', async () => {
    const database = await createTestDatabase()
    const { owner } = database
    await workerOn(database, {})
    await owner.transaction(async (tx) => {
      await tx.query('lock table bets.player_day')
      await addJob({ database }, 'check-all-books')
      const waiting = `select from pg_stat_activity where application_name = 'sum28 allBooks'
        and wait_event_type = 'Lock' and datname = current_database()`
      await eventually(() => owner.exists(waiting))
    })
    await allDone({ database })
  })

  it('that count what is owed count it once, although the process ends before a job is noted as done', async () => {
    const database = await createTestDatabase()
    const { db } = database
    const counts: number[] = []
    await workerOn(database, {
      countOwed: async (order) => {
        const chain = { contract: USDT_MAINNET_CONTRACT, node: null as never }
        counts.push(await countOwed(db, chain, order))
        if (counts.length === 1) throw new Error('the process ends')
        return 1
      },
    })
    await addJob({ database }, 'count-owed')
    await eventually(async () => {
      await tryAgainNow({ database })
      return counts.length > 1
    })
    expect(counts).toEqual([1, 1])
  })

  it.each([
    ['of a killed process', `now() - interval '3 minutes'`],
    ['whose lock never gets old', `'infinity'`],
  ])('%s, and all of its queue, are done; one that runs is not begun twice', async (_, at) => {
    const database = await createTestDatabase()
    const { owner } = database
    await owner.transaction((tx) => queueOutbox.send(tx, { to: EMAIL, subject: 'a', text: 'b' }))
    const locked = ['jobs', 'job_queues'].map((each) => `graphile_worker._private_${each}`)
    /** As if the process had taken them, or renewed its locks, at that time. */
    const leave = async (since: string, lockedBy = 'locked_by') => {
      for (const table of locked)
        await owner.query(`update ${table} set locked_at = ${since}, locked_by = ${lockedBy}`)
    }
    await leave(at, `'killed'`)
    const sending = heldWork()
    const mail = { send: sending.run, close() {} }
    await workerOn(database, { renewEveryMs: 20, mail, cipher: CIPHER, now: Date.now })
    await sending.started
    // Not so long that they are freed, which may be just what comes next.
    await leave(`now() - interval '90 s'`)
    const renewed = `select attempts from ${MAILS} and locked_at > now() - interval '1 minute'`
    const job = await eventually(() => owner.first(renewed))
    expect(job).toEqual({ attempts: 1 })
    sending.release()
    await nothingLeft({ database })
  })

  it('that compare with the chain for longer than a day take one worker, and not all', async () => {
    const database = await createTestDatabase()
    const comparing = heldWork()
    await workerOn(database, { compareWithChain: comparing.run })
    const add = () => addJob({ database }, 'compare-with-chain')
    const left = (count: number) => jobsLeft({ database }, 'compare-with-chain', count)
    for (let day = 0; day < 5; day += 1) await add()
    await left(1)
    expect(comparing.begun).toBe(1)
    comparing.release()
    await left(0)
    await add()
    await eventually(() => comparing.begun === 2)
  })

  it('that compare with the chain keep their connection in use, and are done although it broke', async () => {
    const database = await createTestDatabase()
    const comparing = heldWork()
    await workerOn(database, { renewEveryMs: 20, compareWithChain: comparing.run })
    await addJob({ database }, 'compare-with-chain')
    await comparing.started
    const ended = `select pg_terminate_backend(pid, 60000) from pg_stat_activity
      where datname = current_database() and query = 'select' and state = 'idle'
        and pid in (select pid from pg_locks where locktype = 'advisory')`
    await eventually(() => database.owner.exists(ended))
    comparing.release()
    await jobsLeft({ database }, 'compare-with-chain', 0)
    expect(comparing.begun).toBe(1)
  })

  it('that ask the chain of payouts run one at a time, also after a process was killed that did', async () => {
    const database = await createTestDatabase()
    const { db, owner } = database
    const reading = heldWork()
    await workerOn(database, {
      readPayouts: async () => {
        await reading.run()
        if (reading.begun === 2) throw new Error('the node is away')
      },
    })
    // A minute that begins meanwhile would add one more.
    await keepFromRunning(database, 'read-payouts')
    const add = () => addJob({ database }, 'read-payouts')
    const left = (count: number) => jobsLeft({ database }, 'read-payouts', count)
    // What a killed process leaves: its job, and all of a queue's, would wait for minutes.
    await owner.transaction(async (tx) => {
      await tx.query(`select graphile_worker.add_job('read-payouts')`)
      for (const table of ['jobs', 'job_queues'])
        await tx.query(
          `update graphile_worker._private_${table} set locked_at = now(), locked_by = 'killed'`,
        )
    })
    await add()
    await reading.started
    for (let minute = 0; minute < 3; minute += 1) await add()
    // The killed one's, and the one that reads.
    await left(2)
    expect(reading.begun).toBe(1)
    expect(await readNeeds(db, ['jobs_failed'])).toEqual([])
    reading.release()
    await left(1)
    await add()
    await eventually(async () => {
      await tryAgainNow({ database })
      return reading.begun === 3
    })
    await left(1)
    // The last one, and its second try.
    expect(reading.begun).toBe(3)
  })
})
