// Adds to package-lock.json the optional packages for other platforms that npm left out because its
// registry does not have them: without them `npm ci` of npm 11 refuses the lock file everywhere.
// Run it after adding a package: node tools/complete-lock.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listedPath } from './listed-path.mjs'
import { root } from './prepare.mjs'

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const PROCESSORS = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
]

const file = join(root, 'package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8'))
const { packages } = lock

for (const [path, entry] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (listedPath(packages, { name, path })) continue
    const added = platformEntry({ name, version, entry })
    if (added) packages[`node_modules/${name}`] = added
    else console.log(`left out, its platform cannot be told: ${name}@${version}`)
  }
}
lock.packages = Object.fromEntries(
  Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')),
)
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)

/** The entry that npm would write for a package named after its platform, such as cli-linux-x64-musl. */
function platformEntry({ name, version, entry }) {
  const words = name.split('/').pop().split('-')
  const os = words.find((word) => SYSTEMS.includes(word))
  const cpu = words.find((word) => PROCESSORS.includes(word))
  if (!os || !cpu || !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) return null
  return {
    version,
    cpu: [cpu],
    ...(entry.dev ? { dev: true } : {}),
    ...(os === 'linux' ? { libc: [/musl/.test(words.at(-1)) ? 'musl' : 'glibc'] } : {}),
    optional: true,
    os: [os],
  }
}
