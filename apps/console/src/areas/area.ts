/** An area of the console: each folder `areas/<area>` exports one. */
import type { StaffAction } from '@sum28/contract/staff-actions.ts'
import { lazyComponent } from '@sum28/ui/lazy-component.tsx'
import type { ComponentType } from 'react'
import type { LoadList } from '#src/data/lists.ts'

/** Texts by key; a text may contain `%{name}` for a value. */
export type Texts = { readonly [key: string]: string | Texts }

/** What stands at `/<name>`. */
type AreaPlace = {
  /** Unique in the console. */
  readonly name: string
  /** Without one it is not in the menu. Unique: the folded menu shows only icons. */
  readonly icon?: ComponentType
  /** A key of the catalogs. */
  readonly label: string
  /** The action that a role must allow to see it. */
  readonly action: StaffAction
}

/** A list of records, and the page of one at `/<name>/<id>/show`. Its texts are the catalog's `resources.<name>`. */
export type AreaResource = AreaPlace & {
  readonly loadList: LoadList
  readonly list: ComponentType
  readonly show?: ComponentType
}

/** A page without a list. */
type AreaPage = AreaPlace & { readonly page: ComponentType }

/** A result of the console's search. */
export type SearchHit = {
  /** An address within the console. */
  readonly to: string
  readonly title: string
  readonly details: string
}

/** What is known of a result, in one line. */
export function details(...parts: readonly (string | number | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(' · ')
}

export type AreaSearch = {
  /** A key of the catalogs: the kind of results, such as "Players". */
  readonly label: string
  readonly action: StaffAction
  /** Ten are shown of what it finds. It is called while the user types, so its API call must be fast. */
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly SearchHit[]>
}

export type Area = {
  readonly name: string
  /** A key of the catalogs; null: the menu shows its places without a heading. */
  readonly label: string | null
  /** `{ areas: { <name>: … }, resources: { … } }` */
  readonly texts: Texts
  /** In the order of the menu. */
  readonly places: readonly (AreaResource | AreaPage)[]
  readonly searches?: readonly AreaSearch[]
}

/** A component by its name, whose file is loaded when it is first shown. */
export function later<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): ComponentType {
  return lazyComponent(async () => (await load())[name])
}
