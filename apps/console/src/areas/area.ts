/** What an area of the console is: the folder `areas/<area>` exports one of these. */
import type { StaffAction } from '@sum28/contract/staff-actions.ts'
import type { ComponentType } from 'react'
import type { RaRecord } from 'react-admin'
import type { AskList } from '#src/data/lists.ts'

/** Texts by key; a text may hold `%{name}` of what is put in. */
export type Texts = { readonly [key: string]: string | Texts }

/** A list of things and the page of one of them, at `/<name>` and `/<name>/<id>/show`. */
export type AreaResource = {
  /** Unique in the console; in the address bar. Its texts are `resources.<name>` of the area's catalog. */
  readonly name: string
  /** What one must be allowed to do to see it. */
  readonly action: StaffAction
  readonly ask: AskList
  /** Gives one of them, for its page. */
  readonly askOne?: (id: string) => Promise<RaRecord>
  readonly list?: ComponentType
  readonly show?: ComponentType
}

/** A page that is no list, at `/<path>`. */
export type AreaPage = {
  readonly path: string
  readonly action: StaffAction
  readonly page: ComponentType
}

/** An entry of the menu: a resource by its name, or a page by its path. */
export type AreaEntry = {
  readonly to: string
  /** Its own: with the menu folded up, icons are all that is shown. */
  readonly icon: ComponentType
  /** A key of the catalogs. */
  readonly label: string
  readonly action: StaffAction
}

/** Something that the search from anywhere has found. */
export type Found = {
  /** Where it is: an address within the console. */
  readonly to: string
  readonly title: string
  readonly details: string
}

export type AreaSearch = {
  /** A key of the catalogs: what is searched, such as "Players". */
  readonly label: string
  readonly action: StaffAction
  /** Finds at most ten. Called while a person types, so the call behind it must be quick. */
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Found[]>
}

export type Area = {
  readonly name: string
  /** A key of the catalogs; null: its entries stand in the menu without a heading. */
  readonly label: string | null
  /** `{ areas: { <name>: … }, resources: { … } }` */
  readonly texts: Texts
  readonly menu: readonly AreaEntry[]
  readonly resources: readonly AreaResource[]
  readonly pages: readonly AreaPage[]
  readonly searches: readonly AreaSearch[]
}
