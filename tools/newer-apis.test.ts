/** App and console use no browser API that the oldest browsers of README lack, unless something stands for it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { OLDEST_BROWSERS } from '../packages/ui/build/oldest-browsers.ts'
import { NEWER_APIS, NEWER_STYLES, NEWER_VALUES, type NewerApi, OLD_MEMBERS } from './newer-apis.ts'

/** What is newer and used all the same, with the reason. */
const USED_ALL_THE_SAME: Readonly<Record<string, string>> = {
  'api.AbortSignal.timeout_static':
    'since Chrome 103; what is newer is its reason, which nothing reads',
  'api.CanvasRenderingContext2D.imageSmoothingQuality': 'a wish: the picture is only less smooth',
  'api.CloseWatcher': 'used where the browser has it',
  'api.Navigator.canShare': 'asked where the browser has it',
  'api.Navigator.share': 'offered where the browser has it',
  'api.Navigator.vibrate': 'offered where the browser has it',
  'api.Notification': 'used where the browser has it',
  'api.Notification.permission_static': 'used where the browser has it',
  'api.Notification.requestPermission_static': 'used where the browser has it',
  'api.Request.keepalive':
    'without it a call of a page that is left may be lost, which the console tells',
  'api.TouchEvent.touches': 'of an event that only browsers with it send',
  'api.InputEvent.isComposing': 'newer for one event alone',
  'api.KeyboardEvent.isComposing': 'newer for one event alone',
}

/** Names of ours and of libraries that only read like a newer member. */
const OTHER_THINGS: readonly string[] = [
  'api.Blob.bytes in apps/web/src/screens/own-data/own-data-screen.tsx',
  'api.Element.getHTML in apps/console/src/areas/content/rich-text.tsx',
  'api.HTMLButtonElement.command in apps/web/src/screens/fairness/fairness-screen.tsx',
  'api.Navigator.ink in apps/web/src/screens/charts/candle-chart.tsx',
  'api.Request.bytes in apps/web/src/screens/own-data/own-data-screen.tsx',
  'api.Response.bytes in apps/web/src/screens/own-data/own-data-screen.tsx',
  'javascript.builtins.ArrayBuffer.transfer in apps/console/src/areas/money/unmatched-transfers.tsx',
  'javascript.builtins.ArrayBuffer.transfer in apps/web/src/screens/deposit/transfers.tsx',
  'javascript.builtins.Intl.Segmenter.segment in apps/web/src/parts/tabs.tsx',
  'javascript.builtins.Set.difference in apps/console/src/areas/money/books-page.tsx',
  'javascript.builtins.Set.difference in apps/console/src/areas/money/chain-difference-list.tsx',
  'javascript.builtins.Set.union in packages/contract/src/fields.ts',
  'javascript.builtins.Set.union in packages/contract/src/replies.ts',
  'javascript.builtins.Set.union in packages/contract/src/user-routes.ts',
  'javascript.builtins.Uint8Array.fromHex in packages/fairness/src/beacon.ts',
  'javascript.builtins.Uint8Array.toHex in packages/fairness/src/beacon.ts',
]

/** Styles without which the page only looks plainer, and those that the build writes with a prefix. */
const DECORATION: readonly string[] = [
  'css.properties.accent-color',
  'css.properties.contain-intrinsic-block-size',
  'css.properties.content-visibility',
  'css.properties.forced-color-adjust',
  'css.properties.line-clamp',
  'css.properties.mask-image',
  'css.properties.overscroll-behavior',
  'css.properties.overscroll-behavior-inline',
  'css.properties.overscroll-behavior-x',
  'css.properties.overscroll-behavior-y',
  'css.properties.resize',
  'css.properties.scrollbar-color',
  'css.properties.scrollbar-width',
  'css.properties.text-size-adjust',
  'css.properties.text-wrap',
  'css.properties.user-select',
  'css.properties.zoom',
  'css.at-rules.starting-style',
  'css.selectors.marker',
]

/** The objects that these sources hold in their hands; other owners of members would only be guessed. */
const OWNERS =
  /^(Array|String|Object|Map|Set|Promise|Iterator|ArrayBuffer|Uint8Array|RegExp|Math|Intl.*|Element|HTML(Input|Button|Form|Video|Image|Dialog)?Element|Document|Window|Navigator|Node|Event|(Input|Keyboard|Touch|Pointer|Animation)Event|Response|Request|Blob|Headers|URL|URLSearchParams|FormData|AbortSignal|Performance|Crypto|Storage|Clipboard|CanvasRenderingContext2D|VisualViewport|Selection|Range|ReadableStream.*|IntersectionObserver|ServiceWorker.*)$/

const FOLDERS = ['apps/web/src', 'apps/console/src', 'packages/ui/src', 'packages/contract/src']
const OF_BOTH = ['packages/domain/src', 'packages/fairness/src', 'packages/i18n/src']

function sources(pattern: RegExp): { file: string; text: string }[] {
  const listed = execFileSync('git', ['ls-files', '-z', ...FOLDERS, ...OF_BOTH], {
    encoding: 'utf8',
  })
  return listed
    .split('\0')
    .filter((file) => pattern.test(file) && !/\.test\.|\/testing\//.test(file))
    .map((file) => ({ file, text: withoutComments(readFileSync(file, 'utf8')) }))
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/[^\n]*/g, '$1')
}

/** What a text may use: `Owner.member`, `.member` of anything, and globals that it makes, asks for or takes apart. */
function usedIn(text: string): ReadonlySet<string> {
  const used = new Set<string>()
  for (const [, owner, inner, member] of text.matchAll(/(?<![\w.])(\w+)(?:\.(\w+))?\.(\w+)/g)) {
    used.add(`${owner}.${inner ?? member}`).add(owner ?? '')
    if (inner) used.add(`${owner}.${inner}.${member}`)
  }
  for (const [member] of text.matchAll(/\.\w+/g)) used.add(member)
  for (const [, owner] of text.matchAll(/\b(?:new|instanceof|typeof) (\w+)/g)) used.add(owner ?? '')
  return used
}

/** The forms of {@link usedIn} in which a text may use an API. */
function formsOf({ owner, member, isStatic }: NewerApi): string[] {
  if (member === null) return [owner]
  const isKnownByMember = !isStatic && OWNERS.test(owner) && !OLD_MEMBERS.has(member)
  return [`${owner}.${member}`, ...(isKnownByMember ? [`.${member}`] : [])]
}

it('scripts use no API that is newer than the oldest browsers', () => {
  const scripts = sources(/\.tsx?$/)
  expect(scripts.length).toBeGreaterThan(400)
  const newer = NEWER_APIS.map((api) => ({ key: api.key, forms: formsOf(api) }))
  const newerUses = scripts.flatMap(({ file, text }) => {
    const used = usedIn(text)
    return newer
      .filter(({ forms }) => forms.some((form) => used.has(form)))
      .map(({ key }) => `${key} in ${file}`)
  })
  const isExcused = (each: string) =>
    OTHER_THINGS.includes(each) || USED_ALL_THE_SAME[each.split(' ')[0] ?? '']
  expect(newerUses.filter((each) => !isExcused(each))).toEqual([])
})

/** The values that a text passes to calls which refuse them in an oldest browser. */
function newerValuesIn(text: string): string[] {
  return NEWER_VALUES.filter(
    ({ call, value }) =>
      new RegExp(`\\b${call}\\(`).test(text) && new RegExp(`['"\`]${value}['"\`]`, 'i').test(text),
  ).map(({ key }) => key)
}

it('scripts pass no value that is newer than the oldest browsers', () => {
  expect(newerValuesIn("createImageBitmap(file, { imageOrientation: 'from-image' })")).toEqual([
    'api.createImageBitmap.options_imageOrientation_parameter.from-image',
  ])
  expect(newerValuesIn("subtle.importKey('raw', key, 'Ed25519', false, ['verify'])")).toEqual([
    'api.SubtleCrypto.importKey.ed25519',
  ])
  const uses = sources(/\.tsx?$/).flatMap(({ file, text }) =>
    newerValuesIn(text).map((key) => `${key} in ${file}`),
  )
  expect(uses).toEqual([])
})

it('styles use only decoration that is newer than the oldest browsers', () => {
  const styles = sources(/\.css$/)
  const form: Record<string, (name: string) => string> = {
    properties: (name) => `(?<![\\w-])${name}\\s*:`,
    selectors: (name) => `:${name}(?![\\w-])`,
    'at-rules': (name) => `@${name}(?![\\w-])`,
    types: (name) => `(?<![\\w-])${name}\\(`,
  }
  const newerUses = NEWER_STYLES.flatMap(({ key, kind, name }) => {
    const pattern = new RegExp(form[kind]?.(name) ?? '')
    return styles.filter(({ text }) => pattern.test(text)).map(({ file }) => `${key} in ${file}`)
  })
  expect(newerUses.filter((each) => !DECORATION.includes(each.split(' ')[0] ?? ''))).toEqual([])
})

it('README names these browsers', () => {
  const { chrome, firefox, safari } = OLDEST_BROWSERS
  const readme = readFileSync('README.md', 'utf8').replace(/\s+/g, ' ')
  expect(readme).toContain(
    `Chrome, Edge and Android’s WebView ${chrome}, Firefox ${firefox}, and Safari ${safari}`,
  )
})
