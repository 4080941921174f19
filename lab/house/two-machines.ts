/**
 * Two fresh Debian systems on this machine, each with an init system, a network of its own and root: containers of
 * systemd-nspawn, joined by a bridge. Debian's packages and npm's come through this machine.
 */
import {
  type ChildProcess,
  type ExecFileException,
  execFile,
  execFileSync,
  spawn,
  spawnSync,
} from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const BRIDGE = 'sum28-house'
const CERTIFICATES = '/usr/local/share/ca-certificates'

/** This machine, as the two see it. */
export const GATEWAY = '10.0.0.254'
const ADDRESSES: Readonly<Record<string, string>> = { 'house-1': '10.0.0.1', 'house-2': '10.0.0.2' }
const PACKAGES = 'systemd,systemd-sysv,dbus,iproute2,ca-certificates,openssh-server,procps'

export type Machine = {
  name: string
  address: string
  /** Runs a script as root, and returns what it printed. @throws with its output if a command of it fails */
  run(script: string): Promise<string>
  /** Ends it as a cut of its power does. */
  kill(): void
}

/**
 * @param folder for the two systems, and for a first one that both are copied from
 * @param source a git repository, which both see as /mnt/source
 */
export async function startTwoMachines(
  folder: string,
  source: string,
): Promise<{ machines: Machine[]; stop: () => void }> {
  const base = join(folder, 'base')
  if (!existsSync(join(base, 'made'))) makeBase(base)
  openNetwork()
  const keys = join(folder, 'ssh')
  rmSync(keys, { recursive: true, force: true })
  mkdirSync(keys, { recursive: true })
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(keys, 'id_ed25519')])
  const running: ChildProcess[] = []
  const machines: Machine[] = []
  const stop = () => {
    for (const machine of machines) machine.kill()
    for (const child of running) child.kill('SIGKILL')
    closeNetwork()
  }
  process.once('exit', stop)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  for (const [name, address] of Object.entries(ADDRESSES)) {
    const root = join(folder, name)
    rmSync(root, { recursive: true, force: true })
    execFileSync('cp', ['-a', base, root])
    giveKeys(root, keys)
    const child = boot({ name, root, source })
    running.push(child)
    machines.push(await ready({ name, address, child }))
  }
  return { machines, stop }
}

function makeBase(base: string): void {
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

/** As `ssh-copy-id` leaves them. */
function giveKeys(root: string, keys: string): void {
  const home = join(root, 'root', '.ssh')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  copyFileSync(join(keys, 'id_ed25519'), join(home, 'id_ed25519'))
  copyFileSync(join(keys, 'id_ed25519.pub'), join(home, 'authorized_keys'))
  writeFileSync(join(home, 'config'), 'StrictHostKeyChecking accept-new\n')
  copyFileSync('/etc/resolv.conf', join(root, 'etc', 'resolv.conf'))
}

function boot({
  name,
  root,
  source,
}: {
  name: string
  root: string
  source: string
}): ChildProcess {
  const binds = [
    `--bind-ro=${source}:/mnt/source`,
    // Packages are not brought a second time.
    '--bind=/root/.npm',
  ]
  return spawn(
    'systemd-nspawn',
    [
      ...['--quiet', '--register=no', '--keep-unit', '--boot', '--directory', root],
      ...[`--machine=${name}`, `--network-bridge=${BRIDGE}`, '--resolv-conf=off', ...binds],
    ],
    { stdio: 'ignore' },
  )
}

async function ready({
  name,
  address,
  child,
}: {
  name: string
  address: string
  child: ChildProcess
}): Promise<Machine> {
  const init = await initOf(child)
  const run = async (script: string) => {
    const done = promisify(execFile)(
      'nsenter',
      [
        ...['-t', init, '-m', '-u', '-i', '-n', '-p', '--root'],
        ...['env', '-i', 'HOME=/root', 'TERM=dumb', 'LC_ALL=C.UTF-8'],
        'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt',
        'DEBIAN_FRONTEND=noninteractive',
        ...['bash', '-euo', 'pipefail', '-c', `cd /root\n${script}`],
      ],
      { maxBuffer: 64 * 1024 * 1024, timeout: 3_600_000 },
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
  for (;;) {
    const state = spawnSync('nsenter', [
      ...['-t', init, '-m', '-p', '--root', 'systemctl', 'is-system-running'],
    ])
    if (/running|degraded/.test(String(state.stdout))) break
    await sleep(200)
  }
  await run(`ip link set host0 up
ip addr add ${address}/24 dev host0
ip route add default via ${GATEWAY}`)
  return { name, address, run, kill: () => void spawnSync('kill', ['-9', init]) }
}

/** The process that is number 1 in the container. */
async function initOf({ pid }: ChildProcess): Promise<string> {
  const children = `/proc/${pid}/task/${pid}/children`
  for (;;) {
    const [child] = readFileSync(children, 'utf8').trim().split(' ')
    if (child && readFileSync(`/proc/${child}/comm`, 'utf8').trim() === 'systemd') return child
    await sleep(100)
  }
}

function openNetwork(): void {
  closeNetwork()
  sh(`ip link add ${BRIDGE} type bridge
ip addr add ${GATEWAY}/24 dev ${BRIDGE}
ip link set ${BRIDGE} up
sysctl -qw net.ipv4.ip_forward=1
nft add table ip ${BRIDGE}
nft add chain ip ${BRIDGE} out '{ type nat hook postrouting priority 100; }'
nft add rule ip ${BRIDGE} out ip saddr 10.0.0.0/24 ip daddr != 10.0.0.0/24 masquerade`)
}

function closeNetwork(): void {
  spawnSync('sh', ['-c', `ip link del ${BRIDGE}; nft delete table ip ${BRIDGE}`], {
    stdio: 'ignore',
  })
}

function sh(script: string): void {
  execFileSync('sh', ['-euc', script], { stdio: ['ignore', 'ignore', 'inherit'] })
}
