import { Stack } from '@mui/material'
import {
  addBanner,
  raiseBanner,
  saveBanner,
  type WireBanner,
} from '@sum28/contract/staff-content-routes.ts'
import { useState } from 'react'
import { DataTable, TopToolbar, useRecordContext } from 'react-admin'
import { UploadPicture } from '#src/areas/content/upload-picture.tsx'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Moment } from '#src/parts/moment.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { StateChip } from '#src/parts/state-chip.tsx'

const fieldsOf = (banner: Pick<WireBanner, 'image' | 'link' | 'shown'>): readonly ActionField[] => [
  {
    name: 'image',
    label: 'areas.content.image',
    hint: 'areas.content.imageHint',
    initial: banner.image,
  },
  {
    name: 'link',
    label: 'areas.content.link',
    hint: 'areas.content.linkHint',
    optional: true,
    initial: banner.link,
  },
  {
    name: 'shown',
    label: 'areas.content.shownLabel',
    initial: banner.shown ? '1' : '0',
    choices: ['1', '0'].map((value) => ({ value, label: `areas.content.shown.${value}` })),
  },
]

/** The banners of the home screen, in their order. */
export function BannerList() {
  return (
    <DataList actions={<Add />}>
      <Rows>
        <DataTable.Col source="image" disableSort>
          <Picture />
        </DataTable.Col>
        <DataTable.Col source="link" disableSort />
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
  return (
    <TopToolbar>
      <UploadPicture onUploaded={setUploaded} />
      <ActionButton
        route={addBanner}
        request={{}}
        label="areas.content.addBanner"
        done="areas.content.saved"
        fields={fieldsOf({ image: uploaded, link: '', shown: true })}
      />
    </TopToolbar>
  )
}

function Picture() {
  const banner = useRecordContext<WireBanner>()
  if (!banner) return null
  // The picture itself contains its words.
  return <img src={banner.image} alt={banner.image} width={160} height={51} loading="lazy" />
}

function Change() {
  const banner = useRecordContext<WireBanner>()
  if (!banner) return null
  const { id, version } = banner
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      <ActionButton
        route={saveBanner}
        request={{ id, version }}
        label="areas.content.changeBanner"
        done="areas.content.saved"
        fields={fieldsOf(banner)}
      />
      <ActionButton
        route={raiseBanner}
        request={{ id, version }}
        label="areas.content.raise"
        done="areas.content.saved"
      />
    </Stack>
  )
}
