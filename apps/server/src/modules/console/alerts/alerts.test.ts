/** Alerts to members of staff: each cause once, by a real SMTP server and a real receiver of webhooks. */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as wire from '@sum28/contract/staff-start-routes.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sendOnce } from '#src/adapters/mail/send-once.ts'
import { smtpTransport } from '#src/adapters/mail/transport.ts'
import { sendWebhook, webhookFault } from '#src/adapters/send-webhook.ts'
import { callFunction } from '#src/db/database.ts'
import { prune } from '#src/jobs/prune.ts'
import { exclude } from '#src/modules/protection/protection-store.ts'
import { writeWithdrawalTerms } from '#src/modules/withdrawals/withdrawal-terms.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { addPlayer, takeDeposit } from '#testing/database/fixtures.ts'
import { startMailServer } from '#testing/hosts/mail-server.ts'
import { addPayMethod, DESK_AT, openCashDesk, payByHand } from '#testing/people/cash-desk.ts'
import { confirmRefund, propose, proposeRefund } from '#testing/people/proposals.ts'
import { addStaff, staffSession, staffToken } from '#testing/people/staff.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { answerTo, expectSuccess, faultsOf, useWorkersApi } from '#testing/product/test-app.ts'
import { findAlerts } from './find-alerts.ts'
import { sendAlerts, webhookSecret } from './send-alerts.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const TRANSACTION = 'ab'.repeat(32)
const cipher = secretCipher('the key of these alerts, 32 characters')

/** What no job of this test is missed by. */
const OF_PEOPLE: wire.AlertKind[] = [
  ...(['withdrawal_late', 'withdrawal_large'] as const),
  ...(['second_person', 'betting_stopped'] as const),
]

/** A cash desk whose first person, Ann, has an address; and its mail server. */
async function house() {
  const desk = await openCashDesk()
  const { database, owner } = desk
  /** A member names his address, and which alerts he wants. */
  const join = (id: number, email: string, kinds = OF_PEOPLE) =>
    owner.query(
      'update staff.member set enrolled_at = app.now(), email = $2, alerts = $3 where id = $1',
      [id, email, kinds],
    )
  await join(1, 'ann@example.org')
  const mail = await startMailServer()
  const transport = smtpTransport({ url: mail.url, from: 'a@sum28.example', timeoutMs: 60_000 })
  onTestFinished(() => transport.close())
  const { log } = captureLog()
  let now = DESK_AT
  const db = database.jobs
  const { signal } = new AbortController()
  const send = sendOnce({ db, mail: transport, signal })
  const run = async () => {
    await findAlerts(db)
    const deps = { db, send, cipher, log, now: () => now, privateToo: true }
    await sendAlerts({ ...deps, consoleAt: 'https://console.example/console' }, signal)
  }
  return {
    ...desk,
    mail,
    join,
    run,
    /** Moves the clock forward, and does what each minute does. */
    async after(ms: number) {
      now += ms
      await database.freezeClock(now)
      await run()
    },
    stop: (scope: string, subject: number) =>
      owner.query(
        `insert into games.stop (scope, subject_id, reason, stopped_by, stopped_at)
         values ($1, $2, 'fault', 1, app.now())`,
        [scope, subject],
      ),
    /** Since when the clocks disagree: a fault of the start page. */
    apart: (since: 'app.now()' | 'null') =>
      owner.query(`update games.house set clocks_apart_since = ${since}`),
    async addHook(url: string, kinds: readonly wire.AlertKind[] = OF_PEOPLE) {
      const salt = Buffer.alloc(16, 7)
      const { keyId } = cipher
      await database.db.query('select staff.add_webhook($1, $2, $3, $4, $5)', [
        ...[url, kinds, salt, keyId, desk.ann],
      ])
      return webhookSecret(cipher, { salt, keyId })
    },
  }
}

type House = Awaited<ReturnType<typeof house>>

/** A refund is paid by a transaction; Ann wants to know of the chain, and the books are right. */
async function paidBack({ db, owner, player: playerId, ann, bob, join }: House) {
  await join(1, 'ann@example.org', ['check_failed'])
  await owner.query(`update app.books_checked set through = app.now() + interval '9 days'`)
  await exclude(db, { playerId, kind: 'time_out', lasting: '24 hours' })
  await takeDeposit(owner, { playerId, micro: 7_000_000n, reference: 'test:1', from: 'TFrom' })
  expect(await proposeRefund(db, { id: 1, session: ann })).toBe('proposed')
  const paid = { id: 1, session: bob, payment: TRANSACTION }
  expect(await confirmRefund(db, paid)).toBe('confirmed')
}

/** A withdrawal to a wallet is paid by a transaction; returns its number. */
async function paidOnChain({ database, db, player, ann, bob, request, say }: House) {
  const method = await addPayMethod(database, player, 'wallet')
  const id = await request(50, { player, method })
  await say('approve($1, $2)', [id, ann])
  expect(await payByHand(db, { id, by: bob, reference: TRANSACTION })).toBe('paid')
  return id
}

async function correctRefund({ db, database }: House) {
  const corrected = [1, await staffToken(database), 'cd'.repeat(32), TRANSACTION]
  expect(await callFunction(db, 'console_money.correct_refund', ...corrected)).toBe('corrected')
}

type Got = { body: string; signature: string }

/** A receiver of webhooks that answers with a status, or, with 0, not at all. */
async function startReceiver(status = 200) {
  const got: Got[] = []
  const receiver = { url: '', got, status }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      got.push({ body, signature: String(request.headers['sum28-signature']) })
      if (receiver.status === 0) return
      response.writeHead(receiver.status, { Location: '/elsewhere' }).end('an answer')
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`
  return receiver
}

const once = (url: string, { answerMs = 60_000, privateToo = true } = {}) =>
  sendWebhook({
    url,
    secret: 'x',
    body: '{}',
    now: DESK_AT,
    privateToo,
    answerMs,
    signal: new AbortController().signal,
  })

describe('an alert by mail', () => {
  it('is sent once, though nobody could record at first that the mail server had taken it', async () => {
    const here = await house()
    await here.request(50)
    await here.owner.query(`
      create function app.fail() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
      create trigger fail before insert on app.sent_mail for each row execute function app.fail()`)
    await here.after(2 * HOUR)
    const unsent = 'select from staff.alert_delivery where sent_at is null'
    expect(await here.owner.query(unsent)).toHaveLength(1)
    await here.owner.query('drop trigger fail on app.sent_mail')
    await here.after(HOUR)
    expect(await here.owner.query(unsent)).toEqual([])
    expect(here.mail.arrived).toHaveLength(1)
  })

  it.each<[string, number, (here: House) => Promise<string>, string]>([
    [
      'a withdrawal has waited for over an hour',
      HOUR,
      async (here) => `withdrawals/${await here.request(50)}`,
      'Withdrawal 1 has waited for over an hour',
    ],
    [
      'a withdrawal that was on hold can be decided',
      3 * HOUR - 1,
      async (here) => {
        await writeWithdrawalTerms(here.owner, { holdMs: 3 * HOUR, twoPersonsFrom: 10n ** 9n })
        const id = await here.request(50)
        await here.owner.query('update accounts.player set sensitive_changed_at = app.now()')
        return `withdrawals/${id}`
      },
      'Withdrawal 1 has waited for over an hour',
    ],
    [
      'an approved withdrawal has waited for its payment for over a day',
      24 * HOUR,
      async (here) => `withdrawals/${await here.approved()}`,
      'Withdrawal 1 has waited for its payment for over a day',
    ],
    [
      'the chain has not shown a payout for over a day',
      24 * HOUR,
      async (here) => `withdrawals/${await paidOnChain(here)}`,
      'The chain has not shown withdrawal 1 for over a day',
    ],
    [
      'the chain has not shown a refund for over a day, whoever corrects its transaction',
      24 * HOUR,
      async (here) => {
        await paidBack(here)
        await here.database.freezeClock(DESK_AT + 23 * HOUR)
        await correctRefund(here)
        return 'held-deposits/1'
      },
      'The chain has not shown the refund of held deposit 1 for over a day',
    ],
    [
      'a batch has lacked its whole answer for over a day',
      24 * HOUR,
      async (here) => {
        await here.approved()
        await here.db.query('select from console_money.make_batch(10, $1)', [here.bob])
        return 'bank-batches/1'
      },
      'Batch 1 has lacked its whole answer for over a day',
    ],
  ])('comes once %s, with a link to it', async (_when, ms, begin, subject) => {
    const here = await house()
    const path = await begin(here)
    await here.after(ms)
    expect(here.mail.arrived).toEqual([])
    await here.after(MINUTE)
    await here.after(24 * HOUR)
    expect(here.mail.arrived).toMatchObject([
      {
        to: ['ann@example.org'],
        subject,
        text: expect.stringContaining(`https://console.example/console/${path}/show`),
      },
    ])
  })

  it('names what is new at that minute together, by kind', async () => {
    const here = await house()
    await writeWithdrawalTerms(here.owner, { holdMs: 0, twoPersonsFrom: 50_000_000n })
    const id = await here.request(60)
    await here.say('approve($1, $2)', [id, here.bob])
    await here.stop('all', 0)
    await here.stop('game', 2)
    await here.owner.query(
      `update app.books_checked set through = app.now(), wrong_since = app.now();
       update staff.member set alerts = alerts || '{check_failed}' where id = 1`,
    )
    await here.run()
    const [mail, ...more] = here.mail.arrived
    expect(more).toEqual([])
    expect(mail?.subject).toBe('5 things need a person')
    for (const line of [
      `Withdrawal ${id} is large: it needs two persons`,
      `Withdrawal ${id} needs a second approval`,
      'Betting is stopped: all games',
      'Betting is stopped: BCH',
      'The books were not found right',
    ]) {
      expect(mail?.text).toContain(line)
    }
  })

  it('comes once to a member who names his address, or joins, while it is open', async () => {
    const here = await house()
    await here.stop('room', 11)
    await here.run()
    await here.stop('room', 12)
    await here.join(2, 'bob@example.org')
    await here.after(MINUTE)
    await here.after(MINUTE)
    await here.stop('room', 13)
    await here.after(MINUTE)
    const toBob = here.mail.arrived.filter(({ to }) => to[0] === 'bob@example.org')
    expect(toBob.map(({ subject }) => subject)).toEqual([
      '2 things need a person',
      'Betting is stopped: DOT · Master',
    ])
    expect(here.mail.arrived).toHaveLength(5)
  })

  it('that stays open comes no second time when its mail is forgotten', async () => {
    const here = await house()
    await here.stop('room', 11)
    await here.run()
    expect(here.mail.arrived).toHaveLength(1)
    await here.after(31 * 24 * HOUR)
    await prune(here.db)
    await here.after(MINUTE)
    expect(await here.owner.column('select count(*)::integer from staff.alert_delivery')).toEqual([
      0,
    ])
    expect(here.mail.arrived.filter(({ subject }) => /stopped/.test(subject))).toHaveLength(1)
  })

  it('of a refund whose transaction is corrected after a day waits until the chain was read', async () => {
    const here = await house()
    await paidBack(here)
    await here.owner.query(`update protection.held_deposit set refund_chain = 'wrong'`)
    await here.after(48 * HOUR)
    await correctRefund(here)
    const unseen = () => here.mail.arrived.filter(({ subject }) => /has not shown/.test(subject))
    await here.run()
    expect(unseen()).toHaveLength(0)
    await here.after(11 * MINUTE)
    expect(unseen()).toHaveLength(1)
  })

  it('of what needs another person comes once somebody may decide it', async () => {
    const here = await house()
    const { db, owner, player: playerId, ann, bob } = here
    await writeWithdrawalTerms(owner, { holdMs: 3 * HOUR, twoPersonsFrom: 50_000_000n })
    const id = await here.request(60)
    await here.say('approve($1, $2)', [id, bob])
    await exclude(db, { playerId, kind: 'time_out', lasting: '24 hours' })
    await takeDeposit(owner, { playerId, micro: 7_000_000n, reference: 'test:1' })
    expect(await proposeRefund(db, { id: 1, session: ann })).toBe('proposed')
    await owner.query(
      `update staff.member set alerts = '{second_person}' where id = 1;
       update accounts.player set sensitive_changed_at = app.now();
       update protection.house set keeps_deposits_until = app.now() + interval '3 hours'`,
    )
    await here.after(3 * HOUR - 1)
    expect(here.mail.arrived).toEqual([])
    await here.after(1)
    const [mail] = here.mail.arrived
    expect(mail?.text).toContain(`/withdrawals/${id}/show`)
    expect(mail?.text).toContain('Proposal 1 needs another person')
  })

  it('is sent once although several processes look at the same moment, and ends with its cause', async () => {
    const here = await house()
    const id = await here.request(50)
    await here.database.freezeClock(DESK_AT + 2 * HOUR)
    await Promise.all([here.run(), here.run(), here.run(), here.run()])
    expect(here.mail.arrived).toHaveLength(1)
    await here.say('approve($1, $2)', [id, await staffToken(here.database)])
    await here.run()
    const ended = `select ended_at is not null as ended from staff.alert where kind = 'withdrawal_late'`
    expect(await here.owner.query(ended)).toEqual([{ ended: true }])
  })

  it('of a cause that has no text is named by the cause, and keeps no other back', async () => {
    const here = await house()
    await here.owner.query(
      `with unknown as (
         insert into staff.alert (kind, cause, seen_by, since)
         values ('check_failed', 'disk_full', 'start.needs', app.now()) returning id
       )
       insert into staff.alert_delivery (staff_id, alert_ids) select 1, array[id] from unknown`,
    )
    await here.stop('room', 11)
    await here.after(MINUTE)
    expect(here.mail.arrived.map(({ subject }) => subject)).toEqual([
      'disk_full',
      'Betting is stopped: DOT · Basic',
    ])
  })

  it('waits for a mail server that is away, and none is lost', async () => {
    const here = await house()
    const first = await here.request(50)
    here.mail.mood = 'breaks'
    await here.after(2 * HOUR)
    for (let minute = 0; minute < 30; minute += 1) await here.after(MINUTE)
    expect(here.mail.offered).toBeGreaterThan(2)
    expect(here.mail.offered).toBeLessThan(10)
    await here.stop('room', 11)
    await here.after(20 * 24 * HOUR)
    here.mail.mood = 'takes'
    await here.after(11 * MINUTE)
    await here.after(MINUTE)
    expect(here.mail.arrived.map(({ subject }) => subject).sort()).toEqual([
      'Betting is stopped: DOT · Basic',
      `Withdrawal ${first} has waited for over an hour`,
    ])
    expect(new Set(here.mail.arrived.map(({ id }) => id)).size).toBe(2)
  })

  it('is not late because it was found, or its mail tried in vain, on a clock that was ahead', async () => {
    const here = await house()
    const { apart } = here
    await apart('app.now()')
    await here.after(MINUTE)
    await apart('null')
    await here.after(HOUR)
    // It comes back: it shall last for ten minutes.
    await apart('app.now()')
    here.mail.mood = 'breaks'
    await here.stop('room', 11)
    await here.request(50)
    await here.after(MINUTE)
    expect(here.mail.offered).toBeGreaterThan(1)
    await here.after(-HOUR)
    here.mail.mood = 'takes'
    await here.after(MINUTE)
    const told = here.mail.arrived.map(({ text }) => text).join()
    expect(told).toContain('Betting is stopped: DOT · Basic')
    expect(told.split('the clocks of database and beacon disagree')).toHaveLength(3)
    expect(told).toContain('Withdrawal 1 has waited for over an hour')
  })

  it('comes to nobody whose role may not see it, who did not choose it, or who is gone', async () => {
    const here = await house()
    await here.owner.query(
      `update staff.member set enrolled_at = app.now(), email = name || '@example.org';
       update staff.member set role = 'editor' where id = 1;
       update staff.member set alerts = '{betting_stopped}' where id = 2;
       update staff.member set active = false, closed_at = app.now() where id = 3`,
    )
    await here.request(50)
    await here.after(2 * HOUR)
    expect(here.mail.arrived).toEqual([])
  })

  it('tells of staff, freezes and the audit log owners alone, and of a wrong payout all who see it', async () => {
    const here = await house()
    const { db, owner, database, ann, bob } = here
    await owner.query(
      `update staff.member set enrolled_at = app.now(), email = 'm' || id || '@example.org',
         role = case id when 2 then 'finance' else role end, alerts = '{second_person,check_failed}';
       update staff.audit_head set broken_id = 1, broken_since = app.now(), broken_by_file = false;
       select staff.write_audit(1, null, 'passkey_cloned', 'staff:1', '{}')`,
    )
    const id = await paidOnChain(here)
    await here.say('take_chain_answer($1, $2, $3, $4)', [id, TRANSACTION, [], 'other_payee'])
    const name = await owner.value<string>('select name from staff.member where id = 3')
    const before = { role: 'owner', email: 'm3@example.org', active: true }
    const content = { name, role: 'support', before }
    const subject = `member:${name}`
    const proposal = { kind: 'member', subject, content, session: ann } as const
    expect(await propose(db, proposal)).toBe('proposed')
    const frozen = await addPlayer(database)
    await callFunction(db, 'staff.freeze_player', frozen, 'a thief', bob)
    await here.run()
    const told = (member: string) => here.mail.arrived.find(({ to }) => to[0] === member)?.text
    const [ofOwner, ofFinance] = [told('m1@example.org'), told('m2@example.org')]
    for (const line of [
      'The audit log is not what was written',
      'A member’s passkey was copied',
      'Proposal 1 needs another person',
      `/proposals?filter=${encodeURIComponent('{"id":"1"}')}`,
      `Player ${frozen} is frozen until an owner ends it`,
      `https://console.example/console/players/${frozen}/show`,
    ]) {
      expect(ofOwner).toContain(line)
      expect(ofFinance).not.toContain(line)
    }
    for (const text of [ofOwner, ofFinance]) {
      expect(text).toContain(`The chain shows another payment than withdrawal ${id}’s`)
    }
    const freeze = `select ended_at is not null as ended from staff.alert where cause like 'freeze:%'`
    expect(await owner.query(freeze)).toEqual([{ ended: false }])
    const seen = new Date(DESK_AT)
    await callFunction(db, 'staff.unfreeze_player', frozen, 'a slip', seen, ann)
    await here.after(MINUTE)
    expect(await owner.query(freeze)).toEqual([{ ended: true }])
  })

  it('comes at once for another stop, and for a fault that came back once it has lasted for ten minutes', async () => {
    const here = await house()
    const open = () => here.owner.query('delete from games.stop')
    for (const number of [1, 2]) {
      await here.stop('all', 0)
      await here.after(MINUTE)
      expect(here.mail.arrived).toHaveLength(number)
      await open()
      await here.after(MINUTE)
    }
    const { apart } = here
    await apart('app.now()')
    await here.after(MINUTE)
    expect(here.mail.arrived).toHaveLength(3)
    for (const _back of ['once', 'again']) {
      await apart('null')
      await here.after(MINUTE)
      await apart('app.now()')
      await here.after(MINUTE)
      await here.after(9 * MINUTE)
    }
    expect(here.mail.arrived).toHaveLength(3)
    await here.after(MINUTE)
    expect(here.mail.arrived).toHaveLength(4)
  })
})

it('a mailbox that refuses mail delays alerts of nobody else, and its own are dropped after a day', async () => {
  const here = await house()
  await here.join(2, 'gone@example.org')
  here.mail.closedBox = 'gone@example.org'
  await here.stop('room', 11)
  await here.run()
  // What he did not take in the days before; the alerts of one are deleted by now.
  await here.owner.query(
    `insert into staff.alert_delivery (staff_id, alert_ids, made_at)
     select 2, case when n = 1 then '{}' else array(select id from staff.alert) end,
       app.now() - interval '25 hours' from generate_series(1, 13) n`,
  )
  await here.stop('room', 12)
  await here.after(MINUTE)
  expect(here.mail.arrived.map(({ to }) => to)).toEqual([['ann@example.org'], ['ann@example.org']])
  const waiting = await here.owner.query(
    'select from staff.alert_delivery where sent_at is null and made_at < app.now() - interval $$1 day$$',
  )
  expect(waiting).toHaveLength(11)
})

it('a mail that was given up is not made again while its alert lasts', async () => {
  const here = await house()
  await here.join(2, 'gone@example.org', ['betting_stopped'])
  here.mail.closedBox = 'gone@example.org'
  await here.stop('room', 11)
  await here.run()
  await here.request(50)
  await here.after(25 * HOUR)
  await here.after(11 * MINUTE)
  await here.after(11 * MINUTE)
  const made = 'select sent_at is null as waits from staff.alert_delivery where staff_id = 2'
  expect(await here.owner.query(made)).toEqual([{ waits: false }])
})

describe('an alert by webhook', () => {
  it('is signed over its body and its time, and names no amount and no player', async () => {
    const here = await house()
    const receiver = await startReceiver(204)
    const secret = await here.addHook(receiver.url, ['withdrawal_late'])
    const id = await here.request(50)
    await here.after(2 * HOUR)
    const [{ body, signature } = { body: '', signature: '' }, ...more] = receiver.got
    expect(more).toEqual([])
    const seconds = (DESK_AT + 2 * HOUR) / 1000
    const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
    expect(signature).toBe(`t=${seconds},v1=${mac}`)
    expect(JSON.parse(body)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      alerts: [
        {
          id: expect.any(Number),
          kind: 'withdrawal_late',
          cause: `withdrawal:${id}`,
          since: '2026-11-20 12:00 UTC',
          text: `Withdrawal ${id} has waited for over an hour`,
          url: `https://console.example/console/withdrawals/${id}/show`,
        },
      ],
    })
  })

  it('is tried again with the same id until the receiver takes it, and others do not wait for it', async () => {
    const here = await house()
    const [broken, other] = [await startReceiver(500), await startReceiver()]
    const gone = await startReceiver(410)
    for (const { url } of [broken, other, gone]) await here.addHook(url)
    const hooks = () =>
      here.owner.query(
        `select failure, failed_since is not null as failing, ended_at is not null as ended
         from staff.webhook order by id`,
      )
    await here.request(50)
    await here.after(2 * HOUR)
    expect([broken.got.length, other.got.length, here.mail.arrived.length]).toEqual([1, 1, 1])
    expect((await hooks())[0]).toMatchObject({ failure: 'it answered 500', failing: true })
    broken.status = 200
    await here.after(11 * MINUTE)
    expect(new Set(broken.got.map(({ body }) => body)).size).toBe(1)
    await here.after(24 * HOUR)
    expect([broken.got.length, other.got.length]).toEqual([2, 1])
    // One that said that it is gone gets nothing more, of any alert.
    await here.stop('all', 0)
    await here.run()
    expect([broken.got.length, other.got.length, gone.got.length]).toEqual([3, 2, 1])
    const fine = { failure: null, failing: false, ended: false }
    expect(await hooks()).toMatchObject([fine, fine, { ended: true }])
  })

  it('fails where the receiver is slow, redirects, or is down', async () => {
    expect(await once((await startReceiver(0)).url, { answerMs: 200 })).toEqual({
      failure: 'it did not answer in time',
    })
    const elsewhere = await startReceiver(307)
    expect(await once(elsewhere.url)).toEqual({ failure: 'it answered 307' })
    expect(elsewhere.got).toHaveLength(1)
    expect(await once('http://127.0.0.1:1/')).toEqual({ failure: 'ECONNREFUSED' })
  })

  it('leads to no private network outside of the demo, under whatever name', async () => {
    for (const url of [
      'http://example.org/',
      'ftp://example.org/',
      'x',
      'https://user:pass@example.org/',
      'https://localhost/',
      'https://api.localhost/',
      'https://0x7f000001/',
      'https://[::ffff:10.0.0.1]/',
    ]) {
      expect(webhookFault(url, false), url).toBe('webhook_url')
    }
    expect(webhookFault('https://alerts.example.org:8443/a?b=c', false)).toBeNull()
    const receiver = await startReceiver()
    expect(await once(receiver.url, { privateToo: false })).toEqual({
      failure: 'it is no public address',
    })
    expect(receiver.got).toEqual([])
  })
})

const test = useWorkersApi()

it('the notes of shifts are read by the next shift, newest first, and never change', async () => {
  const support = await addStaff(test, 'support')
  for (const text of ['The bank is late.', 'It has paid.\nAll is quiet.']) {
    expectSuccess(await test.call(wire.writeShiftNote, { text }, support))
  }
  const { list } = (await test.call(wire.listShiftNotes, { limit: 2 }, support)).data
  expect(list).toMatchObject([
    { by: support.login.name, text: 'It has paid.\nAll is quiet.' },
    { text: 'The bank is late.' },
  ])
  expect(await faultsOf(test.call(wire.writeShiftNote, { text: ' ' }, support))).toEqual(['text'])
  for (const change of ['delete from staff.shift_note', `update staff.shift_note set text = 'y'`]) {
    await expect(test.database.owner.query(change)).rejects.toThrow('is refused')
  }
})

describe('the settings of alerts', () => {
  it('are each member’s own, for the kinds that his role may be told of', async () => {
    const support = await addStaff(test, 'support')
    const editor = await addStaff(test, 'editor')
    const read = async (who = support) => (await test.call(wire.ownAlerts, {}, who)).data.list
    expect(await read(editor)).toEqual([])
    expect((await read()).every(({ chosen }) => chosen)).toBe(true)
    const choose = (kinds: string) => test.call(wire.chooseAlerts, { kinds }, support)
    expectSuccess(await choose('betting_stopped'))
    expect((await read()).filter(({ chosen }) => chosen)).toEqual([
      { kind: 'betting_stopped', chosen: true },
    ])
    expect(await faultsOf(choose('betting_stopped,x'))).toEqual(['kinds'])
  })

  it('have five webhooks at most, whose secret is shown once and stored nowhere', async () => {
    const owner = await staffSession(test)
    const add = (url: string) =>
      test.call(wire.addWebhook, { url, kinds: 'betting_stopped' }, owner)
    expect(await faultsOf(add('ftp://example.org'))).toEqual(['url'])
    const made = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => add(`https://a${n}.example.org/`)))
    const added = made.filter(({ code }) => code === 1)
    expect(added).toHaveLength(5)
    const stored = await test.database.owner.column<string>(
      'select webhook::text from staff.webhook',
    )
    for (const { data } of added) expect(stored.join()).not.toContain(data.secret)
    const { data: list } = await test.call(wire.listWebhooks, {}, owner)
    expect(list).toHaveLength(5)
    expect(list[0]).toMatchObject({ made_by: 'owner', failure: null, waiting: 0 })
    for (const { id } of list) {
      const remove = () => answerTo(test.call(wire.removeWebhook, { id }, owner))
      expect([await remove(), await remove()]).toEqual(['done', 'not_found'])
    }
  })
})
