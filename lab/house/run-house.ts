/**
 * `npm run house`: follows deploy/house/README.md literally on two fresh Debian systems, from nothing to a bet, outages
 * of beacon, chain and mail, a new version under load, a machine that is away, each machine lost, whose place a fresh one
 * takes, and returns to an instant. Needs root on a Debian machine, and of its packages debootstrap, systemd-container,
 * openssh-client and nftables.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../cluster/parts.ts'
import {
  askForCode,
  gameStatus,
  logIn,
  needsShown,
  openBetting,
  type Player,
  refusalOfOrder,
  startMailServer,
} from './first-bet.ts'
import { gatewayOf, type Machine } from './machines.ts'
import {
  ASK_PROMETHEUS,
  bet,
  betsAround,
  FEW_FILES,
  follow,
  guest,
  HAS_ALARMS,
  isFor,
  MAIL_PORT,
  NO_ALARMS,
  onDuty,
  openPage,
  repeated,
  seeReturned,
  staffOf,
  told,
  watches,
  whileBetting,
} from './page.ts'

const PLACE = { bridge: 'sum28-house', net: '10.0.0', names: ['house-1', 'house-2'] }
const GATEWAY = gatewayOf(PLACE)

/** The first block of the page that has these words. */
function blockWith(words: string): string {
  const block = blocks.find(({ script }) => script.includes(words))
  if (!block) throw new Error(`the page has no block with ${words}`)
  return block.script
}

const SYNCHRONOUS = `runuser -u postgres -- psql -c "alter system set synchronous_standby_names = '*'" -c 'select pg_reload_conf()'
until runuser -u postgres -- psql -tAc 'select count(*) from pg_stat_replication' | grep -q 1; do sleep 1; done`

const { machines, blocks, blockOf, followAll, stop } = await openPage('house', PLACE)
const [first, second] = machines as [Machine, Machine]
const { colleague, signInAnew } = staffOf(first, first, 'set -a; . /etc/sum28/sum28.env; set +a')
const mail = startMailServer(GATEWAY, MAIL_PORT)
try {
  const house = await open()
  await loseOutside(house)
  await upgrade(house)
  await loseSecond(house)
  await replaceSecond(house)
  await goBack(house)
  await loseFirst(house)
  await loseBoth(house)
  told('The page was followed to its end; only certbot, which needs the internet, was left out.')
} finally {
  mail.stop()
  stop()
}
process.exit(0)

/** Those who play and work in the house, by their tokens; one plays while it is upgraded. */
type House = { who: Player; player: string; other: string; cashier: string }

/** From nothing to the first bet. */
async function open(): Promise<House> {
  await followAll()
  const staff = [await colleague('bea'), await colleague('cem')] as const
  // More money would need a third person.
  const rich = () => guest(first, staff, { mail, money: '10000' })
  const [who, { token: other }] = [await rich(), await rich()]
  const player = who.token
  const { orderNo } = await bet(first, player)
  told(`the first bet is placed: ${orderNo}`)
  for (const { run } of machines) await run(watches(8))
  told('both machines watch both, their backup and their certificates')
  return { who, player, other, cashier: staff[0] }
}

/** The product of house-1 reaches neither its beacon, nor the chain, nor the mail server: each is seen everywhere. */
async function loseOutside({ player, cashier }: House): Promise<void> {
  await first.run(`nft add table inet away
nft add chain inet away output '{ type filter hook output priority 0; }'
nft add rule inet away output meta skuid sum28 ct direction original tcp dport != 5432 drop`)
  await askForCode(first.address)
  await until(
    'betting stops without a beacon',
    async () => (await gameStatus(first.address, player)) === 3,
  )
  if ((await refusalOfOrder(first.address, player)) !== 'games_stopped')
    throw new Error('a bet was taken without a beacon')
  // It is behind after ten minutes, of which most are given to it.
  await first.run(`sleep 5
runuser -u postgres -- psql sum28 -c "update deposits.watcher_height set moved_at = moved_at - interval '9 minutes'"`)
  const faults = ['clocks_apart', 'chain_behind', 'mail_away']
  for (const fault of faults) {
    await until(`staff see ${fault}`, async () =>
      (await needsShown(first.address, cashier)).includes(fault),
    )
    await second.run(`${ASK_PROMETHEUS}
until ask 'sum28_needs{need="${fault}"} > 0' | grep > /dev/null '"value"'; do sleep 1; done
until ask 'ALERTS{alertname="Fault",alertstate="firing",need="${fault}"}' | grep > /dev/null '"value"'; do sleep 1; done`)
  }
  for (const part of ['beacon_clock', 'chain', 'mail']) {
    const ready = await first.run('curl -sS --fail http://127.0.0.1:3001/readyz')
    if (!ready.includes(`"ready":true`) || !ready.includes(`"${part}":false`))
      throw new Error(ready)
  }
  await mail.arrived('on-duty@example.com', 'Fault')
  await first.run(`nft delete table inet away
until curl -sS http://127.0.0.1:3001/readyz | grep > /dev/null '"beacon_clock":true.*"chain":true'; do sleep 1; done`)
  await bet(first, player)
  told('beacon, chain and mail were away: metric, readiness, card and alarm said so')
}

/** A new version, one process after the other and both at once, while a player bets. */
async function upgrade({ player, other }: House): Promise<void> {
  const before = await bet(first, player)
  for (const { run } of machines) await run(NO_ALARMS)
  await follow(blockOf('upgrade'), first, second)
  for (const { run } of machines) await run(HAS_ALARMS)
  const ways = {
    'one after the other': blockOf('upgrade-processes'),
    'both stopped and started': 'systemctl restart sum28@1 sum28@2',
  }
  for (const [way, script] of Object.entries(ways)) {
    await whileBetting(first, other, way, () => follow(script, first))
  }
  await first.run(`for number in 1 2; do
  readlink /proc/$(systemctl show -P MainPID sum28@$number)/cwd | grep > /dev/null v1.1.0
done`)
  await repeated(first, player, before)
  told('a new version serves; the bet of before is answered alike')
}

async function loseSecond({ player }: House): Promise<void> {
  await second.run('systemctl stop postgresql@15-main')
  const waiting = bet(first, player)
  await sleep(5_000)
  await follow(blockOf('house-2-away'), first)
  await waiting
  await bet(first, player)
  told('house-2 is away: bets go on once one machine is enough')
  await second.run('systemctl start postgresql@15-main')
  await second.run(`${ASK_PROMETHEUS}
until ask 'ALERTS{alertname="CommitsAlone"}' | grep > /dev/null '"value"'; do sleep 1; done`)
  await first.run(SYNCHRONOUS)
  told('house-2 is back, and the alarm asks that bets wait for it again')
}

/** house-2 does not come back: a fresh machine takes its name, follows house-1, and begins the backups anew. */
async function replaceSecond({ player }: House): Promise<void> {
  second.kill()
  await follow(blockOf('house-2-away'), first)
  await bet(first, player)
  await mail.arrived('on-duty@example.com', 'MachineAway')
  await second.renew()
  for (const { script } of blocks.filter(({ on }) => isFor(on, second))) {
    // The end of step 1: the name is known, and the way to its certificate open.
    if (script.includes('mv $(hostname).crt'))
      await follow(`LOST=${second.name}\n${blockOf('new-keys')}`, first)
    await follow(script, second)
    if (script.includes('/etc/haproxy/haproxy.cfg')) await second.run(FEW_FILES)
    if (script.includes('alertmanager.yml')) await second.run(onDuty(GATEWAY))
    if (script.includes('copy-database')) await first.run(SYNCHRONOUS)
  }
  await bet(first, player)
  for (const { run } of machines) await run(watches(8))
  told('a fresh machine is house-2: it follows, keeps backups, and watches')
}

async function goBack(house: House): Promise<void> {
  const { player, who } = house
  const around = await betsAround(first, player, first)
  // On the machine that follows it changes nothing.
  await second.run(`if (\n${blockOf('restore')}\n); then exit 1; fi
cd / && runuser -u postgres -- psql -tAc 'select pg_is_in_recovery()' | grep -q t`)
  const earlier = `INSTANT='${around.instant}'\n`
  const later = `INSTANT='${around.later}'\n`
  await follow(`${earlier}NAME=bea\n${blockOf('restore')}`, first)
  const timeline = await first.run(
    `cd / && runuser -u postgres -- psql -tAc "select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int - 1"`,
  )
  await follow(`${later}TIMELINE=${timeline.trim()} NAME=bea\n${blockOf('restore')}`, first)
  await follow(`${later}${blockOf('restore-start')}`, first)
  await repeated(first, await logIn(first.address, who), around.gone)
  told('at a later instant after all, before anything was started: the bet that was gone is there')
  const [last = ''] = blockOf('restore').trimEnd().split('\n').slice(-1)
  await follow(`${earlier}NAME=bea\n${blockOf('restore')}${last}`, first)
  await follow(`${earlier}${blockOf('restore-start')}`, first)
  house.player = await seeReturned(first, who, around)
  await openBetting(first.address, await signInAnew('bea'))
  await follow(blockWith('copy-database house-1'), second)
  await first.run(SYNCHRONOUS)
  await second.run('systemctl start sum28-backup')
}

async function loseFirst({ player }: House): Promise<void> {
  // On both machines.
  const last = await bet(first, player)
  const authority = await first.run('cat /etc/sum28/tls/ca.key')
  await second.run(`${ASK_PROMETHEUS}
until ask sum28_commits_synchronous | grep > /dev/null '"1"'; do sleep 1; done`)
  mail.forget()
  first.kill()
  await mail.arrived('on-duty@example.com', 'MachineAway')
  await second.run(`${ASK_PROMETHEUS}
ask 'last_over_time(sum28_commits_synchronous[1d])' | grep '"1"'`)
  await follow(blockOf('house-1-lost'), second)
  await follow(blockOf('house-1-lost-start'), second)
  await repeated(second, player, last)
  await bet(second, player)
  told('house-1 is lost: somebody is called, and house-2 has every bet and takes the next')
  await replaceFirst(authority)
  await bet(second, player)
  for (const { run } of machines) await run(watches(8))
  told('a fresh machine is house-1: it follows, and both watch both')
}

/** A database that leads is not deleted; a fresh machine takes the name of house-1, and follows house-2. */
async function replaceFirst(authority: string): Promise<void> {
  await second.run('! /opt/sum28/current/deploy/house/copy-database house-1')
  await first.renew()
  await follow(blockWith('hostnamectl set-hostname house-1'), first)
  await follow(blockWith('apt-get'), first)
  await second.run(`cat > /etc/sum28/tls/ca.key <<END\n${authority}END`)
  await follow(`LOST=${first.name}\n${blockOf('new-keys')}`, second)
  await follow(blockWith('mv $(hostname).crt'), first)
  await follow(blockOf('new-house-1'), first)
  await first.run('! /opt/sum28/current/deploy/house/copy-database house-1')
  await follow(blockOf('new-house-1-follows'), second)
  await follow(blockWith('pgbackrest-server'), first)
  await follow(blockWith('alertmanager.yml'), first)
  await first.run(onDuty(GATEWAY))
  await follow(blockWith('sum28.token'), first)
  await follow(blockOf('new-house-1-watches'), first)
}

/** Both are lost, with all but what was copied to a third place: two fresh machines go back to it. */
async function loseBoth({ who, player }: House): Promise<void> {
  const around = await betsAround(second, player, second)
  const away = join(dirname(second.root), 'third-place')
  const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to])
  rmSync(away, { recursive: true, force: true })
  mkdirSync(away)
  const keys = ['sum28.env', 'pgpass', 'backup-key']
  for (const what of ['var/lib/pgbackrest', ...keys.map((file) => `etc/sum28/${file}`)])
    copy(join(second.root, what), away)
  for (const { kill } of machines) kill()
  for (const { renew } of machines) await renew()
  const toStep3 = blocks.findIndex(({ script }) => script.includes('pg_dropcluster'))
  for (const { on, script } of blocks.slice(0, toStep3)) {
    const there = machines.filter((machine) => isFor(on, machine))
    await follow(script, ...there)
    if (script.includes('/etc/haproxy/haproxy.cfg'))
      for (const { run } of there) await run(FEW_FILES)
  }
  for (const file of keys) copy(join(away, file), join(first.root, 'etc', 'sum28'))
  copy(join(away, 'backup-key'), join(second.root, 'etc', 'sum28'))
  copy(join(away, 'pgbackrest'), join(second.root, 'var', 'lib'))
  await follow(blockOf('both-lost-1'), first)
  await follow(blockOf('both-lost-2'), second)
  await follow(blockWith('pgbackrest-server'), first, second)
  const instant = `INSTANT='${around.instant}'\n`
  await follow(`${instant}NAME=bea\n${blockOf('restore')}`, first)
  await follow(blockWith('systemctl enable --now sum28@1 sum28@2'), first)
  await follow(`${instant}${blockOf('restore-start')}`, first)
  const token = await seeReturned(first, who, around)
  await openBetting(first.address, await signInAnew('bea'))
  await follow(blockWith('scp -p /etc/sum28/sum28.env'), first)
  await follow(blockWith('copy-database house-1'), second)
  await first.run(SYNCHRONOUS)
  await follow(blockWith('stanza-create'), second)
  await follow(blockWith('alertmanager.yml'), first, second)
  for (const { run } of machines) await run(onDuty(GATEWAY))
  await follow(blockWith('sum28.token'), first, second)
  await bet(first, token)
  for (const { run } of machines) await run(watches(8))
  told('both were lost: two fresh machines have what was copied away, and the next bet')
}
