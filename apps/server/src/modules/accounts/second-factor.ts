/**
 * A player's second factor, by his choice. Once it is on, he gives a code of his authenticator app, or a recovery code,
 * where a password was enough: at a sign-in on a device that does not know him, and in a proof. A passkey needs no code
 * beside it: it asks for the finger, face or PIN of the device that has it.
 */
import { createHash } from 'node:crypto'
import type { Database, Queryable, Transaction } from '#src/db/database.ts'
import type { SecretColumn } from '#src/db/reencryption.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal/refusal.ts'
import {
  bareRecoveryCode,
  newRecoveryCodes,
  newTotpSecret,
  TIME_STEP_MS,
  timeStepOf,
  totpSetup,
} from '#src/secrets/one-time-codes.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import { countOfDay, countWithWait, forgetCounts } from './count-store.ts'
import { noteSignInChange } from './note-sign-in-change.ts'
import { hasUsablePasskey } from './passkeys.ts'
import { endOtherDevices } from './remember-device.ts'
import { noteSensitiveChange } from './security-store.ts'
import { isSessionActive } from './session.ts'

/** Wrong codes after the right password: so many at once, and then each after a longer wait. */
export const CODES_FREE = 5
const CODES_WAIT_MAX_SECONDS = 1_800

/** A code that is wrong by at most so many steps more tells that a clock is. */
const HINT_STEPS = 4

/** How often a day a player may switch his second factor or renew his recovery codes, all together. */
const FACTOR_CHANGES_A_DAY = 20

export type FactorDeps = {
  db: Database
  cipher: SecretCipher
}

type Factor = {
  since: number
  encryptedTotpSecret: Buffer | null
  totpKeyId: string | null
  codesLeft: number
  now: number
}

/** A player's second factor; undefined if it is off. */
export function factorOf(db: Queryable, playerId: number): Promise<Factor | undefined> {
  return db.first<Factor>(
    `select on_since as since, encrypted_totp_secret as "encryptedTotpSecret", totp_key_id as "totpKeyId",
       (select count(*)::integer from accounts.recovery_code code
        where code.player_id = $1 and code.used_at is null) as "codesLeft", app.now() as now
     from accounts.second_factor where player_id = $1`,
    [playerId],
  )
}

/**
 * Checks the code of a player whose password was right. Each try is counted before it is checked; a right code is good
 * once.
 *
 * @param code six digits of the authenticator app, or a recovery code as typed; undefined: none was given
 * @returns `right`, or null if no second factor is on; or second_factor_required, second_factor_wrong,
 *   second_factor_used, or too_many_requests with the seconds to wait
 */
export async function checkFactor(
  deps: FactorDeps,
  { playerId, code = '' }: { playerId: number; code?: string | undefined },
): Promise<'right' | null | Refusal> {
  const { db } = deps
  const factor = await factorOf(db, playerId)
  if (!factor) return null
  if (code.trim() === '') return refuse('second_factor_required')
  const key = createHash('sha256').update(`second factor of ${playerId}`).digest()
  const limit = { key, free: CODES_FREE, waitMax: CODES_WAIT_MAX_SECONDS }
  const wait = await countWithWait(db, limit)
  if (wait > 0) return refuse('too_many_requests', { retry_after: wait })
  const wrong = /^\d{6}$/.test(code)
    ? await useAppCode(deps, { playerId, code, factor })
    : await useRecoveryCode(deps, { playerId, code })
  if (wrong) return wrong
  await forgetCounts(db, [key])
  return 'right'
}

/** Whether a code was given and was not right. */
export function isWrongCode({ refused }: Refusal): boolean {
  return refused === 'second_factor_wrong' || refused === 'second_factor_used'
}

async function useAppCode(
  { db, cipher }: FactorDeps,
  { playerId, code, factor }: { playerId: number; code: string; factor: Factor },
): Promise<Refusal | null> {
  const { encryptedTotpSecret, totpKeyId, now } = factor
  if (encryptedTotpSecret === null || totpKeyId === null) return refuse('second_factor_wrong')
  const secret = cipher.decrypt(encryptedTotpSecret, purposeOf(playerId), totpKeyId)
  const step = stepOrHint(code, { secret, at: now })
  if (isRefusal(step)) return step
  const used = await db.query(
    `update accounts.second_factor set totp_time_step = $2, used_at = app.now()
     where player_id = $1 and totp_time_step < $2 and encrypted_totp_secret = $3 returning player_id`,
    [playerId, step, encryptedTotpSecret],
  )
  return used.length === 1 ? null : refuse('second_factor_used')
}

/** The time step of a right code; of a wrong one the refusal, which says if the phone's clock may be wrong. */
function stepOrHint(
  code: string,
  { secret, at }: { secret: Uint8Array; at: number },
): number | Refusal {
  const step = timeStepOf(code, { secret, at })
  if (step !== null) return step
  const near = timeStepOf(code, { secret, at, window: HINT_STEPS })
  if (near === null) return refuse('second_factor_wrong')
  const drift = Math.abs(near - Math.floor(at / TIME_STEP_MS)) * (TIME_STEP_MS / 1000)
  return { ...refuse('second_factor_wrong', { drift }), wording: 'second_factor_clock' }
}

function useRecoveryCode(
  { db }: FactorDeps,
  { playerId, code }: { playerId: number; code: string },
): Promise<Refusal | null> {
  return db.transaction(async (tx) => {
    const used = await tx.query(
      `with used as (update accounts.recovery_code set used_at = app.now()
         where code_hash = $2 and player_id = $1 and used_at is null returning player_id)
       update accounts.second_factor set used_at = app.now()
       where player_id in (select player_id from used) returning player_id`,
      [playerId, recoveryHash(playerId, code)],
    )
    if (used.length === 0) return refuse('second_factor_wrong')
    const { codesLeft = 0 } = (await factorOf(tx, playerId)) ?? {}
    await noteSignInChange(tx, { playerId, kind: 'recovery_used', name: String(codesLeft) })
    return null
  })
}

function recoveryHash(playerId: number, code: string): Buffer {
  return createHash('sha256')
    .update(`recovery of ${playerId} ${bareRecoveryCode(code)}`)
    .digest()
}

/** Binds a secret to its player: it cannot be decrypted in another row. */
function purposeOf(playerId: number): string {
  return `totp of ${playerId}`
}

/** Binds a secret that is not stored yet to the session that asked for it. */
function setupOf(playerId: number, session: Buffer): string {
  return `totp setup of ${playerId} in ${session.toString('hex')}`
}

type Owner = { playerId: number; session: Buffer }

/** Makes a secret for an authenticator app. Nothing is stored: the sealed secret comes back with the first code. */
export function setUpAuthenticator(
  cipher: SecretCipher,
  { playerId, session, username }: Owner & { username: string },
) {
  const secret = newTotpSecret()
  const { totpSecret, otpauth } = totpSetup(secret, username)
  const setup = cipher.encrypt(secret, setupOf(playerId, session)).toString('base64url')
  return { secret: totpSecret, otpauth, setup }
}

/**
 * Switches the second factor on: by an authenticator app, whose first code shows that it works, or without one by the
 * passkeys that the player has. An app takes the place of an earlier one. Withdrawals are held afterwards, and all
 * other devices are signed out: whoever is on one has to give it.
 *
 * @param chosen `setup`: the sealed secret of this session; null: by passkeys
 * @returns the recovery codes, which are stored nowhere, and make earlier ones void; or second_factor_wrong,
 *   passkey_missing, too_many_requests, or session_replaced
 */
export function switchFactorOn(
  deps: FactorDeps,
  { playerId, session, app }: Owner & { app: { setup: string; code: string } | null },
): Promise<string[] | Refusal> {
  const { cipher } = deps
  return changeFactor(deps, { playerId, session, kind: 'factor_on' }, async (tx) => {
    await endOtherDevices(tx, { playerId, session })
    if (!app) {
      if (!(await hasUsablePasskey(tx, playerId))) return refuse('passkey_missing')
      await tx.query(
        'insert into accounts.second_factor (player_id) values ($1) on conflict do nothing',
        [playerId],
      )
      return renewCodes(tx, playerId)
    }
    const secret = sealedSecret(cipher, { playerId, session, setup: app.setup })
    const at = await tx.value<number>('select app.now()')
    const step = secret ? stepOrHint(app.code, { secret, at }) : null
    if (!secret || step === null) return refuse('second_factor_wrong')
    // There is no recovery code yet, of which the usual words speak.
    if (isRefusal(step)) return { wording: 'second_factor_of_app', ...step }
    await tx.query(
      `insert into accounts.second_factor
         (player_id, encrypted_totp_secret, totp_key_id, totp_time_step, used_at)
       values ($1, $2, $3, $4, app.now())
       on conflict (player_id) do update set encrypted_totp_secret = $2, totp_key_id = $3, totp_time_step = $4,
         used_at = excluded.used_at`,
      [playerId, cipher.encrypt(secret, purposeOf(playerId)), cipher.keyId, step],
    )
    return renewCodes(tx, playerId)
  })
}

function sealedSecret(
  cipher: SecretCipher,
  { playerId, session, setup }: Owner & { setup: string },
): Buffer | null {
  try {
    const sealed = Buffer.from(setup, 'base64url')
    return cipher.decrypt(sealed, setupOf(playerId, session), cipher.keyId)
  } catch {
    // Of another session or player, of a key that was replaced, or altered.
    return null
  }
}

/** @returns the codes, which make earlier ones void; or second_factor_off, too_many_requests, session_replaced */
export function renewRecoveryCodes(deps: FactorDeps, owner: Owner): Promise<string[] | Refusal> {
  return changeFactor(deps, { ...owner, kind: 'recovery_renewed' }, async (tx) => {
    // Who proved a moment ago that he has the factor has used it here: it is not reset by a proposal of before.
    const used = await tx.query(
      'update accounts.second_factor set used_at = app.now() where player_id = $1 returning player_id',
      [owner.playerId],
    )
    return used.length > 0 ? renewCodes(tx, owner.playerId) : refuse('second_factor_off')
  })
}

/** @returns null, or second_factor_off, too_many_requests, session_replaced */
export function switchFactorOff(deps: FactorDeps, owner: Owner): Promise<Refusal | null> {
  return changeFactor(deps, { ...owner, kind: 'factor_off' }, async (tx) => {
    const gone = await tx.query(
      'delete from accounts.second_factor where player_id = $1 returning player_id',
      [owner.playerId],
    )
    if (gone.length === 0) return refuse('second_factor_off')
    await tx.query('delete from accounts.recovery_code where player_id = $1', [owner.playerId])
    return null
  })
}

function changeFactor<Result>(
  { db }: FactorDeps,
  { playerId, session, kind }: Owner & { kind: 'factor_on' | 'factor_off' | 'recovery_renewed' },
  change: (tx: Transaction) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  return db.transaction(async (tx) => {
    // First, because it locks the player.
    await noteSensitiveChange(tx, playerId)
    if (!(await isSessionActive(tx, session))) return refuse('session_replaced')
    const result = await change(tx)
    if (isRefusal(result)) return result
    const event = 'changes of second factors'
    const tooMany = await countOfDay(tx, { playerId, event, max: FACTOR_CHANGES_A_DAY })
    if (tooMany) return tooMany
    await noteSignInChange(tx, { playerId, kind })
    return result
  })
}

async function renewCodes(tx: Transaction, playerId: number): Promise<string[]> {
  const codes = newRecoveryCodes()
  await tx.query('delete from accounts.recovery_code where player_id = $1', [playerId])
  await tx.query(
    'insert into accounts.recovery_code (player_id, code_hash) select $1, unnest($2::bytea[])',
    [playerId, codes.map((code) => recoveryHash(playerId, code))],
  )
  return codes
}

export const APP_SECRETS: SecretColumn = {
  name: 'app_secret',
  table: 'accounts.second_factor',
  id: 'player_id',
  owner: 'player_id',
  secret: 'encrypted_totp_secret',
  keyId: 'totp_key_id',
  purposeOf: ({ id }) => purposeOf(id),
}
