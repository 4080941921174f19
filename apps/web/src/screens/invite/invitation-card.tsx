import { Button } from '@sum28/ui/button.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { CopyButton } from '@sum28/ui/copy-button.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import { QrCode } from '@sum28/ui/qr-code.tsx'
import { Skeleton } from '@sum28/ui/skeleton.tsx'
import { showFailure } from '#src/features/show-failure.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/invite/invitation-card.module.css'

/** Pixels of each side, by the specification. */
const QR_SIZE = 200

/** The player's registration link: as a QR code, as text, and to share. */
export function InvitationCard({ link }: { link: string }) {
  const t = useText()
  // Browsers have it only on secure pages, unlike its type says.
  const canShare = 'share' in navigator

  async function share() {
    try {
      await navigator.share({ title: 'Sum28', url: link })
    } catch (error) {
      showFailure(error)
    }
  }

  return (
    <Card className={styles.card}>
      <div className={styles.code}>
        <QrCode value={link} label={t('invite.code')} size={QR_SIZE} />
      </div>
      <p className={styles.lead}>{t('invite.lead')}</p>
      <p className={styles.link}>
        <span className="unseen">{t('invite.link')}: </span>
        {link}
      </p>
      <div className={styles.buttons} data-two={canShare}>
        <CopyButton value={link} label={t('invite.copy')} kind={canShare ? 'soft' : 'primary'} />
        {canShare && (
          <Button size="s" wide onClick={share}>
            <Icon name="share" size={20} />
            {t('invite.send')}
          </Button>
        )}
      </div>
    </Card>
  )
}

export function InvitationSkeleton() {
  return (
    <Card className={styles.card} aria-hidden="true">
      <Skeleton height={QR_SIZE + 24} width={`${QR_SIZE + 24}px`} />
      <Skeleton height={38} />
      <Skeleton height={44} />
      <Skeleton height={44} />
    </Card>
  )
}
