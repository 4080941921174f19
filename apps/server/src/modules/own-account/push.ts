/**
 * Push: what a player is told of on his devices while the app is closed, by the push services of their browsers (Push API;
 * RFC 8030, 8291, 8292). He chooses what; `inbox/notify.ts` queues it. Nothing is sent to a player in a break, or to a
 * browser that he has signed out of.
 */
import { createECDH } from 'node:crypto'
import { PUSH_TOPICS, type PushMessage } from '@sum28/contract/push-topics.ts'
import { languageOf } from '@sum28/i18n/languages.ts'
import { hasMessage, type MessageKey, translate } from '@sum28/i18n/translate.ts'
// @ts-expect-error: the package declares no types
import webPush from 'web-push'
import * as z from 'zod'
import { NotPublic, postPublicly } from '#src/adapters/public-request.ts'
import type { Config } from '#src/config.ts'
import type { Database, Queryable, Transaction } from '#src/db/database.ts'
import type { SecretColumn } from '#src/db/reencryption.ts'
import { countOfDay } from '#src/modules/accounts/count-store.ts'
import { logSignInChange } from '#src/modules/accounts/note-sign-in-change.ts'
import { PUSH_SECONDS, queueSilent, spokenFacts } from '#src/modules/inbox/notify.ts'
import type { Log } from '#src/process/log.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'

export type PushTopic = (typeof PUSH_TOPICS)[number]

/** How many browsers of a player are told; another one takes the place of the oldest. */
export const SUBSCRIPTIONS_MAX = 10

/** How often a day a player may turn it on, off or choose, all together. */
const CHANGES_A_DAY = 50

/** Whether the player is still signed in where a subscription was made. */
const IS_SIGNED_IN = `exists (
  select from accounts.session where session.player_id = subscription.player_id and ended_at is null
    and (token_hash = subscription.session_hash or session.device_family = subscription.device_family))`

/** What a player has chosen, and whether the browser that asks is told of it. */
export async function pushState(
  { db, cipher }: { db: Database; cipher: SecretCipher },
  { playerId, endpoint }: { playerId: number; endpoint?: string | undefined },
) {
  const { publicKey } = await pushKey({ db, cipher })
  const chosen = await choiceOf(db, playerId)
  const { here, devices } = await db.one<{ here: boolean; devices: number }>(
    `select coalesce(bool_or(endpoint = $2), false) as here, count(*)::integer as devices
       from inbox.push_subscription subscription where player_id = $1 and ${IS_SIGNED_IN}`,
    [playerId, endpoint ?? ''],
  )
  return { key: publicKey, ...chosen, here, devices }
}

async function choiceOf(
  db: Queryable,
  playerId: number,
): Promise<{ topics: PushTopic[]; amounts: boolean }> {
  const [row] = await db.query<{ topics: PushTopic[]; amounts: boolean }>(
    'select topics, amounts from inbox.push_choice where player_id = $1',
    [playerId],
  )
  return row ?? { topics: [], amounts: false }
}

/**
 * Has a browser told of what its player chose. One that another player used before is his no more.
 *
 * @returns null, or invalid_input, session_replaced, too_many_requests
 */
export function subscribePush(
  db: Database,
  made: { playerId: number; session: Buffer; endpoint: string; p256dh: string; auth: string },
): Promise<null | Refusal> {
  const { playerId, session, endpoint, p256dh, auth } = made
  if (!isPoint(p256dh))
    return Promise.resolve({ refused: 'invalid_input', faults: { p256dh: 'invalid' } })
  return db.transaction(async (tx) => {
    await lockPlayer(tx, playerId)
    const [before] = await tx.column<number>(
      'select player_id from inbox.push_subscription where endpoint = $1',
      [endpoint],
    )
    const [added] = await tx.column<bigint>(
      `insert into inbox.push_subscription (player_id, endpoint, p256dh, auth, session_hash, device_family)
       select player_id, $3, $4, $5, token_hash, device_family from accounts.session
       where token_hash = $2 and player_id = $1 and ended_at is null
       on conflict (endpoint) do update set player_id = $1, p256dh = $4, auth = $5,
         session_hash = excluded.session_hash, device_family = excluded.device_family
       returning id`,
      [playerId, session, endpoint, p256dh, auth],
    )
    if (added === undefined) return refuse('session_replaced')
    await tx.query(
      `delete from inbox.push_subscription subscription where player_id = $1 and (not ${IS_SIGNED_IN}
         or id not in (select id from inbox.push_subscription where player_id = $1
           order by id = $2 desc, id desc limit $3))`,
      [playerId, added, SUBSCRIPTIONS_MAX],
    )
    // A browser that repeats what is known, at each start of the app, changes nothing.
    return before === playerId ? null : logChange(tx, playerId, 'push_on')
  })
}

/** Whether it is a point of P-256: encrypting to anything else would fail with each message. */
function isPoint(p256dh: string): boolean {
  try {
    const own = createECDH('prime256v1')
    own.generateKeys()
    own.computeSecret(Buffer.from(p256dh, 'base64url'))
    return true
  } catch {
    return false
  }
}

/** @returns null, or too_many_requests; null too if the browser was not told of anything */
export function unsubscribePush(
  db: Database,
  { playerId, endpoint }: { playerId: number; endpoint: string },
): Promise<null | Refusal> {
  return db.transaction(async (tx) => {
    await lockPlayer(tx, playerId)
    const removed = await tx.query(
      'delete from inbox.push_subscription where player_id = $1 and endpoint = $2 returning id',
      [playerId, endpoint],
    )
    return removed.length === 0 ? null : logChange(tx, playerId, 'push_off')
  })
}

/** @returns null, or too_many_requests */
export function choosePush(
  db: Database,
  { playerId, topics, amounts }: { playerId: number; topics: PushTopic[]; amounts: boolean },
): Promise<null | Refusal> {
  return db.transaction(async (tx) => {
    await lockPlayer(tx, playerId)
    const changed = await tx.query(
      `insert into inbox.push_choice as choice (player_id, topics, amounts)
       select id, $2, $3 from accounts.player where id = $1 and state <> 'closed'
       on conflict (player_id) do update set topics = $2, amounts = $3
       where (choice.topics, choice.amounts) is distinct from ($2, $3) returning player_id`,
      [playerId, topics, amounts],
    )
    return changed.length === 0 ? null : logChange(tx, playerId, 'push_chosen')
  })
}

async function lockPlayer(tx: Transaction, playerId: number): Promise<void> {
  await tx.query('select from accounts.player where id = $1 for no key update', [playerId])
}

/** Notes a change in the player's own log; a refusal undoes the change. */
async function logChange(
  tx: Transaction,
  playerId: number,
  what: 'push_on' | 'push_off' | 'push_chosen',
): Promise<null | Refusal> {
  const event = 'changes of pushes'
  const tooMany = await countOfDay(tx, { playerId, event, max: CHANGES_A_DAY })
  if (tooMany) return tooMany
  await logSignInChange(tx, { playerId, what })
  return null
}

const PURPOSE = 'push key'

type StoredKey = { publicKey: string; encrypted: Buffer; keyId: string }

function storedKey(db: Queryable): Promise<StoredKey | undefined> {
  return db.first<StoredKey>(
    `select public_key as "publicKey", encrypted_private_key as encrypted, key_id as "keyId" from inbox.push_key`,
  )
}

/** The key by which push services know the sender; the first call makes it. Of two at once one is kept. */
export async function pushKey({
  db,
  cipher,
}: {
  db: Queryable
  cipher: SecretCipher
}): Promise<StoredKey> {
  const known = await storedKey(db)
  if (known) return known
  const made: { publicKey: string; privateKey: string } = webPush.generateVAPIDKeys()
  await db.query(
    `insert into inbox.push_key (public_key, encrypted_private_key, key_id) values ($1, $2, $3) on conflict do nothing`,
    [made.publicKey, cipher.encrypt(Buffer.from(made.privateKey), PURPOSE), cipher.keyId],
  )
  const kept = await storedKey(db)
  if (!kept) throw new Error('the key of pushes was not stored')
  return kept
}

export const PUSH_KEYS: SecretColumn = {
  name: 'push_key',
  table: 'inbox.push_key',
  id: 'id',
  owner: 'id',
  secret: 'encrypted_private_key',
  keyId: 'key_id',
  purposeOf: () => PURPOSE,
}

/** Whom a push service may ask about what it is sent (RFC 8292, 2.1). */
export function pushSenderOf({
  publicUrl,
  mailFrom,
}: Pick<Config, 'publicUrl' | 'mailFrom'>): string {
  if (publicUrl?.startsWith('https:')) return publicUrl
  return `mailto:${/<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom}`
}

export const pushMessages = z.array(
  z.object({
    subscription: z.coerce.bigint(),
    topic: z.enum(PUSH_TOPICS),
    kind: z.string(),
    facts: z.record(z.string(), z.string()),
    /** Unix milliseconds. */
    until: z.number(),
    /** Whether it is in the queue of browsers whose push service is silent. */
    silent: z.boolean(),
  }),
)

type QueuedMessage = z.infer<typeof pushMessages>[number]

/** Each page shows what the message is about. */
export const PUSH_PATHS: Readonly<Record<PushTopic, string>> = {
  // It may be read on a later day. An approval and a payment are no movement of the statement.
  deposit: '/CapitalDetail?days=week&show=deposit',
  withdrawal: '/withdraw',
  sign_in: '/security',
  support: '/Notice?tab=messages',
}

/** A phone tells of it at once, also while it sleeps (RFC 8030, 5.3). One for all: the push service can read it. */
const URGENCY = 'high'

/** For how long a push service may take to answer. */
const ANSWER_MS = 5_000

/** Messages are filled up to this length, so that a push service learns nothing from it. */
const PAYLOAD_BYTES = 1_000

type PushDeps = {
  db: Database
  cipher: SecretCipher
  now: () => number
  sender: string
  log: Log
  /** As for `postPublicly`. */
  anywhere?: boolean
}

/**
 * Sends one message to browsers of one player, to all at once. Those that have not answered lately wait in a queue of
 * their own, where they delay nobody else. A subscription whose last try fails is removed: the app makes it anew.
 *
 * @param last whether it is their job's last try
 * @returns for each message its end, by which the queue tries again what failed (graphile-worker's batch jobs)
 */
export function sendPushes(
  deps: PushDeps,
  messages: readonly QueuedMessage[],
  last: boolean,
): Promise<void>[] {
  return messages.map(async (message) => {
    const { subscription: id } = message
    if (!message.silent && (await isSilent(deps.db, id)))
      return queueSilent(deps.db, { ...message, subscription: String(id), silent: true })
    await sendPush(deps, message).catch(async (error: unknown) => {
      if (!last) throw error
      await remove(deps.db, id)
      deps.log.info({ error: (error as Error).message }, 'a browser is told no more')
    })
  })
}

function isSilent(db: Queryable, id: bigint): Promise<boolean> {
  return db.exists(
    'select from inbox.push_subscription where id = $1 and silent_until > app.now()',
    [id],
  )
}

/** Notes for an hour that it did not answer: in its queue others may be waited for much longer. */
async function noteSilence(db: Queryable, id: bigint): Promise<void> {
  await db.query(
    `update inbox.push_subscription set silent_until = app.now() + interval '1 hour' where id = $1`,
    [id],
  )
}

/** Of a service of browsers: they answer within a fraction of it. */
const SLOW_MS = 1_000

async function noteAnswer(db: Queryable, id: bigint): Promise<void> {
  await db.query(
    'update inbox.push_subscription set silent_until = null where id = $1 and silent_until is not null',
    [id],
  )
}

/**
 * Sends one message to one browser, if its player still wants it. A subscription that is gone, or whose address is not
 * public, is removed.
 *
 * @throws if it may succeed later: the service is away, slow or asks for time
 */
export async function sendPush(
  deps: PushDeps,
  { subscription: id, topic, kind, facts, until }: QueuedMessage,
): Promise<void> {
  const { db, log } = deps
  if (deps.now() > until) return
  const target = await db.first<Target>(
    `select endpoint, p256dh, auth, lang, amounts
     from inbox.push_subscription subscription
       join accounts.player on player.id = subscription.player_id and player.state = 'active'
       join inbox.push_choice on push_choice.player_id = player.id and $2 = any (topics)
     where subscription.id = $1 and ${IS_SIGNED_IN} and not protection.hears_no_advertising(player.id)`,
    [id, topic],
  )
  if (!target) return
  const language = languageOf(target.lang)
  const named = `notice.${kind}.title`
  const title =
    target.amounts && hasMessage(named)
      ? translate(language, named, spokenFacts(language, facts))
      : translate(language, `push.${topic}` satisfies MessageKey)
  const body = translate(language, 'push.more')
  const message: PushMessage = { title, body, path: PUSH_PATHS[topic], topic, lang: language }
  const sentAt = deps.now()
  const status = await post(deps, target, message).catch(async (error) => {
    if (error instanceof NotPublic) return 0
    await noteSilence(db, id)
    throw error
  })
  // One that always answers late would hold up everybody's messages as much as one that never does.
  if (deps.now() - sentAt > SLOW_MS) await noteSilence(db, id)
  else await noteAnswer(db, id)
  if (status >= 200 && status < 300) return
  if (status === 0 || status === 404 || status === 410) return remove(db, id)
  // Its text may contain the address, which is a secret of the browser.
  const service = new URL(target.endpoint).host
  if (status === 429 || status >= 500)
    throw new Error(`the push service ${service} answered ${status}`)
  log.warn({ service, status }, 'a push service refused a message')
}

async function post(
  { db, cipher, sender, anywhere = false }: PushDeps,
  { endpoint, p256dh, auth }: Target,
  message: PushMessage,
): Promise<number> {
  const key = await pushKey({ db, cipher })
  const privateKey = cipher.decrypt(key.encrypted, PURPOSE, key.keyId).toString()
  const text = JSON.stringify(message)
  const filler = ' '.repeat(Math.max(0, PAYLOAD_BYTES - Buffer.byteLength(text)))
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    text + filler,
    {
      vapidDetails: { subject: sender, publicKey: key.publicKey, privateKey },
      TTL: PUSH_SECONDS,
      urgency: URGENCY,
    },
  )
  return postPublicly(new URL(endpoint), { headers, body, anywhere, withinMs: ANSWER_MS })
}

type Target = {
  endpoint: string
  p256dh: string
  auth: string
  lang: string
  amounts: boolean
}

/** Deletes the subscriptions of browsers on which their player is signed in no more. @returns how many */
export async function forgetSignedOutBrowsers(db: Queryable): Promise<number> {
  const gone = await db.query(
    `delete from inbox.push_subscription subscription where not ${IS_SIGNED_IN} returning id`,
  )
  return gone.length
}

async function remove(db: Queryable, id: bigint): Promise<void> {
  await db.query('delete from inbox.push_subscription where id = $1', [id])
}
