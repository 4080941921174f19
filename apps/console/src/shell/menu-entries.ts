/** The places of the menu, as the search finds them too. */
import type { ComponentType } from 'react'
import { useGetResourceLabel, useTranslate } from 'react-admin'
import { actionOf, type Place } from '#src/areas/area.ts'
import { useMay } from '#src/data/session.ts'

type MenuEntry = {
  readonly to: string
  readonly icon: ComponentType
  /** In the user's language. */
  readonly text: string
}

/** Returns a function that gives the entries that the user may see, of some places. */
export function useMenuEntries(): (places: readonly Place[]) => readonly MenuEntry[] {
  const may = useMay()
  const translate = useTranslate()
  const resourceLabel = useGetResourceLabel()
  return (places) =>
    places.flatMap((place) => {
      const { name, icon, label } = place
      if (!icon || !may(actionOf(place))) return []
      return [{ to: `/${name}`, icon, text: label ? translate(label) : resourceLabel(name) }]
    })
}
