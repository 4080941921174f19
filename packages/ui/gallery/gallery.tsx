import type { ReactNode } from 'react'
import type { Locale } from '../src/languages.ts'
import { Toasts } from '../src/toasts.tsx'
import { ActionParts } from './action-parts.tsx'
import { FieldParts } from './field-parts.tsx'
import { FigureParts } from './figure-parts.tsx'
import styles from './gallery.module.css'
import { GalleryPart } from './gallery-part.tsx'
import { ListParts } from './list-parts.tsx'
import { OverlayParts } from './overlay-parts.tsx'
import { WORDS } from './words.ts'

type GalleryProps = {
  locale: Locale
  /** Only one group, such as `fields`; all by default. */
  part: string | null
}

/** Every component in every state, in one theme. */
export function Gallery({ locale, part }: GalleryProps) {
  const words = WORDS[locale]
  const groups: Record<string, ReactNode> = {
    actions: <ActionParts words={words} />,
    fields: <FieldParts words={words} />,
    figures: <FigureParts />,
    lists: <ListParts words={words} />,
    overlays: <OverlayParts words={words} />,
  }
  return (
    <div className={styles.page}>
      {Object.entries(groups)
        .filter(([name]) => part === null || part === name)
        .map(([name, group]) => (
          <div key={name}>{group}</div>
        ))}
      <GalleryPart name="Toasts (press a button above)">
        <Toasts />
      </GalleryPart>
    </div>
  )
}
