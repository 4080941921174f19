import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as wire from '@sum28/contract/own-routes.ts'
import { protectionChanges } from '@sum28/contract/protection-routes.ts'
import type { PUSH_TOPICS } from '@sum28/contract/push-topics.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postPublicly } from '#src/adapters/public-request.ts'
import { reencryptColumn } from '#src/db/reencryption.ts'
import { hashSecret } from '#src/modules/accounts/session.ts'
import { type NoticeKind, notify } from '#src/modules/inbox/notify.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { shareTestDatabase } from '#testing/database/test-database.ts'
import { addSeatedPlayer, changePlayer } from '#testing/people/seated-player.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { faultsOf, registerMember, useWorkersApi } from '#testing/product/test-app.ts'
import {
  choosePush,
  forgetSignedOutBrowsers,
  PUSH_KEYS,
  pushKey,
  pushMessages,
  pushState,
  SUBSCRIPTIONS_MAX,
  sendPush,
  sendPushes,
  subscribePush,
} from './push.ts'

type Topic = (typeof PUSH_TOPICS)[number]

const SENDER = 'mailto:desk@sum28.example'
const ALL: Topic[] = ['deposit', 'withdrawal', 'sign_in', 'support']

const database = shareTestDatabase()
const cipher = secretCipher('a secret key of tests that is long enough')

/** A push service on this machine: what it was sent, and what it answers. */
const received: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = []
let answer: number | 'nothing' = 201
const service = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    received.push({
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks),
    })
    if (answer !== 'nothing') response.writeHead(answer).end('an answer that nobody reads')
  })
})
let origin = ''

beforeAll(async () => {
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})

afterAll(() => {
  service.closeAllConnections()
  service.close()
})

beforeEach(async () => {
  received.length = 0
  answer = 201
  await database.owner.query('delete from graphile_worker._private_jobs')
})

/** A browser with the keys of RFC 8291. */
function browser() {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const auth = randomBytes(16)
  const id = randomBytes(8).toString('hex')
  return {
    endpoint: `https://push.example/${id}`,
    p256dh: keys.getPublicKey('base64url'),
    auth: auth.toString('base64url'),
    /** Decrypts a message as RFC 8291, 3.4, and RFC 8188, 2, say. */
    decrypt(body: Buffer): { title: string; body: string; path: string; lang: string } {
      const salt = body.subarray(0, 16)
      const keyLength = body.readUInt8(20)
      const sender = body.subarray(21, 21 + keyLength)
      const sealed = body.subarray(21 + keyLength)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), ...[keys.getPublicKey(), sender]])
      const secret = hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32)
      const derive = (name: string, length: number) =>
        Buffer.from(
          hkdfSync('sha256', Buffer.from(secret), salt, `Content-Encoding: ${name}\0`, length),
        )
      const opened = createDecipheriv(
        ...(['aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12)] as const),
      )
      opened.setAuthTag(sealed.subarray(-16))
      const padded = Buffer.concat([opened.update(sealed.subarray(0, -16)), opened.final()])
      // One last record, whose end is marked by 2.
      expect(padded.at(-1)).toBe(2)
      return JSON.parse(padded.subarray(0, -1).toString())
    },
  }
}

/** A player who is signed in, and has one browser told of these topics. */
async function toldPlayer({ topics = ALL, amounts = false, lang = 'en' } = {}) {
  const { db, owner } = database
  const { id: playerId, token } = await addSeatedPlayer(database, { u: 0 })
  await changePlayer(database, playerId, `lang = '${lang}'`)
  const session = hashSecret(token)
  const ofBrowser = browser()
  expect(await subscribePush(db, { ...ofBrowser, playerId, session })).toBeNull()
  expect(await choosePush(db, { playerId, topics, amounts })).toBeNull()
  // The local push service is in the place of the browser's.
  await owner.query(
    `update inbox.push_subscription set endpoint = replace(endpoint, 'https://push.example', $2)
     where endpoint = $1`,
    [ofBrowser.endpoint, origin],
  )
  return { playerId, session, browser: ofBrowser }
}

/** What a browser reads of the first message. */
const readBy = ({ decrypt }: ReturnType<typeof browser>) =>
  decrypt(received[0]?.body ?? Buffer.alloc(0))

/** Tells a player of an event, and takes from the queue what that added. */
async function tell(playerId: number, kind: NoticeKind, facts = {}) {
  const { db, owner } = database
  await db.transaction((tx) => notify(tx, { playerId, kind, facts }))
  const jobs = await owner.column<unknown>(
    `with taken as (
       delete from graphile_worker._private_jobs job using graphile_worker._private_tasks task
       where task.id = task_id and identifier = 'send-push' returning job.id, payload::text as payload)
     select payload::json as payload from taken order by id`,
  )
  return jobs.flatMap((payload) => pushMessages.parse(payload))
}

const { log, lines } = captureLog()

async function send(jobs: Awaited<ReturnType<typeof tell>>, { anywhere = true, late = 0 } = {}) {
  const { db } = database
  const now = await db.value<number>('select app.now() as now')
  const deps = { db, cipher, sender: SENDER, log, anywhere, now: () => now + late }
  for (const job of jobs) await sendPush(deps, job)
}

async function told(playerId: number, kind: NoticeKind = 'withdrawal_paid') {
  await send(await tell(playerId, kind, { amount: '128.00' }))
}

const devicesOf = async (playerId: number) =>
  (await pushState({ db: database.db, cipher }, { playerId })).devices

describe('a message', () => {
  it('is encrypted for the browser alone, and signed for its push service', async () => {
    const { playerId, browser } = await toldPlayer({ amounts: true })
    await told(playerId)
    expect(received).toHaveLength(1)
    const { headers = {} } = received[0] ?? {}
    // A push service can read the urgency: all messages have one.
    expect(headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '86400',
      urgency: 'high',
    })
    expect(readBy(browser)).toEqual({
      title: 'Withdrawal of 128.00 u paid out',
      body: 'Open Sum28 to see more.',
      path: '/withdraw',
      topic: 'withdrawal',
      lang: 'en',
    })
    // RFC 8292: who sends is in a JWT, signed by the key that the browser was given.
    const { key } = await pushState({ db: database.db, cipher }, { playerId })
    const [, signed = '', claims = '', signature = '', shown] =
      /^vapid t=([^.]+\.([^.]+))\.([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? []
    expect(shown).toBe(key)
    const bytes = (text: string) => Buffer.from(text, 'base64url')
    const by = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
    const publicKey = await crypto.subtle.importKey('raw', bytes(key), by, false, ['verify'])
    const verified = crypto.subtle.verify(by, publicKey, bytes(signature), Buffer.from(signed))
    expect(await verified).toBe(true)
    const { aud, sub, exp } = JSON.parse(bytes(claims).toString())
    expect({ aud, sub }).toEqual({ aud: origin, sub: SENDER })
    expect(exp).toBeLessThanOrEqual(Date.now() / 1000 + 86_400)
  })

  it.each<[NoticeKind, string, string]>([
    ['deposit_credited', 'Your deposit is credited', '/CapitalDetail?days=week&show=deposit'],
    ['withdrawal_rejected', 'There is news of your withdrawal', '/withdraw'],
    ['staff_message', 'A message from support', '/Notice?tab=messages'],
  ])('of %s shows no amount or text unless the player wants it', async (kind, title, path) => {
    const { playerId, browser } = await toldPlayer()
    const facts = { amount: '128.00', reason: 'secret', text: 'secret' }
    await send(await tell(playerId, kind, facts))
    const sent = readBy(browser)
    expect(sent).toMatchObject({ title, path })
    expect(JSON.stringify(sent)).not.toMatch(/128|secret/)
  })

  it('is in the player’s language, and as long as any other', async () => {
    const vietnamese = await toldPlayer({ lang: 'vi' })
    const english = await toldPlayer()
    await told(vietnamese.playerId)
    await told(english.playerId, 'deposit_credited')
    const [first, second] = received
    expect(readBy(vietnamese.browser)).toMatchObject({
      title: 'Có tin mới về khoản rút tiền của bạn',
      lang: 'vi',
    })
    expect(first?.body.length).toBe(second?.body.length)
    expect(first?.headers.urgency).toBe(second?.headers.urgency)
  })

  it('comes of nothing that the player did not choose, nor of what calls him to play', async () => {
    const { playerId } = await toldPlayer({ topics: ['deposit'] })
    expect(await tell(playerId, 'withdrawal_paid', { amount: '1.00' })).toEqual([])
    for (const kind of ['bonus', 'limit_raise_possible', 'own_data_ready'] as const) {
      expect(await tell(playerId, kind)).toEqual([])
    }
    const jobs = await tell(playerId, 'deposit_credited', { amount: '1.00' })
    expect(jobs).toHaveLength(1)
    // He chose otherwise after it was queued.
    await choosePush(database.db, { playerId, topics: [], amounts: false })
    await send(jobs)
    expect(received).toEqual([])
  })

  it('does not come in a break, a self-exclusion, a review or a freeze, and comes again after it; nor to a closed account', async () => {
    const { playerId } = await toldPlayer()
    const protect = (set: string) =>
      database.owner.query(`update protection.player set ${set} where player_id = $1`, [playerId])
    const set = (change: string) => changePlayer(database, playerId, change)
    for (const [change, begin, end] of [
      [protect, `excluded_until = app.now() + interval '1 day'`, 'excluded_until = null'],
      [protect, `excluded_until = 'infinity'`, 'excluded_until = null'],
      [protect, 'under_review = true', 'under_review = false'],
      [set, `state = 'frozen'`, `state = 'active'`],
    ] as const) {
      await change(begin)
      await told(playerId)
      expect(received, begin).toEqual([])
      await change(end)
    }
    await told(playerId)
    expect(received).toHaveLength(1)
    await set(`state = 'closed', closed_at = app.now()`)
    await told(playerId)
    expect(received).toHaveLength(1)
  })

  it('keeps no choice of a player whose account was closed meanwhile', async () => {
    const { playerId } = await toldPlayer()
    await changePlayer(database, playerId, `state = 'closed', closed_at = app.now()`)
    await choosePush(database.db, { playerId, topics: [], amounts: true })
    const choice = 'select amounts from inbox.push_choice where player_id = $1'
    expect(await database.owner.column<boolean>(choice, [playerId])).toEqual([false])
  })

  it('does not come to a browser that the player signed out of, which is forgotten within the hour', async () => {
    const { owner, jobs } = database
    const { playerId, session } = await toldPlayer()
    const others = await toldPlayer()
    const left = 'select player_id from inbox.push_subscription where player_id = any ($1)'
    const subscribed = () => owner.column<number>(left, [[playerId, others.playerId]])
    await forgetSignedOutBrowsers(jobs)
    expect(await subscribed()).toHaveLength(2)
    await owner.query(
      `update accounts.session set ended_at = app.now(), ended_by = 'logout' where token_hash = $1`,
      [session],
    )
    expect(await devicesOf(playerId)).toBe(0)
    await told(playerId)
    expect(received).toEqual([])
    await forgetSignedOutBrowsers(jobs)
    expect(await subscribed()).toEqual([others.playerId])
  })

  it('is no news a day later', async () => {
    const { playerId } = await toldPlayer()
    await send(await tell(playerId, 'deposit_credited', { amount: '1.00' }), { late: 86_400_001 })
    expect(received).toEqual([])
  })
})

describe('a push service', () => {
  it.each([404, 410])('that answers %d ends the subscription', async (status) => {
    const { playerId } = await toldPlayer()
    answer = status
    await told(playerId)
    expect(await devicesOf(playerId)).toBe(0)
  })

  it.each([429, 503])('that answers %d is asked again later', async (status) => {
    const { playerId } = await toldPlayer()
    answer = status
    await expect(told(playerId)).rejects.toThrow(`answered ${status}`)
    expect(await devicesOf(playerId)).toBe(1)
  })

  it('is waited for until its time is over', async () => {
    answer = 'nothing'
    const request = { headers: {}, body: Buffer.alloc(0), withinMs: 50, anywhere: true }
    await expect(postPublicly(new URL(origin), request)).rejects.toThrow(/abort|timeout/i)
  })

  it.each([301, 400])('that answers %d is not asked again, nor followed', async (status) => {
    const { playerId } = await toldPlayer()
    answer = status
    await told(playerId)
    expect(received).toHaveLength(1)
    const service = new URL(origin).host
    expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({ status, service })
  })

  it('is tried nine times, all browsers of a player at once, one player after the other', async () => {
    const { playerId } = await toldPlayer()
    const { db, owner } = database
    await db.transaction((tx) => notify(tx, { playerId, kind: 'deposit_credited' }))
    expect(
      await owner.query(
        `select max_attempts, priority, queue_name from graphile_worker.jobs where task_identifier = 'send-push'`,
      ),
    ).toEqual([{ max_attempts: 9, priority: 10, queue_name: 'push' }])
  })

  it('on a machine that is not public is not asked, and its subscription ends', async () => {
    const { playerId } = await toldPlayer()
    await send(await tell(playerId, 'deposit_credited'), { anywhere: false })
    expect(received).toEqual([])
    expect(await devicesOf(playerId)).toBe(0)
  })
})

describe('push services that are silent', () => {
  /** A player with nine browsers whose push services cannot be reached. */
  async function silentPlayer() {
    const { playerId } = await toldPlayer()
    await database.owner.query(
      `insert into inbox.push_subscription (player_id, endpoint, p256dh, auth, session_hash)
       select player_id, 'http://127.0.0.1:1/' || id || '/' || n, p256dh, auth, session_hash
       from inbox.push_subscription, generate_series(1, 9) n where player_id = $1`,
      [playerId],
    )
    await database.owner.query(
      `delete from inbox.push_subscription where player_id = $1 and endpoint like $2 || '%'`,
      [playerId, origin],
    )
    return playerId
  }

  async function ends(
    messages: Awaited<ReturnType<typeof tell>>,
    { last = false, takesMs = 0 } = {},
  ) {
    const { db } = database
    const now = await db.value<number>('select app.now() as now')
    let asked = 0
    const passing = () => now + takesMs * asked++
    const deps = { db, cipher, sender: SENDER, log, anywhere: true, now: passing }
    const settled = await Promise.allSettled(sendPushes(deps, messages, last))
    return new Set(settled.map(({ status }) => status))
  }

  const queues = async () =>
    await database.owner.column<string>(
      `select queue_name from graphile_worker.jobs where task_identifier = 'send-push' order by id`,
    )

  it('take one try of the queue together, and wait in another one from then on', async () => {
    const playerId = await silentPlayer()
    const first = await tell(playerId, 'deposit_credited')
    const queuedBefore = await tell(playerId, 'withdrawal_paid')
    expect(await ends(first)).toEqual(new Set(['rejected']))
    expect(await ends(queuedBefore)).toEqual(new Set(['fulfilled']))
    expect(await queues()).toEqual(Array(9).fill('push silent'))
    const { playerId: other } = await toldPlayer()
    await database.db.transaction(async (tx) => {
      await notify(tx, { playerId, kind: 'withdrawal_paid' })
      await notify(tx, { playerId: other, kind: 'withdrawal_paid' })
    })
    expect((await queues()).slice(9)).toEqual(['push silent', 'push'])
  })

  it('wait in the other queue too if they answer late', async () => {
    const { playerId } = await toldPlayer()
    const sent = async (takesMs: number) => {
      await ends(await tell(playerId, 'deposit_credited'), { takesMs })
      return (await tell(playerId, 'deposit_credited')).map(({ silent }) => silent)
    }
    expect(await sent(1_000)).toEqual([false])
    expect(await sent(1_001)).toEqual([true])
    expect(received).toHaveLength(2)
  })

  it('are trusted again when they answer, or after an hour', async () => {
    const { playerId, session } = await toldPlayer()
    const { owner } = database
    /** As if they had been silent for so long. */
    const silentFor = (minutes: number) =>
      owner.query(
        `update inbox.push_subscription set silent_until = app.now() + make_interval(mins => 60 - $2)
         where player_id = $1`,
        [playerId, minutes],
      )
    const isSilent = async () =>
      (await tell(playerId, 'deposit_credited')).map(({ silent }) => silent)
    await silentFor(60)
    expect(await isSilent()).toEqual([false])
    await silentFor(59)
    expect(await isSilent()).toEqual([true])
    // Also if it is told of again, as by each start of the app: no one but the service can end its silence.
    const endpoint = await owner.value<string>(
      'select endpoint from inbox.push_subscription where player_id = $1',
      [playerId],
    )
    const again = { ...browser(), playerId, session, endpoint }
    expect(await subscribePush(database.db, again)).toBeNull()
    expect(await isSilent()).toEqual([true])
    expect(await ends(await tell(playerId, 'deposit_credited'))).toEqual(new Set(['fulfilled']))
    expect(received).toHaveLength(1)
    expect(await isSilent()).toEqual([false])
  })

  it('are forgotten at the last try of a message', async () => {
    const playerId = await silentPlayer()
    expect(await ends(await tell(playerId, 'deposit_credited'), { last: true })).toEqual(
      new Set(['fulfilled']),
    )
    expect(await devicesOf(playerId)).toBe(0)
  })
})

describe('the key of the sender', () => {
  it('is made once, also by two at once, and stored encrypted', async () => {
    const { db, owner } = database
    await owner.query('delete from inbox.push_key')
    const keys = await Promise.all([1, 2, 3].map(() => pushKey({ db, cipher })))
    expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1)
    const row = await owner.value<string>('select push_key::text as row from inbox.push_key')
    const [{ encrypted } = { encrypted: Buffer.alloc(0) }] = keys
    expect(row).not.toContain(cipher.decrypt(encrypted, 'push key').toString('hex'))
  })

  it('is encrypted anew with the present key, and signs as before', async () => {
    const { owner, db } = database
    const before = await pushKey({ db, cipher })
    const later = secretCipher('another secret key of tests, long enough', [
      'a secret key of tests that is long enough',
    ])
    expect(await reencryptColumn({ db: owner, cipher: later }, PUSH_KEYS)).toMatchObject({
      reencrypted: 1,
    })
    const after = await pushKey({ db, cipher: later })
    expect(after.publicKey).toBe(before.publicKey)
    expect(later.decrypt(after.encrypted, 'push key', after.keyId)).toEqual(
      cipher.decrypt(before.encrypted, 'push key', before.keyId),
    )

    await owner.query('delete from inbox.push_key')
  })
})

describe('a player', () => {
  const test = useWorkersApi()

  type Who = { token: string }
  type Browser = Pick<ReturnType<typeof browser>, 'endpoint' | 'p256dh' | 'auth'>

  const subscribe = (who: Who, { endpoint, p256dh, auth }: Browser) =>
    test.call(wire.subscribePush, { endpoint, p256dh, auth }, who)
  const stateIn = async (who: Who, { endpoint }: Browser) =>
    (await test.call(wire.push, { endpoint }, who)).data

  it('turns it on, chooses, turns it off, and finds that in his own log', async () => {
    const member = await registerMember(test)
    const phone = browser()
    const off = { topics: [], amounts: false, here: false, devices: 0 }
    expect(await stateIn(member, phone)).toMatchObject(off)
    expect(await subscribe(member, phone)).toMatchObject({ code: 1 })
    // Once more, as at each start of the app, changes nothing.
    await subscribe(member, phone)
    const chosen = { deposit: false, withdrawal: true, sign_in: false, support: false }
    for (const _ of [1, 2]) await test.call(wire.choosePush, { ...chosen, amounts: true }, member)
    const on = { topics: ['withdrawal'], amounts: true, here: true, devices: 1 }
    expect(await stateIn(member, phone)).toMatchObject(on)
    const { endpoint } = phone
    for (const _ of [1, 2]) await test.call(wire.unsubscribePush, { endpoint }, member)
    expect(await stateIn(member, phone)).toMatchObject({ here: false, devices: 0 })
    const { data } = await test.call(protectionChanges, { page: 1, limit: 20 }, member)
    expect(data.list.map(({ what }) => what)).toEqual(['push_off', 'push_chosen', 'push_on'])
  })

  it('has ten browsers told, and another one in place of the oldest', async () => {
    const member = await registerMember(test)
    const [first, last] = [browser(), browser()]
    const others = Array.from({ length: SUBSCRIPTIONS_MAX - 1 }, browser)
    for (const each of [first, ...others, last]) await subscribe(member, each)
    const devices = SUBSCRIPTIONS_MAX
    expect(await stateIn(member, first)).toMatchObject({ here: false, devices })
    expect(await stateIn(member, last)).toMatchObject({ here: true, devices })
  })

  it('is told of nothing any more in a browser that another player uses', async () => {
    const [one, other, shared] = [await registerMember(test), await registerMember(test), browser()]
    for (const each of [one, other]) await subscribe(each, shared)
    expect(await stateIn(one, shared)).toMatchObject({ here: false })
    expect(await stateIn(other, shared)).toMatchObject({ here: true })
  })

  it('is told which field of a subscription is wrong', async () => {
    const member = await registerMember(test)
    for (const [field, value] of [
      ['endpoint', 'http://push.example/1'],
      ['endpoint', 'https://user@push.example/1'],
      ['endpoint', 'https://push.example:8443/1'],
      ['endpoint', `https://push.example/${'1'.repeat(1_000)}`],
      ['p256dh', `B${'A'.repeat(86)}`],
      ['p256dh', 'short'],
      ['auth', 'short'],
    ] as const) {
      const faults = faultsOf(subscribe(member, { ...browser(), [field]: value }))
      expect(await faults, value).toEqual([field])
    }
  })
})
