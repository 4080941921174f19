import { upload } from '@sum28/contract/user-routes.ts'
import { PICTURES, useFilePicker } from '@sum28/ui/file-picker.tsx'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeProfile } from '#src/data/change-profile.ts'
import { call } from '#src/data/client.ts'
import { fieldFaults } from '#src/data/failure.ts'
import { profileQuery } from '#src/data/profile.ts'
import { currentSession } from '#src/data/session-watch.ts'
import { smallPicture } from '#src/data/small-picture.ts'
import { Avatar } from '#src/features/avatar.tsx'
import { ErrorState } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { filled, SentForm, useSentForm } from '#src/features/sent-form.tsx'
import { useText } from '#src/i18n/text.ts'
import { useNavigate, useRouteQuery } from '#src/navigation/navigation.tsx'
import { href, type ReadQuery } from '#src/navigation/routes.ts'
import { Card } from '#src/parts/card.tsx'
import { TextField } from '#src/parts/fields.tsx'
import { Icon } from '#src/parts/icon.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import { Sheet } from '#src/parts/overlays.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'
import { showToast } from '#src/parts/toast-store.ts'
import styles from '#src/screens/profile/profile.module.css'

/** The player's profile, with the picture and the number of a document, which can be changed. */
export function ProfileScreen() {
  const t = useText()
  const navigate = useNavigate()
  const [query] = useRouteQuery('profile')
  const guess = profileGuess(query)
  const profile = useQuery(profileQuery)
  const [choosing, setChoosing] = useState(false)
  const [naming, setNaming] = useState(false)
  const save = useMutation({
    mutationFn: async (file: File) => {
      const picture = await smallPicture(file)
      if (!picture) return showToast(t('avatar.notAnImage'), { stays: true })
      await saveOwnAvatar(picture)
      showToast(t('avatar.saved'))
    },
  })

  /** Whether there is a session; shows a toast if not. */
  function mayChange(): boolean {
    if (currentSession()) return true
    showToast(t('hall.pleaseLogIn'))
    return false
  }

  const [albumField, openAlbum] = useFilePicker({
    accept: PICTURES,
    label: t('avatar.album'),
    onFile: (file) => mayChange() && save.mutate(file),
  })
  const me = profile.data
  return (
    <Screen title={t('profile.title')} back refreshes={profile}>
      {profile.isError && !me ? (
        <ErrorState error={profile.error} onRetry={() => profile.refetch()} />
      ) : (
        <>
          <button
            type="button"
            className={styles.avatar}
            disabled={save.isPending}
            aria-busy={save.isPending}
            onClick={() => mayChange() && setChoosing(true)}
          >
            <Avatar src={me ? me.avatar : guess.avatar} size={96} />
            <span className={styles.change}>
              <Icon name="camera" size={18} />
              {t('avatar.change')}
            </span>
          </button>
          <Card kind="rows">
            <Row title={t('register.username')} value={me?.name} guess={guess.username} />
            <Row title={t('profile.id')} value={me && String(me.id)} guess={guess.id} />
            <Row title={t('register.email')} value={me?.email} guess={guess.email} />
            <Row
              title={t('profile.group')}
              value={me && t(me.isMember ? 'me.member' : 'me.visitor')}
            />
            <ListRow
              title={t('profile.document')}
              end={me && <Value text={me.document || t('profile.documentAdd')} />}
              onPress={() => mayChange() && setNaming(true)}
            />
          </Card>
        </>
      )}
      {albumField}
      <Sheet open={naming} onClose={() => setNaming(false)} title={t('profile.document')}>
        <DocumentForm onSaved={() => setNaming(false)} />
      </Sheet>
      <AvatarSourceSheet
        open={choosing}
        onClose={() => setChoosing(false)}
        onAlbum={openAlbum}
        onDefault={() => navigate(href('avatar'))}
      />
    </Screen>
  )
}

type RowProps = {
  title: string
  /** The server's value, or undefined until it has come. */
  value: string | undefined
  /** The value from the address, shown until then; may be empty. */
  guess?: string
}

function Row({ title, value, guess = '' }: RowProps) {
  const shown = value === undefined ? guess : value || '–'
  return (
    <ListRow
      title={title}
      end={shown ? <Value text={shown} /> : <Skeleton height={14} width="96px" />}
    />
  )
}

function Value({ text }: { text: string }) {
  const [name, ...site] = text.split('@')
  return (
    <span className="ink anywhere">
      {name}
      {/* A long address breaks here first. */}
      {site.length > 0 && (
        <>
          <wbr />@{site.join('@')}
        </>
      )}
    </span>
  )
}

type AvatarSourceSheetProps = {
  open: boolean
  onClose: () => void
  onAlbum: () => void
  onDefault: () => void
}

function AvatarSourceSheet({ open, onClose, onAlbum, onDefault }: AvatarSourceSheetProps) {
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

/** Uploads a picture, of which the server makes a square, as the player's. Rejects where either was refused. */
async function saveOwnAvatar(picture: Blob): Promise<void> {
  const { url } = await call(upload, {}, { file: picture })
  await changeProfile({ avatar: url })
}

/**
 * The profile in an address, shown until the server's profile is loaded. Only values in the server's
 * form are used, because users can change an address.
 */
export function profileGuess(query: ReadQuery<'profile'>) {
  return {
    username: matching(query.name, /^\w{3,20}$/),
    id: matching(query.id, /^\d{1,10}$/),
    email: matching(query.email, /^[^\s@]{1,64}@[^\s@]{1,190}$/),
    // Only a path of this site: another site would learn the viewer's address.
    avatar: matching(query.avatar, /^(preset:[1-8]|\/(?!\/)[\w/.-]{1,200})$/),
  }
}

function matching(value: string | undefined, pattern: RegExp): string {
  return value !== undefined && pattern.test(value) ? value : ''
}

/** The longest number that the server stores. */
const NUMBER_MAX = 40

/** Takes the number of an identity document, which the player may give. The stored one is never shown here. */
function DocumentForm({ onSaved }: { onSaved: () => void }) {
  const t = useText()
  const form = useSentForm<{ number: string }>({
    defaultValues: { number: '' },
    send: ({ number }) => changeProfile({ document: number.trim() }),
    onSent: () => {
      showToast(t('profile.documentSaved'))
      onSaved()
    },
    faultsOf: (error) => ({ number: fieldFaults(error).idcard }),
  })
  return (
    <SentForm form={form} submit={t('payMethods.save')}>
      <TextField
        label={t('profile.document')}
        placeholder={t('profile.documentHint')}
        hint={t('profile.documentText')}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        translate="no"
        maxLength={NUMBER_MAX}
        {...form.field('number', { validate: { filled: filled(t('profile.documentHint')) } })}
      />
    </SentForm>
  )
}
