/**
 * Goal: an outage of mail, chain or beacon is in the metrics, in /readyz and on the start page; and players
 * read on. Method: each outage is a server of the test that stops to answer. Its age is set back.
 */
import { sendCode } from '@sum28/contract/user-routes.ts'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { tronNode } from '#src/adapters/chain/tron-node.ts'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import {
  cloneDatabase,
  createTestDatabase,
  type TestDatabase,
} from '#testing/database/test-database.ts'
import { clearFailures, failNext } from '#testing/hosts/local-node-failures.ts'
import { startMailServer } from '#testing/hosts/mail-server.ts'
import { publishedRoot, serveLocalNode } from '#testing/hosts/served-local-node.ts'
import { captureLog, metricIn } from '#testing/product/captured-log.ts'
import { startWatcher } from '#testing/product/started-watcher.ts'
import { shareTestApp } from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'

const MAIL = await startMailServer('breaks', afterAll)
const database = await cloneDatabase()
afterAll(() => database.drop())
const NODE = await serveLocalNode({ database }, afterAll)

const { log, lines } = captureLog('warn')
const TRON_XPUB = publishedRoot().derive("m/44'/195'/0'").publicExtendedKey
const test = shareTestApp({ SMTP_URL: MAIL.url, TRON_API_URL: NODE.url, TRON_XPUB }, { log })

/** One value of /metrics; undefined if it is not shown. */
async function metric(name: string): Promise<number | undefined> {
  return metricIn(await (await test.fetch('/metrics')).text(), name)
}

const needsOf = async ({ db }: TestDatabase) => (await readNeeds(db)).map(({ need }) => need)

const readiness = async () => (await test.fetch('/readyz')).json() as Promise<object>

/** As if the mails that wait had waited for so long. */
function ageMails({ owner }: TestDatabase, seconds: number) {
  return owner.query(
    `update graphile_worker._private_jobs set created_at = now() - make_interval(secs => $1)
     where task_id = (select id from graphile_worker._private_tasks where identifier = 'send-mail')`,
    [seconds],
  )
}

it('the metrics say how many machines follow the database, and whether commits wait for one', async () => {
  expect(await metric('sum28_replicas')).toBe(0)
  expect(await metric('sum28_commits_synchronous')).toBe(0)
})

describe('a mail server that is away', () => {
  it('is known after two minutes, and forgotten when it takes mail again', async () => {
    await test.call(sendCode, { email: 'ann@example.org', event: 'register' })
    await eventually(() => MAIL.offered > 0)
    expect(await readiness()).toMatchObject({ ready: true, mail: true })
    expect(await metric('sum28_needs{need="mail_away"}')).toBe(0)

    await ageMails(test.database, 121)
    expect(await readiness()).toMatchObject({ ready: true, mail: false })
    expect(await metric('sum28_needs{need="mail_away"}')).toBe(1)
    expect(await metric('sum28_need_age_seconds{need="mail_away"}')).toBeGreaterThan(120)
    expect(await needsOf(test.database)).toEqual(['mail_away'])

    MAIL.mood = 'takes'
    await test.database.owner.query(
      `update graphile_worker._private_jobs set run_at = now() where attempts > 0;
       select pg_notify('jobs:insert', '{"count":1}')`,
    )
    await eventually(async () => (await needsOf(test.database)).length === 0)
    expect(MAIL.arrived).toHaveLength(1)
    expect(await readiness()).toMatchObject({ ready: true, mail: true })
  })

  /** Mails that wait for ten minutes since they were refused so, and those that were given up. */
  const refused = async (
    { owner }: TestDatabase,
    mails: number,
    why: string,
    { attempts = 1, priority = 0 }: { attempts?: number; priority?: number } = {},
  ) => {
    await owner.query(
      `select graphile_worker.add_job('send-mail', max_attempts := 8, priority := $2)
       from generate_series(1, $1)`,
      [mails, priority],
    )
    await owner.query(
      `update graphile_worker._private_jobs set created_at = now() - interval '10 minutes',
         attempts = $2, last_error = 'the mail server did not take the mail (EENVELOPE ' || $1 || ')'
       where last_error is null`,
      [why, attempts],
    )
  }

  it('is one that refuses the sender, or ten proved addresses and no other, and none that took a mail since', async () => {
    const database = await createTestDatabase()
    const { db, owner } = database
    // Codes, which anybody asks for to any address. A relay may not know its domain for now.
    await refused(database, 10, '550 RCPT TO', { priority: -10 })
    await refused(database, 4, '450 RCPT TO', { priority: -10 })
    await refused(database, 5, '550 RCPT TO')
    expect(await readNeeds(db)).toEqual([])
    // Refused for now, the server is full, or does not know us.
    for (const why of ['550 RCPT TO', '550 MAIL FROM', '450 RCPT TO']) {
      await refused(database, 1, why)
      expect(await readNeeds(db), why).toMatchObject([{ need: 'mail_away', count: 1 }])
      await owner.query(`insert into app.sent_mail (mail_id) values ('a')`)
      expect(await readNeeds(db), why).toEqual([])
      await owner.query('delete from app.sent_mail; delete from graphile_worker._private_jobs')
    }
  })

  it('is one that takes a mail now and then, while ten others wait or were given up', async () => {
    const database = await createTestDatabase()
    const { db, owner } = database
    await owner.query(`insert into app.sent_mail (mail_id) values ('a')`)
    await refused(database, 20, '550 RCPT TO')
    await owner.query(
      `insert into app.sent_mail (mail_id, sent_at, given_up)
       select 'g' || age, app.now() - make_interval(mins => age), true
       from unnest(array[30, 40, 61, 62]) age`,
    )
    await refused(database, 7, 'ECONNECTION')
    // Those that are refused for their address do not count, nor what is more than an hour ago.
    expect(await readNeeds(db)).toEqual([])
    await owner.query(
      `insert into app.sent_mail (mail_id, sent_at, given_up) values ('g', app.now() - interval '11 minutes', true)`,
    )
    expect(await readNeeds(db)).toMatchObject([{ need: 'mail_away', count: 1 }])
    await owner.query(`delete from app.sent_mail where mail_id = 'g'`)
    await refused(database, 1, '450 RCPT TO')
    expect(await readNeeds(db)).toMatchObject([{ need: 'mail_away', count: 1 }])
  })

  it('leaves a job that has failed, since what it says is lost; a refused address leaves none', async () => {
    const database = await createTestDatabase()
    const { db, owner } = database
    const failed = (job: string) =>
      owner.query(`select graphile_worker.add_job('${job}', max_attempts := 8);
        update graphile_worker._private_jobs set attempts = 8`)
    const lockedAt = (at: string) =>
      owner.query(`update graphile_worker._private_jobs set locked_at = ${at}`)
    await refused(database, 1, '550 RCPT TO', { attempts: 8 })
    await failed('send-push')
    expect(await readNeeds(db)).toEqual([])
    await failed('check-books')
    expect(await readNeeds(db)).toMatchObject([{ need: 'jobs_failed', count: 1 }])
    // Its last try is under way.
    await lockedAt('now()')
    expect(await readNeeds(db)).toEqual([])
    await lockedAt(`now() - interval '5 hours'`)
    expect(await readNeeds(db)).toMatchObject([{ need: 'jobs_failed' }])
    await owner.query('delete from graphile_worker._private_jobs')
    await refused(database, 1, 'ECONNECTION', { attempts: 8 })
    expect(await readNeeds(db)).toMatchObject([{ need: 'jobs_failed', count: 1 }])
  })
})

describe('a node of the chain that is away', () => {
  it('is in the log at once, and known after ten minutes', async () => {
    const { owner } = test.database
    const isRead = () => owner.exists('select from deposits.watcher_height where block is not null')
    await eventually(() => isRead())
    expect(lines.filter((line) => line.includes('chain: '))).toEqual([])
    failNext(NODE.local, { kind: 'http403', times: Number.POSITIVE_INFINITY })
    onTestFinished(() => clearFailures(NODE.local))
    await eventually(() => lines.find((line) => line.includes('chain: ')))
    expect(await readiness()).toMatchObject({ ready: true, chain: true })
    await owner.query(
      `update deposits.watcher_height set moved_at = app.now() - interval '601 seconds'`,
    )
    expect(await readiness()).toMatchObject({ ready: true, chain: false })
    expect(await metric('sum28_needs{need="chain_behind"}')).toBe(1)
    expect(await metric('sum28_need_age_seconds{need="chain_behind"}')).toBeGreaterThan(600)
    expect(await needsOf(test.database)).toEqual(['chain_behind'])
    await owner.query('update deposits.watcher_height set moved_at = app.now()')
  })

  it('or so slow that blocks of ten minutes are left is known as behind since the first of them', async () => {
    const { db, owner } = await createTestDatabase()
    const behind = async (blocks: number) => {
      await owner.query('delete from deposits.watcher_height')
      await owner.query(
        `insert into deposits.watcher_height (chain, block, solid_block) values ('tron', 5000, 5000 + $1::integer)`,
        [blocks],
      )
      return readNeeds(db, ['chain_behind'])
    }
    expect(await behind(200)).toEqual([])
    const [need] = await behind(1_300)
    expect(need).toMatchObject({ count: 1, hour: 1, day: 0 })
  })

  it('at the very first start is in the log at once, and known after ten minutes', async () => {
    const database = await createTestDatabase()
    const captured = captureLog('warn')
    const node = tronNode({ url: 'http://127.0.0.1:1' })
    startWatcher({ db: database.db, node, log: captured.log })
    await eventually(() => captured.lines.find((line) => line.includes('chain: ')))
    expect(await needsOf(database)).toEqual([])
    await database.shiftClock(601_000)
    expect(await needsOf(database)).toEqual(['chain_behind'])
  })
})

describe('a product', () => {
  it('shows no figures while the database is silent, instead of zeros', async () => {
    expect(await metric('sum28_job_age_seconds')).toBeGreaterThanOrEqual(0)
    expect(await metric('sum28_needs{need="stops"}')).toBe(0)
    await test.database.takeAway()
    for (const name of ['job_age_seconds', 'round_overdue_seconds', 'needs{need="stops"}'])
      expect(await metric(`sum28_${name}`), name).toBeUndefined()
    expect(await metric('sum28_ready{part="database"}')).toBe(0)
    await test.database.giveBack()
  })

  it('whose beacon is away stops betting, and takes neither reading nor the balancer’s answer from players', async () => {
    await eventually(async () => (await test.fetch('/readyz')).ok)
    // The stop stays, although this product's own beacon answers.
    await test.database.owner.query(
      `update games.house set clocks_apart_since = app.now();
       create function games.stay() returns trigger language plpgsql as 'begin return null; end';
       create trigger stay before update on games.house for each row execute function games.stay()`,
    )
    const response = await test.fetch('/readyz')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ ready: true, beacon_clock: false })
    expect(await metric('sum28_needs{need="clocks_apart"}')).toBe(1)
    expect(await needsOf(test.database)).toEqual(['clocks_apart'])
  })
})
