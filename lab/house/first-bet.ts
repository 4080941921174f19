/** What people do in a new house: a player registers, two members of staff record his money, and he bets and bets. */
import { randomBytes } from 'node:crypto'
import { request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { SMTPServer } from 'smtp-server'
import { until } from '../cluster/parts.ts'

const PLAY = 'play.example.com'
const STAFF = 'staff.example.com'
const PASSWORD = 'a long enough passphrase'

/** The room of all bets. */
const ROOM = { plan_id: 11, game_id: 1 }
const ORDER = '/api/Lottery/playOrder'
const orderIn = (issue: string) => ({ ...ROOM, issue, play_type: '[1]', money: '100' })

type Reply<Data> = { code: number; msg: string; data: Data }

/** How often a client asks again while nobody serves, a second after the other. */
const ASKED_MAX = 30

/** Answers that say nothing about what was asked: it is asked again. */
const ASK_AGAIN = new Set(['unavailable', 'too_many_requests', 'fault'])

/** A refusal's reason; null for any other answer. */
const reasonOf = ({ data }: Reply<unknown>) => (data as { reason?: string } | null)?.reason ?? null

/**
 * One call through the balancer of a machine, as a client does who does not know its certificate. It is repeated, with
 * its key, until somebody answers it.
 */
async function call<Data>(
  address: string,
  path: string,
  body: object,
  by: { token?: string; key?: string } = {},
  { triesMax = ASKED_MAX, everyMs = 1_000 } = {},
): Promise<Reply<Data>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const reply = await askOnce<Data>(address, path, body, by)
      if (attempt === triesMax || !ASK_AGAIN.has(reasonOf(reply) ?? '')) return reply
    } catch (error) {
      if (attempt === triesMax) throw error
    }
    await sleep(everyMs)
  }
}

function askOnce<Data>(
  address: string,
  path: string,
  body: object,
  { token, key }: { token?: string; key?: string },
): Promise<Reply<Data>> {
  const host = path.startsWith('/api/staff/') ? STAFF : PLAY
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: address,
        port: 443,
        path,
        method: 'POST',
        timeout: 7_000,
        agent: false,
        servername: host,
        rejectUnauthorized: false,
        headers: {
          Host: host,
          'Content-Type': 'application/json',
          ...(token ? { Token: token } : {}),
          ...(key ? { 'Idempotency-Key': key } : {}),
        },
      },
      async (answer) => {
        const text = Buffer.concat(await answer.toArray().catch(() => [])).toString()
        try {
          resolve(JSON.parse(text))
        } catch {
          reject(new Error(`${path} was answered ${answer.statusCode}: ${text.slice(0, 200)}`))
        }
      },
    )
    sent.on('timeout', () => sent.destroy(new Error(`${path} was not answered`)))
    sent.on('error', reject)
    sent.end(JSON.stringify({ lang: 'en', host: PLAY, ...body }))
  })
}

/** The same, which must be done. */
async function ask<Data>(...args: Parameters<typeof call>): Promise<Data> {
  const { code, msg, data } = await call<Data>(...args)
  if (code !== 1) throw new Error(`${code}: ${msg} ${JSON.stringify(data)}`)
  return data
}

type MailServer = ReturnType<typeof startMailServer>

/** A mail server that keeps the codes and the subjects that the house sends. */
export function startMailServer(address: string, port: number) {
  const codes = new Map<string, string>()
  const subjects: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, finished) {
      void stream.toArray().then((parts: Buffer[]) => {
        const [subject = ''] = /^Subject:.*/m.exec(Buffer.concat(parts).toString('latin1')) ?? []
        const code = /\d{6}/.exec(subject)?.[0]
        for (const { address: to } of envelope.rcptTo) {
          if (code) codes.set(to, code)
          subjects.push(`${to} ${subject}`)
        }
        finished()
      })
    },
  })
  server.listen(port, address)
  return {
    /** The code that a player was mailed. */
    codeFor: (to: string) => until(`${to} has a code`, async () => codes.get(to)),
    /** Ends when somebody has a mail whose subject has this text. */
    arrived: (to: string, text: string) =>
      until(`${to} is mailed ${text}`, async () =>
        subjects.some((each) => each.startsWith(to) && each.includes(text)),
      ),
    forget: () => subjects.splice(0),
    stop: () => server.close(),
  }
}

/** What `npm run console:staff` printed. */
export function printedSecrets(printed: string): { password: string; totpSecret: string } {
  const password = /Password\s+(\S+)/.exec(printed)?.[1]
  const totpSecret = /TOTP secret\s+(\S+)/.exec(printed)?.[1]
  if (!password || !totpSecret) throw new Error(`no password and secret in:\n${printed}`)
  return { password, totpSecret }
}

export async function signIn(
  address: string,
  account: string,
  { password, totpSecret }: ReturnType<typeof printedSecrets>,
): Promise<string> {
  const totp = new TOTP({ secret: Secret.fromBase32(totpSecret) }).generate()
  const { token } = await ask<{ token: string }>(address, '/api/staff/login', {
    account,
    password,
    totp,
  })
  return token
}

export type Player = { id: number; token: string; username: string }

export async function registerPlayer(address: string, mail: MailServer): Promise<Player> {
  const username = `guest${randomBytes(3).toString('hex')}`
  const email = `${username}@example.org`
  await ask(address, '/api/ems/send', { email, event: 'register' })
  const { userinfo } = await ask<{ userinfo: { id: number; token: string } }>(
    address,
    '/api/user/register',
    {
      username,
      email,
      code: await mail.codeFor(email),
      password: PASSWORD,
      group_id: 1,
      adult: true,
    },
  )
  return { id: userinfo.id, token: userinfo.token, username }
}

/** Signs a player in anew. @returns his token */
export async function logIn(address: string, { username }: Player): Promise<string> {
  const by = { account: username, password: PASSWORD }
  const { userinfo } = await ask<{ userinfo: { token: string } }>(address, '/api/user/login', by)
  return userinfo.token
}

/** An owner opens betting in the whole house. */
export async function openBetting(address: string, token: string): Promise<void> {
  const { stop } = await ask<{ stop: { id: number } | null }>(
    address,
    '/api/staff/stops',
    {},
    { token },
  )
  const seen = { scope: 'all', stop_id: stop?.id }
  await ask(address, '/api/staff/stops/open', seen, { token })
}

/** Money that the bank has shown: recorded by one member of staff and confirmed by another. */
export async function recordMoney(
  address: string,
  by: readonly [string, string],
  { playerId, money }: { playerId: number; money: string },
): Promise<void> {
  const reference = `bank ${randomBytes(4).toString('hex')}`
  const { id } = await ask<{ id: number }>(
    address,
    '/api/staff/bankDeposits/record',
    { user_id: playerId, money, reference },
    { token: by[0] },
  )
  await ask(address, '/api/staff/proposals/confirm', { id }, { token: by[1] })
}

type Heart = { game_status: number; issue: { issue: string; openTime1: number } }

/** The number of the first game's round that takes bets; waits for it. */
export function openRound(address: string, token: string): Promise<string> {
  return until('a round takes bets', async () => {
    const { game_status: status, issue } = await ask<Heart>(address, '/api/Lottery/heart', ROOM, {
      token,
    })
    return status === 1 && issue.openTime1 > 3 && issue.issue
  })
}

/** Places a bet of 100 u on long; the same key again gets the same answer. */
export async function placeBet(
  address: string,
  token: string,
  { issue, key }: { issue: string; key: string },
): Promise<string> {
  const { orderNo } = await ask<{ orderNo: string }>(address, ORDER, orderIn(issue), { token, key })
  return orderNo
}

/** The pause between two orders, and before one is repeated: some more than three a second. */
const BETTING_PAUSE_MS = 280

/** A player orders again and again; each order is repeated with its key until it is accepted or refused. */
export function keepBetting(address: string, token: string) {
  const answeredAt = [performance.now()]
  let accepted = 0
  let stopping = false

  const again = { triesMax: Number.POSITIVE_INFINITY, everyMs: BETTING_PAUSE_MS }
  async function run(): Promise<void> {
    while (!stopping) {
      const { data } = await call<Heart>(address, '/api/Lottery/heart', ROOM, { token }, again)
      const by = { token, key: randomBytes(12).toString('hex') }
      const { code } = await call(address, ORDER, orderIn(data.issue.issue), by, again)
      answeredAt.push(performance.now())
      if (code === 1) accepted += 1
      await sleep(BETTING_PAUSE_MS)
    }
  }

  const running = run()
  return {
    /** @returns how many orders were accepted, and the longest time between two answers, in seconds */
    async stop(): Promise<{ accepted: number; longestS: number }> {
      stopping = true
      await running
      const gaps = answeredAt.map((at, index) => at - (answeredAt[index - 1] ?? at))
      return { accepted, longestS: Math.max(...gaps) / 1_000 }
    },
  }
}

/** What waits for a person, as the console's start page shows it. */
export async function needsShown(address: string, token: string): Promise<string[]> {
  const { needs } = await ask<{ needs: { need: string }[] }>(
    address,
    '/api/staff/start/needs',
    {},
    { token },
  )
  return needs.map(({ need }) => need)
}

/** Asks for a code that the house has to mail to a stranger. */
export async function askForCode(address: string): Promise<void> {
  const email = `guest${randomBytes(3).toString('hex')}@example.org`
  await ask(address, '/api/ems/send', { email, event: 'register' })
}

/** 1: the first game takes bets; 3: all games are stopped. */
export async function gameStatus(address: string, token: string): Promise<number> {
  const heart = await ask<Heart>(address, '/api/Lottery/heart', ROOM, { token })
  return heart.game_status
}

/** Why an order into the present round is refused; null if it is accepted. */
export async function refusalOfOrder(address: string, token: string): Promise<string | null> {
  const { issue } = await ask<Heart>(address, '/api/Lottery/heart', ROOM, { token })
  const key = randomBytes(12).toString('hex')
  return reasonOf(await call(address, ORDER, orderIn(issue.issue), { token, key }))
}

export async function balanceOf(address: string, token: string): Promise<string> {
  const { money } = await ask<{ money: string }>(address, '/api/user/userInfo', {}, { token })
  return money
}
