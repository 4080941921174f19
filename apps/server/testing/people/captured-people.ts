/**
 * Who sends captured requests, and the values of their `$` names. Each request can have an account of its own.
 */
import * as content from '@sum28/contract/staff-content-routes.ts'
import { freezeAccount, stopBetting } from '@sum28/contract/staff-house-routes.ts'
import { login } from '@sum28/contract/user-routes.ts'
import { addPlayer } from '../database/fixtures.ts'
import { openIssueFor } from '../product/play-round.ts'
import {
  cookieOf,
  deposit,
  mailedCode,
  registerMember,
  TEST_PASSWORD,
  type TestApp,
  type TestMember,
} from '../product/test-app.ts'
import { addWallet, setCode, TEST_CODE, TEST_WALLET } from './cashier.ts'
import { noteProof } from './seated-player.ts'
import { addStaff, codeOfTimeStep, currentStep, staffSession } from './staff.ts'

export type PersonKind =
  /** A caller without a session. */
  | 'newcomer'
  /** A separate member with money, and nothing else. */
  | 'fresh'
  /** The same, who has just proved that it is him. */
  | 'proved'
  /** The same with a security code and a wallet. */
  | 'rich'
  /** The same with a remembered device. */
  | 'remembered'
  /** One for all, with bets. */
  | 'reader'
  /** The demo's owner, and the same where room 44 was stopped. */
  | 'owner'
  | 'opener'
  /** A member of staff of his own. */
  | 'colleague'

export type Person = {
  token: string | null
  cookie: string | null
  /** A `$` value, made when it is needed. */
  value(name: string): Promise<string>
}

let count = 0

export async function makePerson(test: TestApp, kind: PersonKind): Promise<Person> {
  if (kind === 'owner' || kind === 'opener') return owner(test, kind)
  if (kind === 'colleague') return colleague(test)
  if (kind === 'reader') return reader(test)
  count += 1
  const username = `captured_${count}`
  if (kind === 'newcomer') return personOf(test, { token: null, username })
  const member = await addMember(test, username)
  if (kind === 'proved') await noteProof(test.database, member.id)
  if (kind === 'rich') await setCode(test, member)
  const payId = kind === 'rich' ? await addWallet(test, member) : null
  const cookie = kind === 'remembered' ? await rememberMe(test, username) : null
  return { ...personOf(test, { token: member.token, username, payId }), cookie }
}

async function owner(test: TestApp, kind: 'owner' | 'opener'): Promise<Person> {
  const { token } = await staffSession(test)
  let stopOf44 = ''
  if (kind === 'opener') {
    await test.call(stopBetting, { scope: 'room', id: 44, reason: 'fault' }, { token })
    stopOf44 = await test.database.owner.value<string>(
      'select id::text from games.stop where subject_id = 44',
    )
  }
  const value = async (name: string) => (name === 'stopOf44' ? stopOf44 : sharedValue(test, name))
  return { token, cookie: null, value }
}

async function colleague(test: TestApp): Promise<Person> {
  const { token, login: known } = await addStaff(test, 'support')
  const values: Record<string, () => string | Promise<string>> = {
    staffName: () => known.name,
    staffPassword: () => known.password,
    // Signing in has used up the previous step.
    totp: async () => codeOfTimeStep(known.totpSecret, (await currentStep(test)) + 1),
  }
  const value = async (name: string) => (await values[name]?.()) ?? sharedValue(test, name)
  return { token, cookie: null, value }
}

async function addMember(test: TestApp, username: string): Promise<TestMember> {
  const member = await registerMember(test, username)
  await deposit(test, member, 1_000)
  return member
}

async function rememberMe(test: TestApp, username: string): Promise<string> {
  const known = { account: username, password: TEST_PASSWORD, remember: true } as const
  return cookieOf(await test.call(login, known))
}

function personOf(
  test: TestApp,
  {
    username,
    token,
    payId = null,
  }: { token: string | null; username: string; payId?: number | null },
): Person {
  const email = `${username}@example.org`
  const values: Record<string, () => string | Promise<string>> = {
    username: () => username,
    email: () => email,
    password: () => TEST_PASSWORD,
    securityCode: () => TEST_CODE,
    payId: () => String(payId),
    registerCode: () => codeFor(test, email, 'register'),
    resetCode: () => codeFor(test, email, 'resetpwd'),
  }
  return {
    token,
    cookie: null,
    value: remembered(async (name) => (await values[name]?.()) ?? sharedValue(test, name)),
  }
}

/** A person's values stay the same during a request: a code is mailed once. */
function remembered(make: (name: string) => Promise<string>): (name: string) => Promise<string> {
  const made = new Map<string, Promise<string>>()
  return (name) => {
    const value = made.get(name) ?? make(name)
    made.set(name, value)
    return value
  }
}

/** A mailed code; there is a fresh address for each. */
async function codeFor(test: TestApp, email: string, event: string): Promise<string> {
  const reply = await test.post('/api/ems/send', { email, event })
  if (reply.code !== 1) throw new Error(`no code: ${JSON.stringify(reply)}`)
  return mailedCode(test, email)
}

const ROOM = { game_id: 1, plan_id: 11 }
const readers = new WeakMap<TestApp, Promise<Person>>()

/** A member who has bet. */
function reader(test: TestApp): Promise<Person> {
  const reader = readers.get(test) ?? makeReader(test)
  readers.set(test, reader)
  return reader
}

async function makeReader(test: TestApp): Promise<Person> {
  const member = await addMember(test, 'captured_reader')
  const person = personOf(test, member)
  const order = await placeOrder(test, member, await person.value('issue'))
  const values: Record<string, string> = { orderNo: order.orderNo }
  return { ...person, value: async (name) => values[name] ?? person.value(name) }
}

/** Values that are the same for everybody. */
async function sharedValue(test: TestApp, name: string): Promise<string> {
  switch (name) {
    case 'wallet':
      return TEST_WALLET
    case 'today':
      return today(test)
    case 'issue':
      return openIssueFor(test, 60)
    case 'feedId':
      return feedId(test)
    case 'playerId':
      return String(await addPlayer(test.database, { u: 0 }))
    case 'frozenId': {
      const id = await addPlayer(test.database, { u: 0 })
      const { token } = await staffSession(test)
      await test.call(freezeAccount, { user_id: id, reason: 'a reason' }, { token })
      return String(id)
    }
    case 'frozenAt':
      return test.database.owner.value<string>(
        'select floor(extract(epoch from max(frozen_at)))::text from accounts.freezing',
      )
    case 'colleague':
      return (await addStaff(test, 'support')).login.name
    case 'reference':
      count += 1
      return `BANK-REF-${count}`
    case 'pieceId':
    case 'writtenPieceId':
    case 'shownPieceId':
      return pieceId(test, name)
    case 'bannerId':
      return pictureId(test, 'banner', '/banners/exact.svg')
    case 'promoId':
      return pictureId(test, 'promo', '/promos/check.svg')
    case 'aboutVersion': {
      const texts = await test.call(content.showAbout, {}, await staffSession(test))
      return String(texts.data.find(({ lang }) => lang === 'en')?.version)
    }
    default:
      throw new Error(`nobody knows what $${name} is`)
  }
}

/** By the operator's calendar. */
async function today({ config, database }: TestApp): Promise<string> {
  return database.owner.value<string>(`select (app.now() at time zone $1)::date as day`, [
    config.schedule.timeZone,
  ])
}

/** An entry of the room and of the round that runs. */
async function feedId(test: TestApp): Promise<string> {
  const player = await addMember(test, `captured_first_${++count}`)
  const { id } = await placeOrder(test, player, await openIssueFor(test, 60))
  return String(id)
}

async function placeOrder(
  test: TestApp,
  { token }: TestMember,
  issue: string,
): Promise<{ id: number; orderNo: string }> {
  const body = { ...ROOM, issue, play_type: '[1]', money: '100' }
  const { code, data } = await test.post('/api/Lottery/playOrder', body, { Token: token })
  if (code !== 1) throw new Error(`no bet: ${JSON.stringify(data)}`)
  return data as { id: number; orderNo: string }
}

/** An article of version 1; written: of version 2 with a text; shown: of version 3, published. */
async function pieceId(test: TestApp, name: string): Promise<string> {
  const by = await staffSession(test)
  const kind = 'article' as const
  const made = await test.call(content.makePiece, { kind, category_id: 1, title: 'A title' }, by)
  const { id } = made.data
  const text = { text_lang: 'en', title: 'A title', html: '<p>x</p>' } as const
  if (name !== 'pieceId')
    await test.call(content.savePieceText, { kind, id, version: 1, ...text }, by)
  if (name === 'shownPieceId') await test.call(content.publishPiece, { kind, id, version: 2 }, by)
  return String(id)
}

/** One of version 1. There may be a hundred: it is put straight into the table, and the others go. */
async function pictureId({ database }: TestApp, table: string, image: string): Promise<string> {
  const id =
    await database.owner.value<number>(`with gone as (delete from content.${table} where id > 3)
     insert into content.${table} (position, image) values (9, '${image}') returning id`)
  return String(id)
}
