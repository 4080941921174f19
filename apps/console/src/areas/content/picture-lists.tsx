import { Stack } from '@mui/material'
import {
  addBanner,
  addPromo,
  raiseBanner,
  raisePromo,
  saveBanner,
  savePromo,
  TEXT_LANGUAGES,
  type WireBanner,
  type WirePromo,
} from '@sum28/contract/staff-content-routes.ts'
import type { StaffRoute } from '@sum28/contract/staff-route.ts'
import { type ReactNode, useState } from 'react'
import { TopToolbar, useListContext, useTranslate } from 'react-admin'
import { UploadPicture } from '#src/areas/content/upload-picture.tsx'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'
import { Col, MissingCol, MomentCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { languageName } from '#src/parts/values.tsx'

/** What staff enter for a picture of any kind. */
type Draft = { readonly image: string; readonly shown: boolean }

/** A kind of pictures that players see in an order: how one is added, changed and moved up. */
type Kind<OneDraft extends Draft> = {
  readonly add: StaffRoute
  readonly addLabel: string
  readonly save: StaffRoute
  readonly raise: StaffRoute
  readonly fieldsOf: (draft: OneDraft) => readonly ActionField[]
  readonly blank: OneDraft
}

type Listed = Draft & { readonly id: number; readonly version: number }

/** The fields of a picture's dialog, with those of its own kind in the middle. */
function pictureFields(
  { image, shown }: Draft,
  imageHint: string,
  own: readonly ActionField[],
): readonly ActionField[] {
  return [
    { name: 'image', label: 'areas.content.image', hint: imageHint, initial: image },
    ...own,
    {
      name: 'shown',
      label: 'areas.content.shownLabel',
      initial: shown ? '1' : '0',
      choices: ['1', '0'].map((value) => ({ value, label: `areas.content.shown.${value}` })),
    },
  ]
}

/**
 * The list of a kind of pictures, in the order in which players see them. The columns of the kind are the children.
 *
 * @param props `alt`: the text of a picture for those who do not see it
 */
function PictureList<OneDraft extends Draft>({
  kind,
  alt,
  children,
}: {
  kind: Kind<OneDraft>
  alt: (image: string) => string
  children: ReactNode
}) {
  return (
    <DataList actions={<Add kind={kind} />}>
      <Rows>
        <Col
          source="image"
          render={({ image }: Listed) => (
            <img src={image} alt={alt(image)} width={160} height={51} loading="lazy" />
          )}
        />
        {children}
        <StateCol
          source="shown"
          texts="areas.content.isShown"
          tones={{ true: 'success', false: 'default' }}
        />
        <Col source="changed_by" />
        <MomentCol source="changed_at" />
        <Col
          label="console.actions"
          render={(listed: Listed & OneDraft) => <Change kind={kind} listed={listed} />}
        />
      </Rows>
    </DataList>
  )
}

function Add<OneDraft extends Draft>({ kind }: { kind: Kind<OneDraft> }) {
  const [uploaded, setUploaded] = useState('')
  return (
    <TopToolbar>
      <UploadPicture onUploaded={setUploaded} />
      <ActionButton
        route={kind.add}
        request={{}}
        label={kind.addLabel}
        done="areas.content.saved"
        fields={kind.fieldsOf({ ...kind.blank, image: uploaded })}
      />
    </TopToolbar>
  )
}

function Change<OneDraft extends Draft>({
  kind,
  listed,
}: {
  kind: Kind<OneDraft>
  listed: Listed & OneDraft
}) {
  const { id, version } = listed
  const { data: [first] = [], page } = useListContext()
  const isFirst = page === 1 && first?.id === id
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      <ActionButton
        route={kind.save}
        request={{ id, version }}
        label="areas.content.changePicture"
        done="areas.content.saved"
        fields={kind.fieldsOf(listed)}
      />
      {!isFirst && (
        <ActionButton
          route={kind.raise}
          request={{ id, version }}
          label="areas.content.raise"
          done="areas.content.saved"
        >
          {listed.image}
        </ActionButton>
      )}
    </Stack>
  )
}

type BannerDraft = Pick<WireBanner, 'image' | 'link' | 'shown'>

const BANNERS = {
  add: addBanner,
  addLabel: 'areas.content.addBanner',
  save: saveBanner,
  raise: raiseBanner,
  blank: { image: '', link: '', shown: true },
  fieldsOf: (draft: BannerDraft) =>
    pictureFields(draft, 'areas.content.imageHint', [
      {
        name: 'link',
        label: 'areas.content.link',
        hint: 'areas.content.linkHint',
        optional: true,
        initial: draft.link,
      },
    ]),
}

/** The banners of the home screen, in their order. Their words are in the picture: its address tells them apart. */
export function BannerList() {
  return (
    <PictureList kind={BANNERS} alt={(image) => image}>
      <Col source="link" />
    </PictureList>
  )
}

type PromoDraft = Pick<WirePromo, 'image' | 'shown' | 'titles'>

const NO_PROMO: PromoDraft = { image: '', shown: true, titles: [] }

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
    fieldsOf: (draft: PromoDraft) =>
      pictureFields(
        draft,
        'areas.content.promoImageHint',
        TEXT_LANGUAGES.map((lang) => ({
          name: `title_${lang}`,
          label: translate('areas.content.promoTitle', { language: languageName(lang) }),
          optional: lang !== 'en',
          initial: draft.titles.find((title) => title.lang === lang)?.title ?? '',
        })),
      ),
  }
  return (
    <PictureList kind={promos} alt={() => ''}>
      <Col
        source="title"
        render={({ titles }: WirePromo) => titles.find(({ lang }) => lang === 'en')?.title ?? '—'}
      />
      <MissingCol />
    </PictureList>
  )
}
