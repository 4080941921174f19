/** The whole installation on one machine: etcd, three PostgreSQL nodes, HAProxy, five processes. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@sum28/server/src/config.ts'
import { only, openDatabase } from '@sum28/server/src/db/database.ts'
import { makeLogins } from '@sum28/server/src/db/logins.ts'
import { migrate } from '@sum28/server/src/db/migrate.ts'
import { withClient } from '@sum28/server/src/db/with-client.ts'
import { areClocksApart } from '@sum28/server/src/modules/games/catalog.ts'
import { writeSettings } from '@sum28/server/src/settings/stored-settings.ts'
import { startEtcd } from './etcd.ts'
import { freePorts, giveTo, makePart, type Part, until } from './parts.ts'
import type { Pace } from './patroni-settings.ts'
import { NODES, type PostgresNode, postmasterOf, startPostgresNodes } from './postgres-nodes.ts'
import { KEYS, type ProductPart, prepareProduct, settingsOf, untilReady } from './product-parts.ts'
import { HAPROXY } from './programs.ts'

/** PostgreSQL does not run as root. */
const USER = 'postgres'
const PASSWORD = 'of the cluster test'
const DATABASE = 'sum28'

export type Cluster = Awaited<ReturnType<typeof start>>

type Setup = {
  pace: Pace
  say: (line: string) => void
}

/**
 * Starts all of it. If it fails, nothing is left running.
 *
 * @param onFailure gets the folder, with the logs of all parts, before it is deleted
 */
export async function startCluster({
  onFailure,
  ...setup
}: Setup & { onFailure: (folder: string) => void }): Promise<Cluster> {
  const folder = makeRunFolder()
  // Other users than root must reach their own files in it.
  chmodSync(folder, 0o755)
  const ending = new AsyncDisposableStack()
  ending.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  try {
    return await start({ ...setup, folder, ending })
  } catch (error) {
    onFailure(folder)
    await ending.disposeAsync()
    throw error
  }
}

async function start({
  folder,
  ending,
  pace,
  say,
}: Setup & { folder: string; ending: AsyncDisposableStack }) {
  const data = join(folder, 'parts')
  mkdirSync(data)
  giveTo(USER, data)
  const etcd = await startEtcd(data, USER)
  for (const member of etcd.members) ending.defer(() => member.kill())
  const postgres = await startPostgresNodes({
    folder: data,
    user: USER,
    etcdPorts: etcd.ports,
    password: PASSWORD,
    pace,
  })
  ending.defer(() => postgres.stop())
  say('etcd runs; PostgreSQL is being made …')
  await until('three PostgreSQL nodes, one synchronous', () => postgres.isWhole())
  const balancer = await startHaproxy(data, USER, postgres.nodes, pace.checkSeconds)
  ending.defer(() => balancer.part.kill())

  const databaseUrl = await makeDatabase(balancer.port)
  await migrate(databaseUrl)
  const addresses = await makeLogins(databaseUrl, KEYS)
  const owner = openDatabase(databaseUrl, {
    connectionsMax: 3,
    limits: { connectMs: 15_000, lockMs: 3_000, statementMs: 30_000, answerMs: 31_000 },
    onError: () => {},
  })
  ending.defer(() => owner.close())
  const settings = settingsOf(pace)
  await writeSettings(owner, readConfig(settings))
  const product = await prepareProduct({ folder, addresses, settings })
  say('PostgreSQL has its replicas; the product starts …')
  for (const part of product) {
    part.start()
    ending.defer(() => part.kill())
  }
  await Promise.all(product.map(untilReady))

  return {
    folder,
    etcd,
    postgres,
    product,
    /** As the owner, through the load balancer. */
    owner,
    /** The process of the product that leads the first game; null while there is none. */
    async leadingEngine(): Promise<ProductPart | null> {
      const [row] = await owner.query<{ name: string }>(
        `select application_name as name from pg_locks join pg_stat_activity using (pid)
         where locktype = 'advisory' and classid = 28 and objid = 1 and granted`,
      )
      return product.find(({ name }) => name === row?.name) ?? null
    },
    /** Waits until every part is running and PostgreSQL has its replicas. */
    async whole(): Promise<void> {
      await until('PostgreSQL has its replicas again', () => postgres.isWhole())
      await until('etcd has all members again', () => etcd.isWhole())
      await Promise.all(product.map(untilReady))
      await until('an engine leads', async () => {
        const { count } = only(
          await owner.query<{ count: bigint }>(
            `select count(*) from pg_locks where locktype = 'advisory' and classid = 28 and granted`,
          ),
        )
        return count >= 4n
      })
      await until('betting is open', async () => !(await areClocksApart(owner)))
    },
    stop: () => ending.disposeAsync(),
  }
}

async function makeDatabase(port: number): Promise<string> {
  const url = (name: string) =>
    `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${name}`
  // It takes the nodes in turn, and each for the primary until its checks have failed.
  await until('the balancer leads to the primary alone', async () => {
    for (let turn = 0; turn < NODES; turn += 1) {
      const { rows } = await withClient(url('postgres'), (client) =>
        client.query<{ replica: boolean }>('select pg_is_in_recovery() as replica'),
      )
      if (rows[0]?.replica !== false) return false
    }
    return true
  })
  await until('the database is made', async () => {
    const maintenance = openDatabase(url('postgres'), { connectionsMax: 1, onError: () => {} })
    try {
      // A try whose answer was lost has made it.
      const isThere = (error: { code?: string }) => error.code === '42P04'
      await maintenance.query(`create database ${DATABASE}`).catch((error) => {
        if (!isThere(error)) throw error
      })
      return true
    } finally {
      await maintenance.close()
    }
  })
  return url(DATABASE)
}

/** The number is that of the run. */
const NAME = /^sum28-cluster-(\d+)-/

/** Makes a run's folder, after removing those of killed runs and the processes that still run in them. */
function makeRunFolder(): string {
  for (const name of readdirSync(tmpdir())) {
    const run = NAME.exec(name)?.[1]
    if (!run || existsSync(`/proc/${run}`)) continue
    endRun(join(tmpdir(), name))
  }
  return mkdtempSync(join(tmpdir(), `sum28-cluster-${process.pid}-`))
}

function endRun(folder: string): void {
  const parts = join(folder, 'parts')
  for (const name of existsSync(parts) ? readdirSync(parts) : []) {
    const postmaster = postmasterOf(join(parts, name, 'data'))
    if (postmaster !== null) process.kill(postmaster, 'SIGKILL')
    if (isMounted(join(parts, name))) spawnSync('umount', ['-l', join(parts, name)])
  }
  rmSync(folder, { recursive: true, force: true })
}

function isMounted(folder: string): boolean {
  return readFileSync('/proc/self/mounts', 'utf8').includes(` ${folder} `)
}

async function startHaproxy(
  folder: string,
  user: string,
  nodes: readonly PostgresNode[],
  checkSeconds: number,
): Promise<{ port: number; part: Part }> {
  const [port = 0] = await freePorts(1)
  const file = join(folder, 'haproxy.cfg')
  const servers = nodes.map(
    (node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}`,
  )
  // Connections to a node that is no leader any more are closed at once.
  writeFileSync(
    file,
    `global
  maxconn 2000
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check ${checkSeconds}s
listen primary
  bind 127.0.0.1:${port}
  option httpchk
  http-check send meth OPTIONS uri /primary
  http-check expect status 200
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
  )
  const part = makePart({
    name: 'haproxy',
    user,
    command: HAPROXY,
    args: ['-db', '-f', file],
    logFile: join(folder, 'haproxy.log'),
  })
  part.start()
  return { port, part }
}
