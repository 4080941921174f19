// Takes pictures from the real screens.
//
// npm run shots                       every route and state, as one page that begins with what has changed
// npm run shots -- room hall          only the routes and layers with these words in their names
// npm run shots -- readme | handbook  the pictures of README.md and docs/first-draw.md, or of docs/operating.md
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { buildApps } from './build-apps.mjs'
import { fail, run } from './child.mjs'
import { findChromium } from './find-chromium.mjs'
import { environment, prepare, root } from './prepare.mjs'

const OF_DOCS = ['readme', 'handbook']
const FOLDER = join(root, '.cache', 'shots')
const TAKEN = join(FOLDER, 'taken')
const NOW = join(FOLDER, 'now')
const LAST = join(FOLDER, 'last')

/** The least difference of a colour, of 255, that an eye might see. */
const VISIBLE = 8

const words = process.argv.slice(2)

const node = await prepare()
const ofDocs = words.filter((word) => OF_DOCS.includes(word))
if (ofDocs.length === 0 && words.length > 0) await requireNames()
const browser = await findChromium()
if (!browser) fail('The pictures need a Chromium.')
await buildApps(node)

if (ofDocs.length > 0) {
  process.exit(await take(ofDocs))
} else {
  rmSync(TAKEN, { recursive: true, force: true })
  mkdirSync(TAKEN, { recursive: true })
  const code = await take(['contact-sheets'], { SHOTS_FOLDER: TAKEN, SHOTS_OF: words.join(' ') })
  if (readdirSync(TAKEN).length === 0) fail('No picture was taken.')
  keep()
  const changes = await compare()
  const page = join(FOLDER, 'index.html')
  writeFileSync(page, pageOf(changes))
  const changed = changes.filter(({ state }) => state !== 'same').length
  console.log(`${changes.length} pictures, ${changed} changed: ${relative(root, page)}`)
  process.exit(code)
}

/** Ends with a sentence if a word is in the name of no route and no layer. */
async function requireNames() {
  const print = `
    const { ROUTE_NAMES } = await import('./e2e/appearance.ts')
    const { JOURNEYS } = await import('./e2e/layers.ts')
    console.log([...ROUTE_NAMES, ...Object.keys(JOURNEYS)].join('\\n'))`
  const { code, output } = await run(
    node,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', print],
    { cwd: root, env: environment(), quiet: true },
  )
  if (code !== 0) fail(output)
  const names = [...new Set(output.trim().split('\n'))]
  const isKnown = (word) => names.some((name) => name.toLowerCase().includes(word.toLowerCase()))
  const unknown = words.filter((word) => !isKnown(word))
  if (unknown.length === 0) return
  fail(
    `No route and no layer has ${unknown.join(' or ')} in its name. There are: ${names.join(', ')}; and for the documents ${OF_DOCS.join(' and ')}.`,
  )
}

/** @returns the exit code of the browser tests that take pictures. */
async function take(files, settings = {}) {
  const { code } = await run(
    join(root, 'node_modules', '.bin', 'playwright'),
    ['test', '--config', 'e2e/pictures.config.ts', ...files, '--reporter', 'dot'],
    { cwd: root, env: environment({ CHROMIUM_PATH: browser, ...settings }) },
  )
  return code
}

/** The taken pictures become those of now, with the others of before where only some were taken. */
function keep() {
  rmSync(LAST, { recursive: true, force: true })
  if (existsSync(NOW)) renameSync(NOW, LAST)
  renameSync(TAKEN, NOW)
  if (words.length === 0) return
  for (const name of picturesIn(LAST)) {
    if (!existsSync(join(NOW, name))) copyFileSync(join(LAST, name), join(NOW, name))
  }
}

function picturesIn(folder) {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.png')) : []
}

/** Each picture of now and of the last run: whether it is the same, and if not, how many pixels differ. */
async function compare() {
  const difference = join(FOLDER, 'difference')
  rmSync(difference, { recursive: true, force: true })
  mkdirSync(difference)
  const names = [...new Set([...picturesIn(NOW), ...picturesIn(LAST)])].sort()
  const changes = []
  for (const name of names) {
    const [one, other] = [join(LAST, name), join(NOW, name)]
    const state = !existsSync(one) ? 'new' : !existsSync(other) ? 'gone' : null
    const pixels = state ? 0 : await differingPixels(one, other, join(difference, name))
    changes.push({ name, state: state ?? (pixels > 0 ? 'changed' : 'same'), pixels })
  }
  return changes
}

/** Counts pixels that differ, and draws them in red over the pale picture. */
async function differingPixels(one, other, file) {
  const [first, second] = [one, other].map((each) => readFileSync(each))
  if (first.equals(second)) return 0
  const sharp = createRequire(join(root, 'apps/server/package.json'))('sharp')
  const raw = (bytes) => sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const [{ data: a, info }, { data: b, info: size }] = await Promise.all([raw(first), raw(second)])
  if (info.width !== size.width || info.height !== size.height) return size.width * size.height
  let count = 0
  for (let pixel = 0; pixel < b.length; pixel += 3) {
    const differs = [0, 1, 2].some((part) => Math.abs(a[pixel + part] - b[pixel + part]) > VISIBLE)
    if (differs) count += 1
    for (let part = 0; part < 3; part += 1) {
      const pale = 255 - (255 - b[pixel + part]) / 4
      b[pixel + part] = differs ? [220, 0, 40][part] : pale
    }
  }
  const { width, height } = size
  if (count > 0)
    await sharp(b, { raw: { width, height, channels: 3 } })
      .png()
      .toFile(file)
  return count
}

/** One page: what has changed, greatest first, then all pictures by route and state. */
function pageOf(changes) {
  const changed = changes
    .filter(({ state }) => state !== 'same')
    .sort((one, other) => other.pixels - one.pixels)
  const sheets = Object.groupBy(
    changes.filter(({ state }) => state !== 'gone'),
    ({ name }) => name.split('~').slice(0, 2).join(', '),
  )
  const picture = (path, name) => {
    const address = relative(FOLDER, path).split('/').map(encodeURIComponent).join('/')
    const width = Number(name.split('~')[2]) / 2
    return `<a href="${address}"><img src="${address}" width="${width}" loading="lazy" alt="${name}"></a>`
  }
  const figure = (path, name, caption) =>
    `<figure>${picture(path, name)}<figcaption>${caption}</figcaption></figure>`
  const rows = changed.map(({ name, state, pixels }) => {
    const parts = [
      state === 'new' ? '' : figure(join(LAST, name), name, 'before'),
      state === 'gone' ? '' : figure(join(NOW, name), name, 'now'),
      state === 'changed' ? figure(join(FOLDER, 'difference', name), name, 'difference') : '',
    ]
    const what = state === 'changed' ? `${pixels.toLocaleString('en')} pixels` : state
    return `<details><summary>${name} · ${what}</summary><div>${parts.join('')}</div></details>`
  })
  const all = Object.entries(sheets).map(
    ([title, pictures]) =>
      `<h3>${title}</h3><div>${pictures
        .map(({ name }) => figure(join(NOW, name), name, name.split('~').slice(2).join(' ')))
        .join('')}</div>`,
  )
  return `<!doctype html><meta charset="utf-8"><title>Contact sheets</title><style>
body { font: 14px system-ui; margin: 24px; background: #ddd }
div { display: flex; flex-wrap: wrap; gap: 12px; align-items: start } figure { margin: 0 }
img { display: block; border: 1px solid #aaa } figcaption { color: #555; font-size: 12px }
</style><h1>Contact sheets</h1><h2>Changed: ${changed.length} of ${changes.length}</h2>
${rows.join('\n')}<h2>All</h2>${all.join('\n')}`
}
