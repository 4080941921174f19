/**
 * Fresh Debian systems on this machine, each with an init system, a network of its own and root: containers of
 * systemd-nspawn, joined by a bridge. Debian's packages and npm's come through this machine.
 */
import {
  type ExecFileException,
  execFile,
  execFileSync,
  spawn,
  spawnSync,
} from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../cluster/parts.ts'

const CERTIFICATES = '/usr/local/share/ca-certificates'

/** The machines of a page, and the first three numbers of their addresses; this machine is number 254 among them. */
export type Place = { bridge: string; net: string; names: readonly string[] }

/** No measure of speed, only an end for a block that hangs; the error has its commands. */
const BLOCK_MS = 1_800_000

const PACKAGES = 'systemd,systemd-sysv,dbus,iproute2,ca-certificates,openssh-server,procps'

export type Machine = ReturnType<typeof machineOf>

/** This machine, as they see it. */
export const gatewayOf = ({ net }: Place) => `${net}.254`

/**
 * @param folder for the systems, and for a first one that all are copied from
 * @param source a git repository, which all see as /mnt/source
 */
export async function startMachines(
  place: Place,
  folder: string,
  source: string,
): Promise<{ machines: Machine[]; stop: () => void }> {
  const base = join(folder, 'base')
  if (!existsSync(join(base, 'made'))) makeBase(base)
  await endLeftOver(place)
  openNetwork(place)
  const keys = join(folder, 'ssh')
  rmSync(keys, { recursive: true, force: true })
  mkdirSync(keys, { recursive: true })
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(keys, 'id_ed25519')])
  const machines: Machine[] = []
  const stop = () => {
    for (const machine of machines) machine.kill()
    closeNetwork(place)
  }
  process.once('exit', stop)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  for (const [index, name] of place.names.entries()) {
    const address = `${place.net}.${index + 1}`
    const machine = machineOf({ name, address, folder, source, place })
    machines.push(machine)
    await machine.renew()
  }
  return { machines, stop }
}

export function makeBase(base: string): void {
  rmSync(base, { recursive: true, force: true })
  execFileSync('debootstrap', ['--variant=minbase', `--include=${PACKAGES}`, 'bookworm', base], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // It trusts what this machine trusts.
  sh(`cp -r ${CERTIFICATES}/. ${base}${CERTIFICATES}
chroot ${base} update-ca-certificates >/dev/null`)
  // What is installed here need not outlive a cut of the power.
  writeFileSync(join(base, 'etc', 'dpkg', 'dpkg.cfg.d', 'unsafe'), 'force-unsafe-io\n')
  writeFileSync(join(base, 'made'), '')
}

/**
 * Ends the machines of a run that was interrupted, of whichever folder: their roots and the names of their links are in
 * use until then.
 *
 * @throws if they belong to a run that goes on
 */
async function endLeftOver({ names }: Place): Promise<void> {
  const inits = readdirSync('/proc').filter((id) => {
    const [root = ''] = textOf(`/proc/${id}/mountinfo`).split('\n')
    const isInit = textOf(`/proc/${id}/status`).includes(`\nNSpid:\t${id}\t1\n`)
    return isInit && names.some((name) => new RegExp(`/house/${name}(//deleted)? / `).test(root))
  })
  for (const id of inits) {
    const parent = /^PPid:\s+(\d+)/m.exec(textOf(`/proc/${id}/status`))?.[1] ?? ''
    // It ends with its run; the machine itself may not.
    if (textOf(`/proc/${parent}/comm`).trim() === 'systemd-nspawn')
      throw new Error(`process ${parent} has a machine of a run that goes on: wait for its end`)
    spawnSync('kill', ['-9', id])
  }
  await until('the machines of an interrupted run end', async () => inits.every(hasEnded))
}

/** What a file of /proc says; nothing if its process has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

/** A process that nobody has waited for has no mounts any more. */
const hasEnded = (id: string) => textOf(`/proc/${id}/mountinfo`) === ''

/** As `ssh-copy-id` leaves them. */
function giveKeys(root: string, keys: string): void {
  const home = join(root, 'root', '.ssh')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  copyFileSync(join(keys, 'id_ed25519'), join(home, 'id_ed25519'))
  copyFileSync(join(keys, 'id_ed25519.pub'), join(home, 'authorized_keys'))
  writeFileSync(join(home, 'config'), 'StrictHostKeyChecking accept-new\n')
  copyFileSync('/etc/resolv.conf', join(root, 'etc', 'resolv.conf'))
  // As an installer of Debian leaves it: PostgreSQL does not start without the name.
  writeFileSync(join(root, 'etc', 'hosts'), '127.0.0.1 localhost\n')
}

type Setup = { name: string; address: string; folder: string; source: string; place: Place }

/** A machine that does not run yet. */
function machineOf(setup: Setup) {
  const { name, address, folder, place } = setup
  const base = join(folder, 'base')
  const root = join(folder, name)
  let init: string | null = null

  /** Runs a script as root, and returns what it printed. @throws with its output if a command of it fails */
  async function run(script: string): Promise<string> {
    const done = promisify(execFile)(
      'nsenter',
      [
        ...['-t', init ?? '', '-m', '-u', '-i', '-n', '-p', '--root'],
        ...['env', '-i', 'HOME=/root', 'TERM=dumb', 'LC_ALL=C.UTF-8'],
        'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt',
        'DEBIAN_FRONTEND=noninteractive',
        ...['bash', '-euo', 'pipefail', '-c', `cd /root\n${script}`],
      ],
      { maxBuffer: 64 * 1024 * 1024, timeout: BLOCK_MS },
    )
    done.child.stdin?.end()
    try {
      return (await done).stdout
    } catch (error) {
      const { code, signal, stdout, stderr } = error as ExecFileException
      throw new Error(
        `${name} failed (${code ?? signal}):\n${script}\n${stdout?.slice(-3_000)}\n${stderr?.slice(-3_000)}`,
      )
    }
  }

  /** Ends it as a cut of its power does. */
  function kill(): void {
    if (init) spawnSync('kill', ['-9', init])
  }

  /** Puts a fresh system in its place, with its name and address. */
  async function renew(): Promise<void> {
    kill()
    const before = init
    await until(`${name} has ended`, async () => !before || hasEnded(before))
    spawnSync('ip', ['link', 'del', linkOf(name)], { stdio: 'ignore' })
    if (existsSync(root)) throwAway(root)
    execFileSync('cp', ['-a', base, root])
    giveKeys(root, join(folder, 'ssh'))
    init = await boot(setup, root)
    const booted = init
    await until(`${name} is up`, async () => {
      const state = spawnSync('nsenter', [
        ...['-t', booted, '-m', '-p', '--root', 'systemctl', 'is-system-running'],
      ])
      return /running|degraded/.test(String(state.stdout))
    })
    await run(`ip link set host0 up
ip addr add ${address}/24 dev host0
ip route add default via ${gatewayOf(place)}`)
  }

  /** Cuts its network, or joins it again. */
  const link = (state: 'down' | 'up') => sh(`ip link set ${linkOf(name)} ${state}`)
  return { name, address, root, run, link, kill, renew }
}

/** Removes a system, whose many files take minutes, while others go on. */
function throwAway(root: string): void {
  const old = `${root}.${Date.now()}`
  renameSync(root, old)
  spawn('rm', ['-rf', old], { detached: true, stdio: 'ignore' }).unref()
}

/** The other end of a machine's link, on this one. */
const linkOf = (name: string) => `vb-${name}`

/** @returns the process that is number 1 in the machine. @throws with what systemd-nspawn said */
async function boot({ name, folder, source, place }: Setup, root: string): Promise<string> {
  const binds = [
    `--bind-ro=${source}:/mnt/source`,
    // Packages are not brought a second time.
    '--bind=/root/.npm',
  ]
  const log = join(folder, `${name}.log`)
  const output = openSync(log, 'w')
  // It ends with this process, even if this one is killed.
  const child = spawn(
    'setpriv',
    [
      ...['--pdeathsig', 'KILL', 'systemd-nspawn'],
      ...['--quiet', '--register=no', '--keep-unit', '--boot', '--directory', root],
      ...[`--machine=${name}`, `--network-bridge=${place.bridge}`, '--resolv-conf=off', ...binds],
    ],
    { stdio: ['ignore', output, output] },
  )
  closeSync(output)
  const children = `/proc/${child.pid}/task/${child.pid}/children`
  const init = await until(`${name} boots`, async () => {
    if (child.exitCode !== null || child.signalCode !== null) return 'ended'
    const [first] = textOf(children).split(' ')
    return first && textOf(`/proc/${first}/comm`).trim() === 'systemd' && first
  })
  if (init !== 'ended') return init
  throw new Error(`${name} did not boot: ${readFileSync(log, 'utf8').slice(-2_000)}`)
}

function openNetwork(place: Place): void {
  closeNetwork(place)
  const { bridge, net } = place
  sh(`ip link add ${bridge} type bridge
ip addr add ${gatewayOf(place)}/24 dev ${bridge}
ip link set ${bridge} up
sysctl -qw net.ipv4.ip_forward=1
nft add table ip ${bridge}
nft add chain ip ${bridge} out '{ type nat hook postrouting priority 100; }'
nft add rule ip ${bridge} out ip saddr ${net}.0/24 ip daddr != ${net}.0/24 masquerade`)
}

function closeNetwork({ bridge, names }: Place): void {
  const links = [bridge, ...names.map(linkOf)]
  for (const link of links) spawnSync('ip', ['link', 'del', link], { stdio: 'ignore' })
  spawnSync('nft', ['delete', 'table', 'ip', bridge], { stdio: 'ignore' })
}

function sh(script: string): void {
  execFileSync('sh', ['-euc', script], { stdio: ['ignore', 'ignore', 'inherit'] })
}
