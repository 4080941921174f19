/**
 * The whole product, with everything that leaves it: its log at the finest level, every reply of every call of players,
 * and what their streams send.
 */
import { ALL_DOWNLOADS, ALL_ROUTES, ALL_STREAMS } from '@sum28/contract/all-routes.ts'
import type { Route } from '@sum28/contract/route.ts'
import { fromHex } from '@sum28/fairness/hex.ts'
import { makeSeedChain, seedForRound } from '@sum28/fairness/seed-chain.ts'
import { expect, it } from 'vitest'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { FIRST_ROUND } from '#testing/product/play-round.ts'
import { SEED_KEY } from '#testing/product/secret-key.ts'
import { createTestApp, registerMember, type TestApp } from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'

const FIRST_OPENING = FIRST_ROUND - 20_000

/** Data that left the server, and the latest possible time of that, by this machine's clock. */
type Output = { at: number; text: string }

const OPERATIONS = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/',
  '/dev',
  '/dev/mail',
]

/** Whether the fields of a call name a game or a round. */
const isAboutRounds = ({ request }: Pick<Route, 'request'>) =>
  Object.keys(request.shape).some((field) => /^(game_id|issue)$/.test(field))

const ROUTES = [...ALL_ROUTES, ...ALL_DOWNLOADS].filter(({ path }) => path !== '/api/user/logout')

/** The rounds that calls are made about; while the database is away, those before. */
let abouts: { game_id: string; issue: string }[] = []

/** Requests at once. */
const AT_ONCE = 100

/** Makes every call, with and without a session, and those about a round for the running and the finished ones. */
async function askAll(test: TestApp, token: string, outputs: Output[]): Promise<void> {
  const before = outputs.length
  const rounds = await test.database.owner
    .query<{ game_id: number; issue: bigint }>(
      `select game_id, issue from rounds.round where game_id in (1, 4)
       order by draws_at desc limit 4`,
    )
    .catch(() => null)
  if (rounds)
    abouts = rounds.map(({ game_id, issue }) => ({
      game_id: String(game_id),
      issue: String(issue),
    }))
  const requests = [
    ...OPERATIONS.map((path) => ({ path, init: {} })),
    ...ROUTES.flatMap((route) =>
      (isAboutRounds(route) ? abouts : abouts.slice(0, 1)).flatMap((about) =>
        [{}, { Token: token }].map((session) => {
          const { path, method } = route
          const fields = { ...about, plan_id: '11', play_type: '[1]', money: '1', id: '1' }
          return method === 'GET'
            ? { path: `${path}?${new URLSearchParams(fields)}`, init: { headers: session } }
            : {
                path,
                init: {
                  method,
                  headers: { 'Content-Type': 'application/json', ...session },
                  body: JSON.stringify(fields),
                },
              }
        }),
      ),
    ),
  ]
  const ask = async ({ path, init }: (typeof requests)[number]) => {
    const response = await test.fetch(path, init).catch(() => null)
    if (!response) return
    const head = JSON.stringify([...response.headers])
    const text = `${path} ${response.status} ${head} ${await response.text()}`
    outputs.push({ at: Date.now(), text })
  }
  for (let at = 0; at < requests.length; at += AT_ONCE) {
    await Promise.all(requests.slice(at, at + AT_ONCE).map(ask))
  }
  expect(outputs.length - before).toBeGreaterThan(2 * ROUTES.length)
}

/** Notes what the streams send, until they end. */
async function follow(test: TestApp, token: string, outputs: Output[]): Promise<void> {
  for (const { path } of ALL_STREAMS) {
    const headers = { Token: token }
    const { body } = await test.fetch(`${path}?plan_id=11&game_id=1`, { headers })
    const read = async () => {
      for await (const chunk of body ?? [])
        outputs.push({ at: Date.now(), text: `${path} ${Buffer.from(chunk).toString()}` })
    }
    void read().catch(() => {})
  }
}

type Draw = { chain_id: number; chain_index: number; seed: string; drawn_at: number }

function draws({ database }: TestApp): Promise<Draw[]> {
  return database.owner.query<Draw>(
    `select chain_id, chain_index, encode(seed, 'hex') as seed, drawn_at
     from rounds.draw join rounds.round using (game_id, issue) order by drawn_at`,
  )
}

/** All forms in which a secret could be written: none of these may be found. */
function writings(hex: string): string[] {
  const bytes = Buffer.from(fromHex(hex, 32))
  // Without both ends, which depend on the surrounding text; even half a seed would be too much.
  return [
    hex.slice(0, 40),
    hex.slice(0, 40).toUpperCase(),
    bytes.toString('base64').slice(0, 40),
    bytes.toString('base64url').slice(0, 40),
    [...bytes].slice(0, 20).join(','),
    [...bytes].slice(0, 20).join(', '),
  ]
}

function expectNowhere(hex: string, text: string, which: string): void {
  for (const writing of writings(hex)) expect(text.includes(writing), which).toBe(false)
}

it('no seed appears on the wire, in the log or in an error before its draw', async () => {
  const { log, lines } = captureLog('trace')
  const test = await createTestApp({ LOG_LEVEL: 'trace' }, { log })
  const member = await registerMember(test, 'overhears')
  const { owner } = test.database
  const outputs: Output[] = []
  const moves: { at: number; to: number }[] = []
  const ask = () => askAll(test, member.token, outputs)
  const sent: Output[] = []
  await follow(test, member.token, sent)
  const moveTo = async (to: number) => {
    moves.push({ at: Date.now(), to })
    await test.database.moveClock(to)
  }
  /** Plays the n-th round of all games, and makes every call during its draw. */
  const play = async (n: number, isOver: (drawn: number) => boolean) => {
    const opensAt = FIRST_OPENING + (n - 1) * 210_000
    await moveTo(opensAt + 180_000)
    await eventually(async () => {
      const sealed = await owner.query(
        'select from rounds.round where sealed_at is not null and opens_at = $1',
        [new Date(opensAt)],
      )
      return sealed.length === 4
    })
    // Nothing that is asked before a draw differs from round to round.
    if (n === 1) await ask()
    await moveTo(opensAt + 213_000)
    await Promise.all([ask(), eventually(async () => isOver((await draws(test)).length))])
  }

  // The draws of game 4 fail, with a database error that contains the whole row.
  await owner.query('alter table rounds.draw add constraint refused check (game_id <> 4) not valid')
  await play(1, (drawn) => drawn === 3 && lines.some((line) => line.includes('refused')))
  await owner.query('alter table rounds.draw drop constraint refused')

  // And a database that is down while seeds are needed.
  await test.database.takeAway()
  await ask()
  await test.database.giveBack()
  await eventually(async () => (await draws(test).catch(() => [])).length === 4)
  await play(2, (drawn) => drawn === 8)
  await test.stop()

  for (const { path } of ALL_STREAMS)
    expect(sent.filter(({ text }) => text.startsWith(path)).length, path).toBeGreaterThan(3)
  const all = [
    ...outputs,
    ...sent,
    ...lines.map((text) => ({ at: (JSON.parse(text) as { time: number }).time, text })),
  ]
  expect(lines.length).toBeGreaterThan(100)
  const drawn = await draws(test)
  for (const { chain_id, chain_index, seed, drawn_at } of drawn) {
    const move = moves.findLast(({ to }) => to <= drawn_at)
    if (!move) return expect.fail('no draw is due before the clock is moved')
    const drawnAt = move.at + drawn_at - move.to
    const text = all.filter(({ at }) => at < drawnAt).map((each) => each.text)
    expectNowhere(seed, text.join('\n'), `seed ${chain_index} of chain ${chain_id} before its draw`)
  }
  // The same search does find what is public: the seeds that were drawn.
  const everything = all.map(({ text }) => text).join('\n')
  expect(drawn.some(({ seed }) => everything.includes(seed))).toBe(true)

  const keys = secretCipher(SEED_KEY)
  const chains = await owner.query<{
    id: number
    length: number
    commitment: Buffer
    encrypted: Buffer
  }>('select id, length, commitment, encrypted_secret as encrypted from fairness.chain')
  // Four games; and with such short chains, the next ones already.
  expect(chains.length).toBeGreaterThanOrEqual(4)
  for (const { id, length, commitment, encrypted } of chains) {
    const secret = keys.decrypt(encrypted, commitment.toString('hex'))
    const chain = makeSeedChain(secret, length)
    expect(chain.commitment).toBe(commitment.toString('hex'))
    expectNowhere(secret.toString('hex'), everything, `the secret of chain ${id}`)
    const used = Math.max(
      0,
      ...drawn.filter(({ chain_id }) => chain_id === id).map((each) => each.chain_index),
    )
    for (let index = used + 1; index <= used + 20; index += 1) {
      expectNowhere(
        seedForRound(chain, index),
        everything,
        `seed ${index} of chain ${id}, never published`,
      )
    }
  }
  await expectAlwaysTrue(owner)
})
