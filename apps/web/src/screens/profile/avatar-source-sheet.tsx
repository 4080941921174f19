import { ListRow } from '@sum28/ui/list-row.tsx'
import { Sheet } from '@sum28/ui/sheet.tsx'
import { useText } from '#src/i18n/text.ts'

type AvatarSourceSheetProps = {
  open: boolean
  onClose: () => void
  onAlbum: () => void
  onDefault: () => void
}

/** Where a new picture is to come from. */
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
            // First the album: browsers open it for the tap alone, not for what follows it.
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
