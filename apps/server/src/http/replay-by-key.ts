/**
 * Idempotency keys for every call that changes something: a repeated key with the same input acts once and gets the
 * same answer; with another input it is refused. Orders and withdrawals check their keys themselves, in the
 * transaction that moves the money. See docs/decisions/0036.
 */
import { createHash, createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import { changesSomething, type Route } from '@sum28/contract/route.ts'
import type { MessageKey } from '@sum28/i18n/translate.ts'
import { timedOut } from '#src/concurrency/concurrency.ts'
import { mayBeCommitted } from '#src/db/database.ts'
import type { Claim, KeyedRequest, KeyStore } from '#src/db/key-store.ts'
import { networksOf } from '#src/formats/network-of.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { RouteBinding } from './call.ts'
import { isBusinessRefusal } from './envelope.ts'

/** How long a repeated request waits for the first, in milliseconds: less than a client waits for its answer. */
const WAIT_MS = 5_000

/** Between two looks for the first one's answer, in milliseconds: twice as long each time. */
const LOOK_AFTER_MS = 50
const LOOK_AFTER_MAX_MS = 800

/**
 * New keys that are kept in a day, each for a week: of a player, and of a network's players and strangers together;
 * those around it may have more (`networksOf`). Beyond them a call acts like one without a key, and nobody can keep
 * his neighbours from signing in, or himself from taking a break.
 */
export const KEYS_A_DAY = 5_000
export const KEYS_OF_NETWORK_A_DAY = 20_000

/**
 * Fields that contain a secret. No hash includes them: a hash of a few digits or of a password would reveal it to a
 * person who has both the database and the key. Passwords are stored so that even then they are hard to guess.
 */
export const SECRET_FIELDS: ReadonlySet<string> = new Set([
  ...[
    'password',
    'newpassword',
    'new_password',
    'new_pass',
    'new',
    'old_pass',
    'old',
    'after_pass',
  ],
  ...[
    'new_code',
    'repeated_code',
    'old_code',
    'after_code',
    'security_code',
    'securityCode',
    'safety',
  ],
  ...['code', 'captcha', 'totp', 'recovery_code'],
])

/** The stored result of a finished request. */
type StoredReply =
  | { readonly data: unknown; readonly say: MessageKey }
  | { readonly refusal: Refusal }

type Call = Parameters<RouteBinding['handle']>[0]

export type ReplayByKey = (binding: RouteBinding) => RouteBinding

/** Makes a function that wraps a binding so that its calls honour their keys. */
export function replayByKey(deps: {
  keys: KeyStore
  /**
   * Key the hashes of inputs, so that a reader of the database alone learns nothing from them. New hashes use the
   * first; hashes made with the others are recognised.
   */
  hashKeys: readonly [Buffer, ...Buffer[]]
  /** How long a repeated request waits for the first; other values in tests. */
  waitMs?: number
  /** Called if a reply could not be stored. */
  onError: (error: unknown) => void
}): ReplayByKey {
  const { keys, waitMs = WAIT_MS } = deps
  const [hashKey, ...otherKeys] = deps.hashKeys

  function hash(text: string, by = hashKey): Buffer {
    return createHmac('sha256', by).update(text).digest()
  }

  /**
   * The owner of the keys. A call without a session names an account or an address: its keys belong to that, so that
   * two people with the same key do not conflict.
   */
  function ownerOf({ caller, input }: Call): string {
    if (caller && 'playerId' in caller) return `player:${caller.playerId}`
    if (caller) return `staff:${caller.staffId}`
    const { account, username, email } = input as Record<string, unknown>
    const named = asciiLowerCase(String(account ?? username ?? email ?? ''))
    return `stranger:${hash(named).toString('hex')}`
  }

  /** Staff decide on as many as there are. */
  function countersOf({ caller, address }: Call): NonNullable<KeyedRequest['countedWith']> {
    if (caller && 'staffId' in caller) return []
    const counter = (whose: string) => hash(`kept keys of ${whose}`)
    return [
      ...(caller ? [{ counter: counter(`player ${caller.playerId}`), max: KEYS_A_DAY }] : []),
      ...networksOf(address).map(({ name, share }) => ({
        counter: counter(`network ${name}`),
        max: KEYS_OF_NETWORK_A_DAY * share,
      })),
    ]
  }

  function textOfInput({ path }: Route, { input, file }: Call): string {
    const fields = Object.entries(input as object).filter(([name]) => !SECRET_FIELDS.has(name))
    const sent = file && createHash('sha256').update(file.bytes).digest('hex')
    return JSON.stringify([path, fields, sent], bigintAsText)
  }

  async function once(binding: RouteBinding, call: Call, key: string): Promise<unknown> {
    const { route } = binding
    const text = textOfInput(route, call)
    const request = {
      owner: ownerOf(call),
      key,
      route: route.path,
      inputHash: hash(text),
      alike: otherKeys.map((other) => hash(text, other)),
      countedWith: countersOf(call),
    }
    const end = performance.now() + waitMs
    for (let wait = LOOK_AFTER_MS; ; wait = Math.min(2 * wait, LOOK_AFTER_MAX_MS)) {
      const state = await keys.claim(request)
      if ('claim' in state) return carryOut(binding, call, state.claim)
      if ('other' in state) return refuse('idempotency_conflict')
      if ('notKept' in state) return binding.handle(call)
      if ('result' in state) return replay(binding, call, state.result as StoredReply)
      if (performance.now() > end) return timedOut()
      await sleep(wait)
    }
  }

  async function carryOut(
    { handle, idempotency }: RouteBinding,
    call: Call,
    claim: Claim,
  ): Promise<unknown> {
    let result: unknown
    try {
      result = await handle(call)
    } catch (error) {
      const { stored: data, message: say } = call.extras
      if (data !== undefined) {
        await keys.finish(claim, { data, say }).catch(deps.onError)
      } else if (!mayBeCommitted(error)) {
        // Otherwise the call was perhaps carried out: nobody may do it once more at once.
        await keys.release(claim).catch(deps.onError)
      }
      throw error
    }
    const secret = typeof idempotency === 'object' ? idempotency : null
    const stored: StoredReply | null = isRefusal(result)
      ? // Of a call with a secret a refusal may be about that, which the next try may mend; a stranger's is judged
        // again, for what he sends may cost him nothing.
        isBusinessRefusal(result) && !secret && call.caller
        ? { refusal: result }
        : null
      : { data: secret ? secret.store(result) : result, say: call.extras.message }
    // The change is committed: its reply is sent even if it could not be stored.
    await (stored ? keys.finish(claim, stored) : keys.release(claim)).catch(deps.onError)
    return result
  }

  async function replay(
    { idempotency }: RouteBinding,
    call: Call,
    stored: StoredReply,
  ): Promise<unknown> {
    if ('refusal' in stored) {
      call.extras.replayed()
      return stored.refusal
    }
    call.extras.say(stored.say)
    if (typeof idempotency !== 'object') {
      call.extras.replayed()
      return stored.data
    }
    const again = await idempotency.replay(call, stored.data)
    if (!isRefusal(again)) call.extras.replayed()
    return again
  }

  return (binding) => {
    const { route, handle, idempotency } = binding
    if (!changesSomething(route) || idempotency === 'own_transaction') return binding
    return {
      ...binding,
      handle: (call) =>
        call.idempotencyKey === null ? handle(call) : once(binding, call, call.idempotencyKey),
    }
  }
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}
