import {
  addPromo,
  raisePromo,
  savePromo,
  TEXT_LANGUAGES,
  type WirePromo,
} from '@sum28/contract/staff-content-routes.ts'
import { languageOf } from '@sum28/ui/languages.ts'
import { useState } from 'react'
import { DataTable, TopToolbar, useRecordContext, useTranslate } from 'react-admin'
import { UploadPicture } from '#src/areas/content/upload-picture.tsx'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Moment } from '#src/parts/moment.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { StateChip } from '#src/parts/state-chip.tsx'

type Draft = Pick<WirePromo, 'image' | 'shown' | 'titles'>

/** The fields of a promo picture, with its title in all seven languages below each other. */
function useFields({ image, shown, titles }: Draft): readonly ActionField[] {
  const translate = useTranslate()
  return [
    {
      name: 'image',
      label: 'areas.content.image',
      hint: 'areas.content.promoImageHint',
      initial: image,
    },
    ...TEXT_LANGUAGES.map((lang) => ({
      name: `title_${lang}`,
      label: translate('areas.content.promoTitle', { language: languageOf(lang)?.name ?? lang }),
      optional: lang !== 'en',
      initial: titles.find((title) => title.lang === lang)?.title ?? '',
    })),
    {
      name: 'shown',
      label: 'areas.content.shownLabel',
      initial: shown ? '1' : '0',
      choices: ['1', '0'].map((value) => ({ value, label: `areas.content.shown.${value}` })),
    },
  ]
}

/** The promo pictures of the action centre, in their order. */
export function PromoList() {
  return (
    <DataList actions={<Add />}>
      <Rows>
        <DataTable.Col source="image" disableSort>
          <Picture />
        </DataTable.Col>
        <DataTable.Col source="title" disableSort>
          <EnglishTitle />
        </DataTable.Col>
        <DataTable.Col source="missing" disableSort>
          <Missing />
        </DataTable.Col>
        <DataTable.Col source="shown" disableSort>
          <StateChip
            source="shown"
            texts="areas.content.isShown"
            tones={{ true: 'success', false: 'default' }}
          />
        </DataTable.Col>
        <DataTable.Col source="changed_by" disableSort />
        <DataTable.Col source="changed_at" disableSort>
          <Moment source="changed_at" />
        </DataTable.Col>
        <DataTable.Col label="console.actions" disableSort>
          <Change />
        </DataTable.Col>
      </Rows>
    </DataList>
  )
}

function Add() {
  const [uploaded, setUploaded] = useState('')
  const fields = useFields({ image: uploaded, shown: true, titles: [] })
  return (
    <TopToolbar>
      <UploadPicture onUploaded={setUploaded} />
      <ActionButton
        route={addPromo}
        request={{}}
        label="areas.content.addPromo"
        done="areas.content.saved"
        fields={fields}
      />
    </TopToolbar>
  )
}

function Picture() {
  const promo = useRecordContext<WirePromo>()
  // The title is beside it.
  return promo ? <img src={promo.image} alt="" width={160} height={51} loading="lazy" /> : null
}

function EnglishTitle() {
  const promo = useRecordContext<WirePromo>()
  return promo?.titles.find(({ lang }) => lang === 'en')?.title ?? '—'
}

function Missing() {
  const translate = useTranslate()
  const missing = useRecordContext<WirePromo>()?.missing ?? []
  if (missing.length === 0) return translate('areas.content.complete')
  return missing.map((lang) => languageOf(lang)?.name ?? lang).join(', ')
}

function Change() {
  const promo = useRecordContext<WirePromo>()
  return promo ? <ChangeOne promo={promo} /> : null
}

function ChangeOne({ promo }: { promo: WirePromo }) {
  const { id, version } = promo
  const fields = useFields(promo)
  return (
    <>
      <ActionButton
        route={savePromo}
        request={{ id, version }}
        label="areas.content.changeBanner"
        done="areas.content.saved"
        fields={fields}
      />
      <ActionButton
        route={raisePromo}
        request={{ id, version }}
        label="areas.content.raise"
        done="areas.content.saved"
      />
    </>
  )
}
