import { ListRow } from '@sum28/ui/list-row.tsx'
import { Sheet } from '@sum28/ui/sheet.tsx'
import { useText } from '#src/i18n/text.ts'

type AvatarSourceSheetProps = {
  open: boolean
  onClose: () => void
  onAlbum: () => void
  onDefault: () => void
}

/** The sources of a new picture. */
export function AvatarSourceSheet({ open, onClose, onAlbum, onDefault }: AvatarSourceSheetProps) {
  const t = useText()
  return (
    <Sheet open={open} onClose={onClose} title={t('avatar.change')}>
      <div className="sheet-rows">
        <ListRow
          icon="camera"
          title={t('avatar.album')}
          note={t('avatar.albumNote')}
          onPress={() => {
            // The album first: browsers open it only directly in a tap.
            onAlbum()
            onClose()
          }}
        />
        <ListRow
          icon="person"
          title={t('avatar.default')}
          note={t('avatar.defaultNote')}
          onPress={onDefault}
        />
      </div>
    </Sheet>
  )
}
