import { Stack } from '@mui/material'
import type { StaffRoute } from '@sum28/contract/staff-route.ts'
import { type ReactNode, useState } from 'react'
import { DataTable, TopToolbar, useRecordContext } from 'react-admin'
import { UploadPicture } from '#src/areas/content/upload-picture.tsx'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Moment } from '#src/parts/moment.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { StateChip } from '#src/parts/state-chip.tsx'

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
export function pictureFields(
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
export function PictureList<OneDraft extends Draft>({
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
        <DataTable.Col source="image" disableSort>
          <Picture alt={alt} />
        </DataTable.Col>
        {children}
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
          <Change kind={kind} />
        </DataTable.Col>
      </Rows>
    </DataList>
  )
}

function Picture({ alt }: { alt: (image: string) => string }) {
  const image = useRecordContext<Listed>()?.image
  return image ? <img src={image} alt={alt(image)} width={160} height={51} loading="lazy" /> : null
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

function Change<OneDraft extends Draft>({ kind }: { kind: Kind<OneDraft> }) {
  const listed = useRecordContext<Listed & OneDraft>()
  if (!listed) return null
  const { id, version } = listed
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      <ActionButton
        route={kind.save}
        request={{ id, version }}
        label="areas.content.changePicture"
        done="areas.content.saved"
        fields={kind.fieldsOf(listed)}
      />
      <ActionButton
        route={kind.raise}
        request={{ id, version }}
        label="areas.content.raise"
        done="areas.content.saved"
      />
    </Stack>
  )
}
