import { Button, buttonClass } from '@sum28/ui/button.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { CopyButton } from '@sum28/ui/copy-button.tsx'
import { saveFile } from '@sum28/ui/save-file.ts'
import { showToast } from '@sum28/ui/toast-store.ts'
import { Link } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { isPending } from '#src/data/bet.ts'
import type { FullBet } from '#src/data/full-bet.ts'
import { receiptFileName, receiptText } from '#src/data/receipt.ts'
import { LocalBeaconNote } from '#src/features/local-beacon-note.tsx'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/bet/bet-receipt.module.css'

/** The bet's receipt: saves it, or opens its check. */
export function BetReceipt({ bet }: { bet: FullBet }) {
  const t = useText()
  const { receipt } = bet

  function save() {
    const blob = new Blob([receiptText(receipt)], { type: 'application/json' })
    saveFile({ name: receiptFileName(receipt), blob })
    showToast(t('receipt.saved'))
  }

  return (
    <Card className="stack-3">
      <h2>{t('receipt.title')}</h2>
      <p className="quiet">{t(isPending(bet) ? 'receipt.earlyText' : 'receipt.text')}</p>
      {receipt.proof.beacon.kind === 'local' && <LocalBeaconNote />}
      <Link
        className={buttonClass({ kind: 'primary', wide: true })}
        to={href('fairness')}
        state={{ receipt }}
      >
        {t('receipt.check')}
      </Link>
      <div className={styles.keep}>
        <Button kind="soft" size="s" wide onClick={save}>
          {t('receipt.save')}
        </Button>
        <CopyButton value={receiptText(receipt)} label={t('receipt.copy')} />
      </div>
    </Card>
  )
}
