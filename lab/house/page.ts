/** A page of deploy/ that is followed: its blocks of commands, fresh machines to run them on, and its first players. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  balanceOf,
  keepBetting,
  logIn,
  openRound,
  type Player,
  placeBet,
  printedSecrets,
  recordMoney,
  refusalOfOrder,
  registerPlayer,
  signIn,
  type startMailServer,
} from './first-bet.ts'
import { gatewayOf, type Machine, type Place, startMachines } from './machines.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FOLDER = join(ROOT, '.cache', 'house')

export const MAIL_PORT = 2_525

/** What an operator fills in; here the stand-ins of the demo take the place of the world outside. */
const filledIn = (gateway: string) => `
sed -i '/^TRON_/d; /^SMTP_URL=/d; /^WITNESSES=/d' /etc/sum28/sum28.env
cat >> /etc/sum28/sum28.env <<END
BEACON=local
OPENING_HOURS=00:00-24:00
SMTP_URL=smtp://${gateway}:${MAIL_PORT}
ALLOW_IN_PRODUCTION=local-beacon,local-chain,no-witness,plain-mail
END`

/** A block that writes the settings in which an operator fills in his own. */
const WRITES_SETTINGS = /\/sum28\.env \/etc\/|> \/etc\/sum28\/sum28\.env/

/** A container may open as many files as this machine allows, which may be few. */
export const FEW_FILES = `
mkdir -p /etc/systemd/system/haproxy.service.d
printf '[Service]\\nLimitNOFILE=16384\\n' > /etc/systemd/system/haproxy.service.d/files.conf
sed -i 's/maxconn 20000/maxconn 4000/' /etc/haproxy/haproxy.cfg
systemctl daemon-reload`

/** What an operator fills in there, which nobody else reads. */
export const onDuty = (gateway: string) => `
cd /etc/prometheus
test "$(stat -c '%a %G' alertmanager.yml)" = '640 prometheus'
sed -i 's/smtp_smarthost:.*/smtp_smarthost: ${gateway}:${MAIL_PORT}/; /smtp_auth/d; s/^route:/  smtp_require_tls: false\\nroute:/' alertmanager.yml`

export const ASK_PROMETHEUS = `
ask() { curl -sS http://127.0.0.1:9090/api/v1/query --data-urlencode "query=$1"; }`

/** Waits until a machine watches so many processes and machines, their services, the backup and the certificates. */
export const watches = (count: number) => `${ASK_PROMETHEUS}
for query in 'sum(up{job=~"sum28|machines|alarms"}) == ${count}' \\
  'min(node_systemd_unit_state{name="pgbackrest-server.service",state="active"}) == 1' \\
  'time() - max(node_textfile_mtime_seconds{file=~".*/sum28-backup.prom"}) < 36000'
do until ask "$query" | grep > /dev/null '"value"'; do sleep 1; done; done
until ask 'min by (file) (house_certificate_ends_seconds) - time() > 864000' | grep > /dev/null '"value".*"value"'; do sleep 1; done`

/** Takes a machine's alarms away, as if they were of an earlier version. */
export const NO_ALARMS = `echo 'groups: []' > /etc/prometheus/alarms.yaml
systemctl reload prometheus`

/** Waits until Prometheus has the alarms of the version that is there. */
export const HAS_ALARMS = `cmp /etc/prometheus/alarms.yaml /opt/sum28/source/deploy/alarms.yaml
until curl -sS http://127.0.0.1:9090/api/v1/rules | grep > /dev/null '"Watchdog"'; do sleep 1; done`

type Block = { on: string; script: string }

/** Reads a page of deploy/, and starts its machines. */
export async function openPage(name: string, place: Place) {
  const blocks = blocksOf(readFileSync(join(ROOT, 'deploy', name, 'README.md'), 'utf8'))
  const { machines, stop } = await startMachines(place, FOLDER, cloneWithVersions())
  /** The commands that the page has for an occasion. @throws if it has none */
  function blockOf(on: string): string {
    const block = blocks.find((each) => each.on === on)
    if (!block) throw new Error(`the page has no block ${on}`)
    return block.script
  }
  /** Follows the page from nothing on. @param after what follows a block */
  async function followAll(after = async (_script: string) => {}): Promise<void> {
    const gateway = gatewayOf(place)
    for (const { on, script } of blocks) {
      const there = machines.filter((machine) => isFor(on, machine))
      const onAll = (more: string) => Promise.all(there.map(({ run }) => run(more)))
      await follow(script, ...there)
      if (script.includes('alertmanager.yml')) await onAll(onDuty(gateway))
      if (script.includes('/etc/haproxy/haproxy.cfg')) await onAll(FEW_FILES)
      if (WRITES_SETTINGS.test(script)) await onAll(filledIn(gateway))
      await after(script)
    }
  }
  return { machines, blocks, blockOf, followAll, stop }
}

/** Whether a block is run on a machine. */
export function isFor(on: string, { name }: Pick<Machine, 'name'>): boolean {
  return on === 'all' || on === 'both' || on.split(',').includes(name)
}

/** A new player with money. */
export async function guest(
  { address }: Called,
  staff: readonly [string, string],
  { mail, money }: { mail: ReturnType<typeof startMailServer>; money: string },
): Promise<Player> {
  const player = await registerPlayer(address, mail)
  await recordMoney(address, staff, { playerId: player.id, money })
  return player
}

/** How long a player bets undisturbed, before and after. */
const CALM_MS = 5_000

/** Who is called: the balancer of a machine, or whichever has the address. */
type Called = Pick<Machine, 'address'>

/**
 * Members of staff, with what they sign in with.
 *
 * @param settings the commands that read the settings of the product's commands on this machine
 */
export function staffOf({ address }: Called, { run }: Machine, settings: string) {
  const secrets = new Map<string, ReturnType<typeof printedSecrets>>()
  function signInAnew(name: string): Promise<string> {
    const known = secrets.get(name)
    if (!known) throw new Error(`${name} is no member of staff`)
    return signIn(address, name, known)
  }
  return {
    signInAnew,
    /** Makes an owner. @returns his token */
    async colleague(name: string): Promise<string> {
      const printed = await run(`cd /opt/sum28/current
${settings}
DATA_DIR=/var/lib/sum28/command npm run --silent console:staff -- --name ${name} --role owner --with-secret`)
      secrets.set(name, printedSecrets(printed))
      return signInAnew(name)
    },
  }
}

/** Does something while a player bets, and tells how long he waited. */
export async function whileBetting(
  { address }: Called,
  token: string,
  what: string,
  act: () => Promise<void>,
): Promise<void> {
  const betting = keepBetting(address, token)
  await sleep(CALM_MS)
  await act()
  await sleep(CALM_MS)
  const { accepted, longestS } = await betting.stop()
  told(
    `${what}: ${accepted} orders accepted, ${longestS.toFixed(1)} s the longest without an answer`,
  )
}

type Placed = Awaited<ReturnType<typeof bet>>

/**
 * An instant, bets before and after it, and a later instant than both.
 *
 * @param database the machine whose database leads
 */
export async function betsAround(house: Called, token: string, database: Machine) {
  const stays = await bet(house, token)
  const now = async () =>
    (
      await database.run(
        `cd / && runuser -u postgres -- psql -tAc "select to_char(now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00:00'"`,
      )
    ).trim()
  const instant = await now()
  await sleep(2_000)
  const gone = await bet(house, token)
  const later = await now()
  // PostgreSQL goes back to an instant only if the log has a transaction after it.
  await database.run(
    `cd / && runuser -u postgres -- psql -c 'select txid_current()' -c 'select pg_switch_wal()'`,
  )
  await sleep(5_000)
  return { instant, stays, gone, later }
}

/** After a return to the instant: the bet after it is gone, and none is taken. @returns the player's new token */
export async function seeReturned(
  house: Called,
  who: Player,
  { instant, stays, gone }: Awaited<ReturnType<typeof betsAround>>,
): Promise<string> {
  const token = await logIn(house.address, who)
  if ((await refusalOfOrder(house.address, token)) !== 'games_stopped')
    throw new Error('a bet was taken before an owner had opened the house')
  await repeated(house, token, stays)
  if ((await balanceOf(house.address, token)) === gone.balance)
    throw new Error('the bet after the instant is still there')
  told(`back at ${instant}: the bet after it is gone`)
  return token
}

export async function bet({ address }: Called, token: string) {
  const key = randomBytes(12).toString('hex')
  const issue = await openRound(address, token)
  const orderNo = await placeBet(address, token, { issue, key })
  return { orderNo, key, issue, balance: await balanceOf(address, token) }
}

/** The same order with the same key is answered as before, and takes no money again. */
export async function repeated({ address }: Called, token: string, placed: Placed): Promise<void> {
  const again = await placeBet(address, token, placed)
  if (again !== placed.orderNo) throw new Error(`${placed.orderNo} became ${again}`)
}

/** Runs a block of the page on these machines at once. */
export async function follow(script: string, ...where: readonly Machine[]): Promise<void> {
  if (where.length === 0) return
  told(`${where.map(({ name }) => name).join(', ')}: ${script.split('\n')[0]} …`)
  const read = script.replace('https://git.example.com/sum28.git', '/mnt/source')
  await Promise.all(where.map(({ run }) => run(read)))
}

/** The commands of a page, in their order: its code blocks that begin with ```sh and a machine. */
function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```sh (\S+)\n([\s\S]*?)^```$/gm)].map(([, on = '', script = '']) => ({
    on,
    script,
  }))
}

export function told(line: string): void {
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
