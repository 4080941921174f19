/** An area of the console: each folder `areas/<area>` exports one. */
import type { StaffAction } from '@sum28/contract/staff-actions.ts'
import { lazyComponent } from '@sum28/ui/lazy-component.tsx'
import type { ComponentType } from 'react'
import type { Listed } from '#src/data/lists.ts'

/** Texts by key; a text may contain `%{name}` for a value. */
export type Texts = { readonly [key: string]: string | Texts }

/** What stands at `/<name>`, which is unique in the console. */
type AreaPlace = {
  readonly name: string
  /** Without one it is not in the menu. Unique: the folded menu shows only icons. */
  readonly icon?: ComponentType
}

/**
 * A list of records, and the page of one at `/<name>/<id>/show`. Its texts are the catalog's `resources.<name>`. Who may
 * make its call may see it.
 */
type AreaResource = AreaPlace &
  Listed & {
    /** A key of the catalogs: its name in the menu, if that is another than the list's. */
    readonly label?: string
    readonly list: ComponentType
    readonly show?: ComponentType
  }

/** A page without a list. */
type AreaPage = AreaPlace & {
  /** A key of the catalogs. */
  readonly label: string
  /** The action that a role must allow to see it. */
  readonly action: StaffAction
  readonly page: ComponentType
}

export type Place = AreaResource | AreaPage

/** The action that a role must allow to see a place. */
export function actionOf(place: Place): StaffAction {
  return 'page' in place ? place.action : place.route.action
}

/** What is known of a result of the search, in one line. */
export function details(...parts: readonly (string | number | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(' · ')
}

export type Area = {
  readonly name: string
  /** A key of the catalogs; null: the menu shows its places without a heading. */
  readonly label: string | null
  /** `{ areas: { <name>: … }, resources: { … } }` */
  readonly texts: Texts
  /** In the order of the menu. */
  readonly places: readonly Place[]
}

/** A component by its name, whose file is loaded when it is first shown. */
export function later<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): ComponentType {
  return lazyComponent(async () => (await load())[name])
}
