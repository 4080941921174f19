/**
 * Passkeys by WebAuthn level 3 (https://www.w3.org/TR/webauthn-3/). The private key stays in the player's device,
 * which asks for his finger, face or PIN each time; the product stores the public key.
 */
import { randomBytes } from 'node:crypto'
import type { Database, Queryable, Transaction } from '#src/db/database.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal/refusal.ts'
import { type Account, accountById, whyNotToSignIn } from './account-store.ts'
import { countOfDay } from './count-store.ts'
import { noteSignInChange } from './note-sign-in-change.ts'
import { noteSensitiveChange } from './security-store.ts'
import { isSessionActive } from './session.ts'
import { keyedHash, type SignInGuard } from './sign-in-guard.ts'

/** The page that passkeys belong to: a browser uses them nowhere else. */
export type RelyingParty = {
  /** Such as `https://app.example`. */
  origin: string
  /** Its host: the RP id. */
  id: string
}

/** @param publicUrl the configured address of the app; null: `origin`, that the request was sent to */
export function relyingPartyOf(publicUrl: string | null, origin: string): RelyingParty {
  const url = new URL(publicUrl ?? origin)
  return { origin: url.origin, id: url.hostname }
}

/** How long a challenge can be answered: as long as people look for a key (WebAuthn 3, 15.1). */
const CHALLENGE_SECONDS = 300

type Purpose = { purpose: string; party: RelyingParty }

export type ChallengeDeps = {
  db: Database
  /** Keys the stored hash of a challenge; players and staff have keys of their own. */
  codeKey: Buffer
}

/** Makes a challenge that is good once, for this purpose and page. Each deletes two that are over. */
export async function makeChallenge(
  { db, codeKey }: ChallengeDeps,
  { purpose, party }: Purpose,
): Promise<{ challenge: string; rp_id: string }> {
  const challenge = randomBytes(32).toString('base64url')
  await db.query(
    `with over as (
       delete from accounts.challenge where hash in (
         select hash from accounts.challenge
         where made_at < (select app.now() - make_interval(secs => $2))
         order by made_at limit 2 for update skip locked)
     )
     insert into accounts.challenge (hash) values ($1)`,
    [challengeHash(codeKey, { challenge, purpose, party }), CHALLENGE_SECONDS],
  )
  return { challenge, rp_id: party.id }
}

function challengeHash(
  codeKey: Buffer,
  { challenge, purpose, party }: Purpose & { challenge: string },
): Buffer {
  return keyedHash(codeKey, 'challenge', purpose, party.origin, challenge)
}

/** Takes a challenge. Returns when it was made; undefined if none was for this, it is over, or it was taken before. */
async function takeChallenge(
  { db, codeKey }: ChallengeDeps,
  made: Purpose & { challenge: string },
): Promise<number | undefined> {
  const [madeAt] = await db.column<number>(
    `delete from accounts.challenge where hash = $1
       and made_at >= app.now() - make_interval(secs => $2) returning made_at`,
    [challengeHash(codeKey, made), CHALLENGE_SECONDS],
  )
  return madeAt
}

export type PasskeyDeps = ChallengeDeps & { guard: SignInGuard }

/** An authenticator's answer to a challenge, in base64url. */
export type PasskeyAnswer = {
  credential_id: string
  client_data: string
  authenticator_data: string
  signature: string
  user_handle?: string | undefined
}

/** The answer among the fields of a call; null unless it is whole. */
export function answerIn(
  fields: {
    [Field in keyof PasskeyAnswer]?: PasskeyAnswer[Field] | undefined
  },
): PasskeyAnswer | null {
  const { credential_id, client_data, authenticator_data, signature, user_handle } = fields
  const whole = credential_id && client_data && authenticator_data && signature
  return whole ? { credential_id, client_data, authenticator_data, signature, user_handle } : null
}

export const PASSKEYS_MAX = 20

/** How many passkeys a player may add a day. To remove them is always possible: a thief may have added them. */
const ADDED_A_DAY = 20

/** EdDSA, ES256, RS256, as COSE numbers them. */
const ALGORITHMS = [-8, -7, -257]

/**
 * Checks the answer of a passkey. Tries are counted by the account's name and by the network, as those of passwords. A
 * passkey whose count goes back signs in no more: somebody may have a copy (WebAuthn 3, 6.1.1). A lower count in an
 * answer to a challenge from before its last use shows nothing: the answer may have come late.
 *
 * @param tried `purpose`: what the challenge was made for; `playerId`: whose passkey it must be, null for anybody's,
 *   who must then be named by the authenticator
 * @returns the account; or passkey_unknown, passkey_refused, passkey_cloned, a refusal of `whyNotToSignIn`, or
 *   too_many_requests with the seconds to wait
 */
export async function usePasskey(
  deps: PasskeyDeps,
  tried: {
    answer: PasskeyAnswer
    purpose: string
    party: RelyingParty
    playerId: number | null
    network: string
  },
): Promise<Account | Refusal> {
  const { db, guard } = deps
  const { answer, playerId, network } = tried
  const passkey = await db.first<Passkey>(`select ${PASSKEY} where credential_id = $1`, [
    Buffer.from(answer.credential_id, 'base64url'),
  ])
  const isOwn = passkey !== undefined && (playerId === null || passkey.playerId === playerId)
  const name = isOwn ? passkey.username : `passkey ${answer.credential_id}`
  const counted = await guard.count({ name, playerId: isOwn ? passkey.playerId : null, network })
  if (isRefusal(counted)) return counted
  if (!isOwn) return counted.ifWrong ?? refuse('passkey_unknown')
  const signed = await signedCount(deps, { ...tried, passkey, named: playerId === null })
  if (signed === null) return counted.ifWrong ?? refuse('passkey_refused')
  const account = await accountById(db, passkey.playerId)
  if (!account) throw new Error('a passkey without an account')
  const closed = whyNotToSignIn(account)
  if (closed) {
    // Not noted as a use: of an account that was taken over, whoever has added the passkey would keep staff from
    // switching the second factor off.
    await guard.right(counted)
    return closed
  }
  // The count of a copy does not grow. Many authenticators always count 0.
  const isOriginal = await db.exists(
    `update accounts.passkey set sign_count = $2, used_at = app.now()
     where id = $1 and cloned_at is null and ($2 > sign_count or ($2 = 0 and sign_count = 0)) returning id`,
    [passkey.id, signed.count],
  )
  if (!isOriginal) {
    const isLate = await db.exists(
      `select from accounts.passkey
       where id = $1 and cloned_at is null and $2 < sign_count and $3 < used_at`,
      [passkey.id, signed.count, new Date(signed.challengedAt)],
    )
    if (isLate) return counted.ifWrong ?? refuse('passkey_refused')
    await noteClone(deps, passkey)
    return refuse('passkey_cloned')
  }
  await guard.right(counted)
  return account
}

/**
 * The count of a right answer, and when its challenge was made; null if anything in it is wrong. The challenge is used up
 * in any case.
 *
 * @param named whether the authenticator must say whose passkey it is
 */
export async function signedCount(
  deps: ChallengeDeps,
  {
    answer,
    purpose,
    party,
    passkey,
    named,
  }: Purpose & {
    answer: PasskeyAnswer
    passkey: { publicKey: Buffer; userHandle: Buffer }
    named: boolean
  },
): Promise<{ count: number; challengedAt: number } | null> {
  const challenge = challengeIn(answer.client_data)
  if (challenge === null) return null
  // Taken before anything is checked: a wrong answer uses it up as well.
  const challengedAt = await takeChallenge(deps, { challenge, purpose, party })
  if (challengedAt === undefined) return null
  const handle = answer.user_handle
  const isNamed = handle === passkey.userHandle.toString('base64url')
  if (handle === undefined ? named : !isNamed) return null
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: answer.credential_id,
        rawId: answer.credential_id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: answer.client_data,
          authenticatorData: answer.authenticator_data,
          signature: answer.signature,
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      // The stored count is compared where the use is noted: by `usePasskey`, or by `staff.use_passkey`.
      credential: {
        id: answer.credential_id,
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: 0,
      },
    })
    return verified ? { count: authenticationInfo.newCounter, challengedAt } : null
  } catch {
    // It throws for whatever is wrong, and does nothing but compute.
    return null
  }
}

/** The challenge in the client data of an answer; null if they have no such form, or tell of a frame. */
function challengeIn(clientData: string): string | null {
  try {
    const { challenge, crossOrigin } = JSON.parse(Buffer.from(clientData, 'base64url').toString())
    return typeof challenge === 'string' && crossOrigin !== true ? challenge : null
  } catch {
    return null
  }
}

/** A purpose that binds a challenge to the session that asked for it. */
export function purposeIn(session: Buffer, purpose: 'prove' | 'add passkey'): string {
  return `${purpose} in ${session.toString('hex')}`
}

/**
 * Adds a passkey that a browser has made with a challenge of `add passkey`, which only a proof gives. Withdrawals are
 * held afterwards.
 *
 * @returns null, or passkey_refused, passkeys_full, too_many_requests, or session_replaced (the session has ended
 *   meanwhile)
 */
export async function addPasskey(
  deps: PasskeyDeps,
  made: MadePasskey & { playerId: number; session: Buffer; party: RelyingParty },
): Promise<Refusal | null> {
  const { db } = deps
  const { playerId, session, name } = made
  const credential = await madeCredential(deps, {
    ...made,
    purpose: purposeIn(session, 'add passkey'),
  })
  if (!credential) return refuse('passkey_refused')
  return db.transaction(async (tx) => {
    // First, because it locks the player.
    await noteSensitiveChange(tx, playerId)
    if (!(await isSessionActive(tx, session))) return refuse('session_replaced')
    const others = await passkeysOf(tx, playerId)
    if (others.length >= PASSKEYS_MAX) return refuse('passkeys_full', { maximum: PASSKEYS_MAX })
    const tooMany = await countOfDay(tx, { playerId, event: 'added passkeys', max: ADDED_A_DAY })
    if (tooMany) return tooMany
    const added = await tx.query(
      `insert into accounts.passkey
         (player_id, credential_id, public_key, user_handle, sign_count, transports, name)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning id`,
      [playerId, ...storedPasskey(deps, made, { ...credential, account: playerId, others })],
    )
    if (added.length === 0) return refuse('passkey_refused')
    await noteSignInChange(tx, { playerId, kind: 'passkey_added', name })
    return null
  })
}

/** A passkey that a browser made, in base64url, and the name that its owner gives to it. */
export type MadePasskey = {
  name: string
  client_data: string
  attestation: string
  /** Names with commas between them. */
  transports?: string | undefined
}

type Credential = { id: string; publicKey: Uint8Array; counter: number }

/**
 * Reads what a browser made of a challenge; null if anything in it is wrong. Only attestations that name no maker are
 * taken: the certificates of others would have to be looked up at addresses that they themselves contain.
 */
export async function madeCredential(
  deps: ChallengeDeps,
  made: Purpose & Pick<MadePasskey, 'client_data' | 'attestation'>,
): Promise<Credential | null> {
  const { purpose, party } = made
  const challenge = challengeIn(made.client_data)
  if (challenge === null) return null
  if ((await takeChallenge(deps, { challenge, purpose, party })) === undefined) return null
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  try {
    const attestation = decodeAttestationObject(
      Uint8Array.from(Buffer.from(made.attestation, 'base64url')),
    )
    const format = attestation.get('fmt')
    const isPlain =
      format === 'none' || (format === 'packed' && !attestation.get('attStmt').get('x5c'))
    if (!isPlain) return null
    const id = credentialIdIn(attestation.get('authData'))
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: made.client_data, attestationObject: made.attestation },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    return verified ? registrationInfo.credential : null
  } catch {
    // It throws for whatever is wrong, and does nothing but compute.
    return null
  }
}

/** The id in the attested credential data (WebAuthn 3, 6.5.1): two bytes of length, after 37 and 16 others. */
function credentialIdIn(authenticatorData: Uint8Array): string {
  const data = Buffer.from(authenticatorData)
  return data.subarray(55, 55 + data.readUInt16BE(53)).toString('base64url')
}

export async function passkeyOptions(
  deps: PasskeyDeps,
  player: { playerId: number; username: string; session: Buffer; party: RelyingParty },
) {
  const { playerId: account, username: name, session, party } = player
  const others = await passkeysOf(deps.db, account)
  const purpose = purposeIn(session, 'add passkey')
  return creationOptions(deps, { account, name, others, purpose, party })
}

/** What a browser needs to make a passkey of a player or of a member of staff who has these others. */
export async function creationOptions(
  deps: ChallengeDeps,
  { account, name, others, ...made }: Purpose & Owner & { name: string },
) {
  return {
    ...(await makeChallenge(deps, made)),
    user: { id: userHandleOf(deps, { account, others }).toString('base64url'), name },
    passkeys: others.map(descriptor),
  }
}

/** The stored form of a new passkey: its credential, key, handle, count, transports and name. */
export function storedPasskey(
  deps: ChallengeDeps,
  { name, transports = '' }: Pick<MadePasskey, 'name' | 'transports'>,
  made: Credential & Owner,
) {
  return [
    Buffer.from(made.id, 'base64url'),
    Buffer.from(made.publicKey),
    userHandleOf(deps, made),
    made.counter,
    transports.split(',').filter(Boolean),
    name,
  ]
}

/** A passkey as browsers are told of it. */
export function descriptor({
  credentialId,
  transports,
}: Pick<StoredPasskey, 'credentialId' | 'transports'>) {
  return { id: credentialId.toString('base64url'), transports }
}

/** A player or a member of staff, by his number, and the passkeys that he has. */
type Owner = { account: number; others: readonly StoredPasskey[] }

/** All passkeys of an account have one. */
function userHandleOf({ codeKey }: ChallengeDeps, { account, others }: Owner): Buffer {
  return others[0]?.userHandle ?? keyedHash(codeKey, 'passkeys of', String(account))
}

/**
 * Removes a passkey. Withdrawals are held afterwards.
 *
 * @returns null, or passkey_unknown, second_factor_last (his second factor is nothing but this one) or
 *   session_replaced
 */
export function removePasskey(
  { db }: PasskeyDeps,
  { playerId, session, id }: { playerId: number; session: Buffer; id: number },
): Promise<Refusal | null> {
  return db.transaction(async (tx) => {
    await noteSensitiveChange(tx, playerId)
    if (!(await isSessionActive(tx, session))) return refuse('session_replaced')
    const [removed] = await tx.query<{ name: string; cloned: boolean }>(
      `delete from accounts.passkey where id = $1 and player_id = $2
       returning name, cloned_at is not null as cloned`,
      [id, playerId],
    )
    if (!removed) return refuse('passkey_unknown')
    if (!removed.cloned && (await needsPasskey(tx, playerId))) return refuse('second_factor_last')
    await noteSignInChange(tx, { playerId, kind: 'passkey_removed', name: removed.name })
    return null
  })
}

/** Whether a player's second factor is on, and neither an app nor a passkey is left for it. */
async function needsPasskey(tx: Transaction, playerId: number): Promise<boolean> {
  const without = await tx.query(
    'select from accounts.second_factor where player_id = $1 and encrypted_totp_secret is null',
    [playerId],
  )
  return without.length === 1 && !(await hasUsablePasskey(tx, playerId))
}

/** Whether a player has a passkey that signs in. */
export async function hasUsablePasskey(db: Queryable, playerId: number): Promise<boolean> {
  return (await passkeysOf(db, playerId)).some(({ cloned }) => !cloned)
}

type Passkey = StoredPasskey & { playerId: number; username: string }

/** A passkey of a player or of a member of staff. */
export type StoredPasskey = {
  id: number
  credentialId: Buffer
  publicKey: Buffer
  userHandle: Buffer
  transports: string[]
  name: string
  createdAt: number
  usedAt: number | null
  cloned: boolean
}

export const PASSKEY_COLUMNS = `passkey.id, credential_id as "credentialId", public_key as "publicKey",
  user_handle as "userHandle", transports, passkey.name, passkey.created_at as "createdAt", used_at as "usedAt",
  cloned_at is not null as cloned`

const PASSKEY = `${PASSKEY_COLUMNS}, player_id as "playerId", username
  from accounts.passkey join accounts.player on player.id = player_id`

/** A player's passkeys, the oldest first. */
export function passkeysOf(db: Queryable, playerId: number): Promise<Passkey[]> {
  return db.query<Passkey>(`select ${PASSKEY} where player_id = $1 order by passkey.id`, [playerId])
}

/** Closes a passkey whose count went back, and tells its player, once. */
async function noteClone({ db }: PasskeyDeps, { id, playerId, name }: Passkey): Promise<void> {
  await db.transaction(async (tx) => {
    const closed = await tx.query(
      `update accounts.passkey set cloned_at = app.now() where id = $1 and cloned_at is null returning id`,
      [id],
    )
    if (closed.length === 1) await noteSignInChange(tx, { playerId, kind: 'passkey_cloned', name })
  })
}
