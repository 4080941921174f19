/**
 * `npm run safe`: follows deploy/safe/README.md literally on three fresh Debian systems, from nothing to a bet, a new
 * version, a primary that is killed and one that is cut off, a machine that was away for long, a return to an instant, a
 * primary that is lost while the archive is away, and a machine that is replaced. It needs what `npm run house` needs.
 */
import { until } from '../cluster/parts.ts'
import { openBetting, type Player, startMailServer } from './first-bet.ts'
import { gatewayOf, type Machine } from './machines.ts'
import {
  bet,
  betsAround,
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

const PLACE = { bridge: 'sum28-safe', net: '10.0.1', names: ['safe-1', 'safe-2', 'safe-3'] }
const GATEWAY = gatewayOf(PLACE)

/** Players' address, of whichever balancer has it. */
const PLAYERS = { address: `${PLACE.net}.10` }

/** The local beacon of the demo follows from a key that an engine has no need of. */
const BEACON_KEY = 'grep ^SECRET_KEY= /etc/sum28/api.env >> /etc/sum28/engine.env'

/** Six processes, three machines, and what watches on each. */
const WATCHED = 15

const KILL_DATABASE =
  'kill -9 $(systemctl show -P MainPID patroni) $(head -1 /var/lib/postgresql/15/main/postmaster.pid)'

const STATE = 'patronictl -c /etc/patroni/config.yml list'

const { machines, blocks, blockOf, followAll, stop } = await openPage('safe', PLACE)
const [first, second, third] = machines as [Machine, Machine, Machine]
const SETTINGS = 'set -a; . /etc/sum28/sum28.env; . /etc/sum28/api.env; set +a'
const { colleague, signInAnew } = staffOf(PLAYERS, first, SETTINGS)
const mail = startMailServer(GATEWAY, MAIL_PORT)
try {
  const before = await open()
  await upgrade(before)
  await losePrimary(before)
  await copyAnew()
  const staff = await goBack(before)
  await loseArchive(staff)
  await replaceThird(staff)
  told('The page was followed to its end; only certbot, which needs the internet, was left out.')
} finally {
  mail.stop()
  stop()
}
process.exit(0)

type Staff = readonly [string, string]

/** From nothing to the first bet. */
async function open(): Promise<Staff> {
  await followAll(async (script) => {
    if (script.includes('make-logins')) for (const { run } of [first, second]) await run(BEACON_KEY)
  })
  const staff = [await colleague('bea'), await colleague('cem')] as const
  const { orderNo } = await bet(PLAYERS, (await newGuest(staff)).token)
  told(`the first bet is placed: ${orderNo}`)
  for (const { run } of machines) await run(watches(WATCHED))
  told('each machine watches all three, their backup and their certificates')
  return staff
}

function newGuest(staff: Staff): Promise<Player> {
  return guest(PLAYERS, staff, { mail, money: '9000' })
}

/** The same with a new player, whose bet of before is answered alike. */
async function whileGuestBets(staff: Staff, what: string, act: () => Promise<void>): Promise<void> {
  const { token } = await newGuest(staff)
  const before = await bet(PLAYERS, token)
  await whileBetting(PLAYERS, token, what, act)
  await repeated(PLAYERS, token, before)
}

async function upgrade(staff: Staff): Promise<void> {
  for (const { run } of machines) await run(NO_ALARMS)
  await follow(blockOf('upgrade-alarms'), ...machines)
  for (const { run } of machines) await run(HAS_ALARMS)
  await follow(blockOf('upgrade'), first, second)
  await whileGuestBets(staff, 'a new version, one after the other', async () => {
    await follow(blockOf('upgrade-database'), first)
    for (const machine of [first, second]) await follow(blockOf('upgrade-processes'), machine)
  })
}

/** The machine whose database leads, once another one has its commits too. */
function primary(): Promise<Machine> {
  return until('a database leads with a synchronous replica', async () => {
    const state = await third.run(STATE).catch(() => second.run(STATE))
    const leader = leaderIn(state, machines)
    return leader && state.includes('Sync Standby') && leader
  })
}

function leaderIn(state: string, among: readonly Machine[]): Machine | undefined {
  return among.find(({ name }) => new RegExp(`${name} .* Leader .* running`).test(state))
}

async function losePrimary(staff: Staff): Promise<void> {
  for (const [what, lose, back] of [
    [
      'kill -9 of the primary and its Patroni',
      ({ run }: Machine) => run(KILL_DATABASE),
      ({ run }: Machine) => run('systemctl start patroni'),
    ],
    [
      'the primary’s network is cut',
      async ({ link }: Machine) => link('down'),
      async ({ link }: Machine) => link('up'),
    ],
  ] as const) {
    const lost = await primary()
    await whileGuestBets(staff, `${what} (${lost.name})`, async () => {
      await lose(lost)
      const next = await leaderBeside(lost)
      told(`${next.name} leads`)
    })
    await back(lost)
    await follows(lost)
  }
}

/** Waits until the database of a machine follows the one that leads. */
async function follows({ name, run }: Machine): Promise<void> {
  const line = new RegExp(`${name} .* (Replica|Sync Standby) .* (streaming|running)`)
  await until(`${name} follows`, async () => line.test(await run(STATE)))
  await primary()
}

/** A machine is away for more log than is kept, and cannot follow: it is copied anew. */
async function copyAnew(): Promise<void> {
  const leader = await primary()
  const [away] = machines.filter((machine) => machine !== leader) as [Machine]
  await away.run('systemctl stop patroni')
  // Until Patroni drops its slot.
  await leader.run(`cd /
sleep 30
for segment in $(seq 80); do
  runuser -u postgres -- psql -qtAc 'select txid_current()' -c 'select pg_switch_wal()' -c checkpoint > /dev/null
done`)
  await away.run('systemctl start patroni')
  await away.run(
    `until journalctl -u patroni | grep > /dev/null 'has already been removed'; do sleep 1; done`,
  )
  await follow(`BACK=${away.name}\n${blockOf('copy-anew')}`, leader)
  await leader.run(`cd /
until runuser -u postgres -- psql -tAc "select state from pg_stat_replication where application_name = '${away.name}'" | grep > /dev/null streaming; do sleep 1; done`)
  told(`${away.name} was away for long: it is copied anew`)
}

/** A primary is lost that could not send its log: the next one leads all the same, and a backup is made. */
async function loseArchive(staff: Staff): Promise<void> {
  // Only the others send their log to another machine.
  while ((await primary()) === third) await follow(blockOf('switchover'), third)
  const lost = await primary()
  await third.run('systemctl stop pgbackrest-server')
  await whileGuestBets(staff, `${lost.name} is lost while the archive is away`, async () => {
    await lost.run(`cd / && runuser -u postgres -- psql -c 'select pg_switch_wal()'
until runuser -u postgres -- psql -tAc 'select last_failed_time > last_archived_time from pg_stat_archiver' | grep -q t; do sleep 1; done
${KILL_DATABASE}`)
    const next = await leaderBeside(lost)
    told(`${next.name} leads`)
  })
  await third.run('systemctl start pgbackrest-server')
  await lost.run('systemctl start patroni')
  await follows(lost)
  await follow(blockOf('archive-back'), third)
  told('the archive is back, and a backup made')
}

/** The machine that leads after another one does not. */
function leaderBeside(lost: Machine): Promise<Machine> {
  const others = machines.filter((machine) => machine !== lost)
  const [asked] = others as [Machine]
  return until(`another machine than ${lost.name} leads`, async () =>
    leaderIn(await asked.run(STATE), others),
  )
}

/** The restore, and the check of the books after it. @returns the staff, who have signed in anew */
async function goBack(staff: Staff): Promise<Staff> {
  const who = await newGuest(staff)
  const around = await betsAround(PLAYERS, who.token, await primary())
  const instant = `INSTANT='${around.instant}'\n`
  await follow(blockOf('restore-stop'), first, second)
  for (const machine of [third, second, first])
    await follow(blockOf('restore-database-stop'), machine)
  await follow(`${instant}NAME=bea\n${blockOf('restore')}`, first)
  await follow(blockOf('restore-patroni'), first)
  await follow(blockOf('restore-copies'), second, third)
  await follow(`${instant}${blockOf('restore-start')}`, first, second)
  await follow(blockOf('restore-check'), first)
  await follow(blockOf('restore-backup'), third)
  const player = await seeReturned(PLAYERS, who, around)
  await first.run(`cd /
until runuser -u postgres -- psql sum28 -tAc "select count(*) from graphile_worker.jobs where task_identifier = 'check-all-books'" | grep -qx 0; do sleep 1; done`)
  for (const { run } of [first, second])
    await run(`! journalctl -u sum28@jobs | grep -q 'the books are wrong'`)
  const anew = [await signInAnew('bea'), await signInAnew('cem')] as const
  await openBetting(PLAYERS.address, anew[0])
  await bet(PLAYERS, player)
  told('the books are right, an owner has opened the house, and the next bet is placed')
  return anew
}

/** The machine with the backups does not come back: a fresh one takes its name. */
async function replaceThird(staff: Staff): Promise<void> {
  third.kill()
  await mail.arrived('on-duty@example.com', 'MachineAway')
  told(`${third.name} is lost, and somebody is called`)
  await third.renew()
  const lost = `LOST=${third.name} STATE=existing\n`
  for (const { on, script } of blocks.filter((block) => isFor(block.on, third))) {
    // The end of step 1: the name is known, and the way to its certificate open.
    if (script.includes('mv $(hostname).crt')) await follow(lost + blockOf('replace'), first)
    if (script.includes('stanza-create')) await follows(third)
    await follow(on === 'all' ? lost + script : script, third)
    if (script.includes('alertmanager.yml')) await third.run(onDuty(GATEWAY))
  }
  await follows(third)
  await third.run(watches(WATCHED))
  await bet(PLAYERS, (await newGuest(staff)).token)
  told(`${third.name} is replaced: it follows, keeps backups, and watches`)
}
