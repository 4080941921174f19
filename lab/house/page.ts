/** A page of deploy/ that is followed: its blocks of commands, fresh machines to run them on, and its first players. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { balanceOf, openRound, placeBet } from './first-bet.ts'
import { type Machine, type Place, startMachines } from './machines.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FOLDER = join(ROOT, '.cache', 'house')

export const MAIL_PORT = 2_525

/** What an operator fills in; here the stand-ins of the demo take the place of the world outside. */
export const filledIn = (gateway: string) => `
sed -i '/^TRON_/d; /^SMTP_URL=/d; /^WITNESSES=/d' /etc/sum28/sum28.env
cat >> /etc/sum28/sum28.env <<END
BEACON=local
OPENING_HOURS=00:00-24:00
SMTP_URL=smtp://${gateway}:${MAIL_PORT}
ALLOW_IN_PRODUCTION=local-beacon,local-chain,no-witness,plain-mail
END`

/** A container may open as many files as this machine allows, which may be few. */
export const FEW_FILES = `
mkdir -p /etc/systemd/system/haproxy.service.d
printf '[Service]\\nLimitNOFILE=16384\\n' > /etc/systemd/system/haproxy.service.d/files.conf
sed -i 's/maxconn 20000/maxconn 4000/' /etc/haproxy/haproxy.cfg
systemctl daemon-reload`

/** Alarms are mailed to this machine. */
export const onDuty = (source: string, gateway: string) => `
cd ${source}/deploy/house
sed -i 's/smtp_smarthost:.*/smtp_smarthost: ${gateway}:${MAIL_PORT}/; /smtp_auth/d; s/^route:/  smtp_require_tls: false\\nroute:/' alertmanager.yml`

export const ASK_PROMETHEUS = `
ask() { curl -sS http://127.0.0.1:9090/api/v1/query --data-urlencode "query=$1"; }`

/** Waits until a machine watches so many processes and machines, the backup and the certificates. */
export const watches = (count: number) => `${ASK_PROMETHEUS}
until ask 'sum(up) == ${count}' | grep > /dev/null '"value"'; do sleep 1; done
ask 'time() - max(node_textfile_mtime_seconds{file=~".*/sum28-backup.prom"}) < 36000' | grep > /dev/null '"value"'
ask 'min by (file) (house_certificate_ends_seconds) - time() > 864000' | grep > /dev/null '"value".*"value"'`

type Block = { on: string; script: string }

export type Page = {
  machines: readonly Machine[]
  blocks: readonly Block[]
  /** The commands that the page has for an occasion. @throws if it has none */
  blockOf(on: string): string
  stop(): void
}

/** Reads a page of deploy/, and starts its machines. */
export async function openPage(name: string, place: Place): Promise<Page> {
  const blocks = blocksOf(readFileSync(join(ROOT, 'deploy', name, 'README.md'), 'utf8'))
  const { machines, stop } = await startMachines(place, FOLDER, cloneWithVersions())
  const blockOf = (on: string) => {
    const block = blocks.find((each) => each.on === on)
    if (!block) throw new Error(`the page has no block ${on}`)
    return block.script
  }
  return { machines, blocks, blockOf, stop }
}

export type Placed = { orderNo: string; key: string; issue: string; balance: string }

export async function bet({ address }: Pick<Machine, 'address'>, token: string): Promise<Placed> {
  const key = randomBytes(12).toString('hex')
  const issue = await openRound(address, token)
  const orderNo = await placeBet(address, token, { issue, key })
  return { orderNo, key, issue, balance: await balanceOf(address, token) }
}

/** The same order with the same key is answered as before, and takes no money again. */
export async function repeated(
  machine: Pick<Machine, 'address'>,
  token: string,
  placed: Placed,
): Promise<void> {
  const again = await placeBet(machine.address, token, placed)
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
