// npm run size: how large the repository is, each figure beside its aim.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'

const CODE = /\.(ts|tsx|mjs)$/
const TEST = /^apps\/server\/(testing\/|.*\.test\.ts$)|^lab\//

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean)
const code = files.filter((file) => CODE.test(file))
const figures = [
  ['lines of the server’s TypeScript', linesOf(code.filter(isServer)), 28_000],
  ['lines of its SQL', linesOf(files.filter(isSql)), 7_500],
  [
    'lines of its tests, with what they need and lab/',
    linesOf(code.filter((file) => TEST.test(file))),
    45_000,
  ],
  ['tracked files', files.length, 1_800],
  ['words in docs', countOf(files.filter(isDoc), /\S+/g), 42_000],
  ['settings in .env.example', countOf(['.env.example'], /^#?[A-Z][A-Z0-9_]*=/gm), 40],
  ['packages in the lists of dependencies', packages().size],
]
for (const [name, value, aim] of figures) {
  const beside = aim === undefined ? '' : `  of ${aim.toLocaleString('en')}`
  console.log(`${value.toLocaleString('en').padStart(8)}${beside.padEnd(11)}  ${name}`)
}

function isServer(file) {
  return file.startsWith('apps/server/') && !TEST.test(file)
}

/** Migrations and functions. */
function isSql(file) {
  return /^apps\/server\/sql\/(migrations|functions)\//.test(file)
}

function isDoc(file) {
  return /^docs\/.*\.md$/.test(file)
}

function linesOf(names) {
  return countOf(names, /\n/g)
}

function countOf(names, pattern) {
  return names.reduce((sum, name) => sum + (read(name).match(pattern)?.length ?? 0), 0)
}

/** The packages of others that the repository names, each once. */
function packages() {
  const manifests = files.filter((file) => /(^|\/)package\.json$/.test(file)).map(read)
  const names = manifests
    .map(JSON.parse)
    .flatMap((manifest) => [
      ...Object.keys(manifest.dependencies ?? {}),
      ...Object.keys(manifest.devDependencies ?? {}),
      ...Object.keys(manifest.optionalDependencies ?? {}),
    ])
  return new Set(names.filter((name) => !name.startsWith('@sum28/')))
}

function read(name) {
  return readFileSync(join(root, name), 'utf8')
}
