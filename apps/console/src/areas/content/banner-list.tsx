import {
  addBanner,
  raiseBanner,
  saveBanner,
  type WireBanner,
} from '@sum28/contract/staff-content-routes.ts'
import { DataTable } from 'react-admin'
import { PictureList, pictureFields } from '#src/areas/content/picture-list.tsx'

type Draft = Pick<WireBanner, 'image' | 'link' | 'shown'>

const BANNERS = {
  add: addBanner,
  addLabel: 'areas.content.addBanner',
  save: saveBanner,
  raise: raiseBanner,
  blank: { image: '', link: '', shown: true },
  fieldsOf: (draft: Draft) =>
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
      <DataTable.Col source="link" disableSort />
    </PictureList>
  )
}
