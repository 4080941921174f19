/**
 * `npm run house`: follows deploy/house/README.md literally on two fresh Debian systems, from nothing to a bet, a new
 * version, a machine that is away, a lost primary, and a return to an instant. Needs root on a Debian machine, and of
 * its packages debootstrap, systemd-container, openssh-client and nftables.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  balanceOf,
  openRound,
  placeBet,
  printedSecrets,
  recordMoney,
  registerPlayer,
  signIn,
  startMailServer,
} from './first-bet.ts'
import { blocksOf } from './read-page.ts'
import { GATEWAY, type Machine, startTwoMachines } from './two-machines.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FOLDER = join(ROOT, '.cache', 'house')
const MAIL_PORT = 2_525

/** What an operator fills in; here the stand-ins of the demo take the place of the world outside. */
const FILLED_IN = `
sed -i '/^TRON_/d; /^SMTP_URL=/d' /etc/sum28/sum28.env
cat >> /etc/sum28/sum28.env <<END
BEACON=local
OPENING_HOURS=00:00-24:00
SMTP_URL=smtp://${GATEWAY}:${MAIL_PORT}
ALLOW_IN_PRODUCTION=local-beacon,local-chain,plain-mail
END`

/** A container may open as many files as this machine allows, which may be few. */
const FEW_FILES = `
mkdir -p /etc/systemd/system/haproxy.service.d
printf '[Service]\\nLimitNOFILE=16384\\n' > /etc/systemd/system/haproxy.service.d/files.conf
sed -i 's/maxconn 20000/maxconn 4000/' /etc/haproxy/haproxy.cfg
systemctl daemon-reload`

const SYNCHRONOUS = `runuser -u postgres -- psql -c "alter system set synchronous_standby_names = '*'" -c 'select pg_reload_conf()'
until runuser -u postgres -- psql -tAc 'select count(*) from pg_stat_replication' | grep -q 1; do sleep 1; done`

const blocks = blocksOf(readFileSync(join(ROOT, 'deploy', 'house', 'README.md'), 'utf8'))
const { machines, stop } = await startTwoMachines(FOLDER, cloneWithVersions())
const [first, second] = machines as [Machine, Machine]
const mail = startMailServer(GATEWAY, MAIL_PORT)
try {
  await followPage()
  console.log(
    '\nThe page was followed to its end; only certbot, which needs the internet, was left out.',
  )
} finally {
  mail.stop()
  stop()
}
process.exit(0)

async function followPage(): Promise<void> {
  for (const { on, script } of blocks) {
    for (const machine of machines)
      if (on === 'both' || on === machine.name) follow(machine, script)
    if (script.includes('/deploy/house/sum28.env /etc/')) first.run(FILLED_IN)
    if (script.includes('/deploy/house/haproxy.cfg')) machines.map(({ run }) => run(FEW_FILES))
  }
  const colleagues = ['bea', 'cem'].map((name) => {
    const command = `cd /opt/sum28/current && set -a && . /etc/sum28/sum28.env && set +a
DATA_DIR=/var/lib/sum28/command npm run --silent console:staff -- --name ${name} --role finance --with-secret`
    return { name, ...printedSecrets(first.run(command)) }
  })
  const tokens: string[] = []
  for (const { name, ...secrets } of colleagues) {
    tokens.push(await signIn(first.address, name, secrets))
  }
  const player = await registerPlayer(first.address, mail)
  await recordMoney(first.address, tokens as [string, string], {
    playerId: player.id,
    money: '1000',
  })
  const before = await bet(first, player.token)
  told(`the first bet is placed: ${before.orderNo}`)

  follow(second, blockOf('upgrade').replace(/^.*restart-both\n/m, ''))
  follow(first, blockOf('upgrade'))
  await repeated(first, player.token, before)
  told('a new version serves; the bet of before is answered alike')

  second.run('systemctl stop postgresql@15-main')
  const waiting = bet(first, player.token).catch((error: Error) => error)
  await sleep(5_000)
  follow(first, blockOf('house-2-away'))
  await waiting
  const alone = await bet(first, player.token)
  told('house-2 is away: bets go on once one machine is enough')
  second.run('systemctl start postgresql@15-main')
  first.run(SYNCHRONOUS)
  await bet(first, player.token)

  const [instant = ''] = first
    .run(
      `runuser -u postgres -- psql -tAc "select to_char(now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00:00'"`,
    )
    .trim()
    .split('\n')
  await sleep(2_000)
  const afterInstant = await bet(first, player.token)
  first.run(`runuser -u postgres -- psql -c 'select pg_switch_wal()'`)
  await sleep(5_000)
  follow(first, `INSTANT='${instant}'\n${blockOf('restore')}`)
  await repeated(first, player.token, alone)
  const gone = await balanceOf(first.address, player.token)
  if (gone === afterInstant.balance) throw new Error('the bet after the instant is still there')
  told(`back at ${instant}: the bet after it is gone`)

  const copy = blocks.find(({ script }) => script.includes('pg_basebackup'))?.script ?? ''
  follow(second, copy)
  first.run(SYNCHRONOUS)
  const last = await bet(first, player.token)

  first.kill()
  follow(second, blockOf('house-1-lost'))
  await repeated(second, player.token, last)
  await bet(second, player.token)
  told('house-1 is lost: house-2 has every bet, and takes the next')
}

type Placed = { orderNo: string; key: string; issue: string; balance: string }

async function bet({ address }: Machine, token: string): Promise<Placed> {
  const key = randomBytes(12).toString('hex')
  const issue = await openRound(address, token)
  const orderNo = await placeBet(address, token, { issue, key })
  return { orderNo, key, issue, balance: await balanceOf(address, token) }
}

/** The same order with the same key is answered as before, and takes no money again. */
async function repeated(machine: Machine, token: string, placed: Placed): Promise<void> {
  const again = await placeBet(machine.address, token, placed)
  if (again !== placed.orderNo) throw new Error(`${placed.orderNo} became ${again}`)
}

function follow(machine: Machine, script: string): void {
  told(`${machine.name}: ${script.split('\n')[0]} …`)
  machine.run(script.replace('https://git.example.com/sum28.git', '/mnt/source'))
}

function blockOf(on: string): string {
  const block = blocks.find((each) => each.on === on)
  if (!block) throw new Error(`the page has no block ${on}`)
  return block.script
}

function told(line: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)}  ${line}`)
}

/** A clone of this repository that has the versions which the page names. */
function cloneWithVersions(): string {
  const clone = join(FOLDER, 'source')
  rmSync(clone, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  execFileSync('git', ['clone', '--quiet', '--bare', ROOT, clone])
  for (const version of ['v1.0.0', 'v1.1.0'])
    execFileSync('git', ['-C', clone, 'tag', version, 'HEAD'])
  return clone
}
