/** The browser APIs that the oldest browsers do not have yet, from the data of the W3C's WebDX group. */

import data from 'web-features/data.json' with { type: 'json' }
import { OLDEST_BROWSERS } from '../packages/ui/build/oldest-browsers.ts'

type Support = Readonly<Record<string, string>>
type Feature = { status?: { by_compat_key?: Record<string, { support: Support }> } }

const VERSIONS: readonly (readonly [string, number])[] = Object.entries(OLDEST_BROWSERS).flatMap(
  ([name, version]) => namesOf(name).map((each) => [each, version] as const),
)

/** The data's names of a browser, with its form on Android. */
function namesOf(name: string): string[] {
  if (name === 'ios') return ['safari_ios']
  return name === 'chrome' || name === 'firefox' ? [name, `${name}_android`] : [name]
}

/** Keys such as `api.AbortSignal.any_static` or `css.properties.text-wrap`, with whether all oldest browsers have it. */
const KEYS = Object.values(data.features as Record<string, Feature>).flatMap(({ status }) =>
  Object.entries(status?.by_compat_key ?? {}).map(([key, { support }]) => ({
    key,
    isNewer: VERSIONS.some(([name, version]) => {
      const since = support[name]
      return since === undefined || Number(since.replace('≤', '')) > version
    }),
  })),
)

/** A global, or a member of one; `isStatic` as far as the data says. */
export type NewerApi = {
  readonly key: string
  readonly owner: string
  readonly member: string | null
  readonly isStatic: boolean
}

/** What scripts can call or read, without events and options. */
export const NEWER_APIS: readonly NewerApi[] = scripted(KEYS.filter(({ isNewer }) => isNewer))

/** Members that an object of the oldest browsers has under the same name: a text alone cannot tell them apart. */
export const OLD_MEMBERS: ReadonlySet<string | null> = new Set(
  scripted(KEYS.filter(({ isNewer }) => !isNewer)).map(({ member }) => member),
)

function scripted(keys: readonly { key: string }[]): NewerApi[] {
  return keys.flatMap(({ key }) => {
    const match =
      /^(?:api|javascript\.builtins)\.(Intl\.[A-Z]\w*|\w+)(?:\.(\w+?)(_static)?)?$/.exec(key)
    const [, owner = '', member = null, isStatic] = match ?? []
    if (!match || member?.endsWith('_event') || member === owner) return []
    return [{ key, owner, member, isStatic: isStatic !== undefined }]
  })
}

/** A value of an option, or the name of an algorithm, that an older browser refuses with an error. */
export type NewerValue = { readonly key: string; readonly call: string; readonly value: string }

export const NEWER_VALUES: readonly NewerValue[] = KEYS.filter(({ isNewer }) => isNewer).flatMap(
  ({ key }) => {
    const match =
      /^api\.(?:(?:\w+\.)?(\w+)\.options_\w+_parameter|SubtleCrypto\.(\w+))\.([\w-]+)$/.exec(key)
    const [, withOption, ofSubtle, value = ''] = match ?? []
    const call = withOption ?? ofSubtle
    return call ? [{ key, call, value }] : []
  },
)

/** Properties, selectors, rules and functions of style sheets: the last part of their keys. */
export const NEWER_STYLES: readonly { key: string; kind: string; name: string }[] = KEYS.filter(
  ({ isNewer }) => isNewer,
).flatMap(({ key }) => {
  const [, kind, name] = /^css\.(properties|selectors|at-rules|types)\.([\w-]+)$/.exec(key) ?? []
  return kind && name ? [{ key, kind, name }] : []
})
