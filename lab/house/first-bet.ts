/** What people do in a new house: a player registers, two members of staff record his money, and he bets. */
import { randomBytes } from 'node:crypto'
import { request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { SMTPServer } from 'smtp-server'

const PLAY = 'play.example.com'
const STAFF = 'staff.example.com'
const PASSWORD = 'a long enough passphrase'

type Reply<Data> = { code: number; msg: string; data: Data }

/** How often a client asks again while nobody serves, a second after the other. */
const ASKED_MAX = 30

/** One call through the balancer of a machine, as a client does who does not know its certificate. */
async function call<Data>(
  address: string,
  path: string,
  body: object,
  by: { token?: string; key?: string } = {},
): Promise<Reply<Data>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await askOnce<Data>(address, path, body, by)
    } catch (error) {
      if (attempt === ASKED_MAX) throw error
      await sleep(1_000)
    }
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
        ...{ host: address, port: 443, path, method: 'POST', timeout: 10_000, agent: false },
        ...{ servername: host, rejectUnauthorized: false },
        headers: {
          ...{ Host: host, 'Content-Type': 'application/json' },
          ...(token ? { Token: token } : {}),
          ...(key ? { 'Idempotency-Key': key } : {}),
        },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        answer.on('end', () => {
          try {
            resolve(JSON.parse(text))
          } catch {
            reject(new Error(`${path} was answered ${answer.statusCode}: ${text.slice(0, 200)}`))
          }
        })
      },
    )
    sent.on('timeout', () => sent.destroy(new Error(`${path} was not answered`)))
    sent.on('error', reject)
    sent.end(JSON.stringify({ lang: 'en', host: PLAY, ...body }))
  })
}

async function done<Data>(reply: Promise<Reply<Data>>): Promise<Data> {
  const { code, msg, data } = await reply
  if (code !== 1) throw new Error(`${code}: ${msg} ${JSON.stringify(data)}`)
  return data
}

/** A mail server that keeps the codes that the house sends. */
export function startMailServer(
  address: string,
  port: number,
): { codeFor(to: string): Promise<string>; stop(): void } {
  const codes = new Map<string, string>()
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, finished) {
      let text = ''
      stream.on('data', (part: Buffer) => {
        text += part.toString('latin1')
      })
      stream.on('end', () => {
        const code = /^Subject:.*?(\d{6})/m.exec(text)?.[1]
        for (const { address: to } of envelope.rcptTo) if (code) codes.set(to, code)
        finished()
      })
    },
  })
  server.listen(port, address)
  return {
    async codeFor(to) {
      for (;;) {
        const code = codes.get(to)
        if (code) return code
        await sleep(200)
      }
    },
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
  const { token } = await done(
    call<{ token: string }>(address, '/api/staff/login', { account, password, totp }),
  )
  return token
}

/** A registered player. */
export async function registerPlayer(
  address: string,
  mail: { codeFor(to: string): Promise<string> },
): Promise<{ id: number; token: string }> {
  const username = `guest${randomBytes(3).toString('hex')}`
  const email = `${username}@example.org`
  await done(call(address, '/api/ems/send', { email, event: 'register' }))
  const { userinfo } = await done(
    call<{ userinfo: { id: number; token: string } }>(address, '/api/user/register', {
      ...{ username, email, code: await mail.codeFor(email), password: PASSWORD },
      ...{ group_id: 1, adult: true },
    }),
  )
  return { id: userinfo.id, token: userinfo.token }
}

/** Money that the bank has shown: recorded by one member of staff and confirmed by another. */
export async function recordMoney(
  address: string,
  by: readonly [string, string],
  { playerId, money }: { playerId: number; money: string },
): Promise<void> {
  const reference = `bank ${randomBytes(4).toString('hex')}`
  const { id } = await done(
    call<{ id: number }>(
      address,
      '/api/staff/bankDeposits/record',
      { user_id: playerId, money, reference },
      { token: by[0] },
    ),
  )
  await done(call(address, '/api/staff/bankDeposits/confirm', { id }, { token: by[1] }))
}

/** The number of the first game's round that takes bets; waits for it. */
export async function openRound(address: string, token: string): Promise<string> {
  for (;;) {
    const { game_status: status, issue } = await done(
      call<{ game_status: number; issue: { issue: string; openTime1: number } }>(
        address,
        '/api/Lottery/heart',
        { plan_id: 11, game_id: 1 },
        { token },
      ),
    )
    if (status === 1 && issue.openTime1 > 3) return issue.issue
    await sleep(500)
  }
}

/** Places a bet of 100 u on long; the same key again gets the same answer. */
export async function placeBet(
  address: string,
  token: string,
  { issue, key }: { issue: string; key: string },
): Promise<string> {
  const { orderNo } = await done(
    call<{ orderNo: string }>(
      address,
      '/api/Lottery/playOrder',
      { issue, plan_id: 11, game_id: 1, play_type: '[1]', money: '100' },
      { token, key },
    ),
  )
  return orderNo
}

/** A player's balance. */
export async function balanceOf(address: string, token: string): Promise<string> {
  const { money } = await done(
    call<{ money: string }>(address, '/api/user/userInfo', {}, { token }),
  )
  return money
}
