import type { Profile } from '@sum28/contract/replies.ts'
import { Link } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { Avatar } from '#src/features/avatar.tsx'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/me/identity.module.css'

/** Picture, name, number and group, as a link to the profile. */
export function Identity({ profile }: { profile: Profile }) {
  const t = useText()
  return (
    <Link to={href('profile')} className={styles.identity}>
      <Avatar src={profile.avatar} size={60} />
      <div className={styles.words}>
        <b>{profile.username}</b>
        <span className="num">{t('me.id', { id: String(profile.id) })}</span>
      </div>
      <span className={styles.group}>
        {profile.group_id === 1 ? t('me.member') : t('me.visitor')}
      </span>
    </Link>
  )
}
