import { Card } from '@sum28/ui/card.tsx'
import { CopyButton } from '@sum28/ui/copy-button.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import { QrCode } from '@sum28/ui/qr-code.tsx'
import { GroupedAddress } from '#src/features/grouped-address.tsx'
import { RichText } from '#src/i18n/rich-text.tsx'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/deposit/usdt-deposit.module.css'

/** The player's USDT address, to scan or copy, with a warning what not to send there. */
export function UsdtDeposit({ address }: { address: string }) {
  const t = useText()
  return (
    <Card className="stack-3">
      <div className="spread-3">
        <h2>{t('deposit.usdt')}</h2>
        <span className={styles.network}>TRC20</span>
      </div>
      <div className={styles.code}>
        <QrCode value={address} label={t('deposit.qr')} />
      </div>
      <p className={styles.label}>{t('deposit.address')}</p>
      <p className={styles.address}>
        <GroupedAddress address={address} />
      </p>
      <CopyButton value={address} label={t('deposit.copyAddress')} kind="primary" />
      <p className={styles.warning}>
        <Icon name="warn" size={20} />
        <span>
          <RichText id="deposit.warning" components={{ b: <b /> }} />
        </span>
      </p>
    </Card>
  )
}
