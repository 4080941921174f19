import { Card, CardHeading } from '@sum28/ui/card.tsx'
import { CopyButton } from '@sum28/ui/copy-button.tsx'
import type { DepositInfo } from '#src/data/deposit.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/deposit/bank-deposit.module.css'

/** The operator's bank account, and the reference that names the player in a transfer. */
export function BankDeposit({ info }: { info: DepositInfo }) {
  const t = useText()
  const lines = [
    { label: t('bank.name'), value: info.bankname },
    { label: t('bank.holder'), value: info.bankxm },
    { label: t('bank.number'), value: info.banknum },
    { label: t('bank.reference'), value: info.reference, own: true },
  ]
  return (
    <section className="stack-2 shrink">
      <CardHeading>{t('bank.title')}</CardHeading>
      <Card kind="rows">
        <dl>
          {lines.map(
            ({ label, value, own }) =>
              value && (
                <div key={label} className={styles.line}>
                  <div>
                    <dt>{label}</dt>
                    <dd className="num" data-own={own}>
                      {value}
                    </dd>
                  </div>
                  <CopyButton small value={value} label={t('copy.label', { what: label })} />
                </div>
              ),
          )}
        </dl>
        <p className={styles.hint}>{t('bank.hint')}</p>
      </Card>
    </section>
  )
}
