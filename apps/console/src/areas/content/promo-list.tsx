import {
  addPromo,
  raisePromo,
  savePromo,
  TEXT_LANGUAGES,
  type WirePromo,
} from '@sum28/contract/staff-content-routes.ts'
import { languageOf } from '@sum28/ui/languages.ts'
import { DataTable, useRecordContext, useTranslate } from 'react-admin'
import { PictureList, pictureFields } from '#src/areas/content/picture-list.tsx'

type Draft = Pick<WirePromo, 'image' | 'shown' | 'titles'>

const NO_PROMO: Draft = { image: '', shown: true, titles: [] }

/** The promo pictures of the action centre, in their order; the title is beside the picture. */
export function PromoList() {
  const translate = useTranslate()
  const promos = {
    add: addPromo,
    addLabel: 'areas.content.addPromo',
    save: savePromo,
    raise: raisePromo,
    blank: NO_PROMO,
    // The title in all seven languages, one field below the other.
    fieldsOf: (draft: Draft) =>
      pictureFields(
        draft,
        'areas.content.promoImageHint',
        TEXT_LANGUAGES.map((lang) => ({
          name: `title_${lang}`,
          label: translate('areas.content.promoTitle', { language: nameOf(lang) }),
          optional: lang !== 'en',
          initial: draft.titles.find((title) => title.lang === lang)?.title ?? '',
        })),
      ),
  }
  return (
    <PictureList kind={promos} alt={() => ''}>
      <DataTable.Col source="title" disableSort>
        <EnglishTitle />
      </DataTable.Col>
      <DataTable.Col source="missing" disableSort>
        <Missing />
      </DataTable.Col>
    </PictureList>
  )
}

function nameOf(lang: string): string {
  return languageOf(lang)?.name ?? lang
}

function EnglishTitle() {
  const promo = useRecordContext<WirePromo>()
  return promo?.titles.find(({ lang }) => lang === 'en')?.title ?? '—'
}

function Missing() {
  const translate = useTranslate()
  const missing = useRecordContext<WirePromo>()?.missing ?? []
  if (missing.length === 0) return translate('areas.content.complete')
  return missing.map(nameOf).join(', ')
}
