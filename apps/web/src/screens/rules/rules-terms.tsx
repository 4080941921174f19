import type { Amount } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { durationText } from '@sum28/ui/duration-text.ts'
import { Icon } from '@sum28/ui/icon.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { Link } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/rules/rules.module.css'
import { RulesPart } from '#src/screens/rules/rules-part.tsx'

/** The rules about delays, failures and robots. */
export function RulesTerms(props: { deadlineSeconds: number; payoutMax: Amount }) {
  const { deadlineSeconds, payoutMax } = props
  const t = useText()
  const { tag } = useLocale()
  return (
    <>
      <RulesPart title={t('rules.lateTitle')}>
        <p>{t('rules.lateText')}</p>
        <p>{t('rules.lateFinal')}</p>
      </RulesPart>
      <RulesPart title={t('rules.voidTitle')}>
        <p className={styles.strong}>{t('rules.voidText')}</p>
        <p>{t('rules.voidWhen', { deadline: durationText(deadlineSeconds, tag) })}</p>
      </RulesPart>
      <RulesPart title={t('rules.faultTitle')}>
        <p>{t('rules.faultText')}</p>
        <p>{t('rules.faultMoney')}</p>
      </RulesPart>
      <RulesPart title={t('rules.limitsTitle')}>
        <p>{t('rules.limitsText')}</p>
        <p>{t('rules.payoutMax', { amount: amountText(payoutMax, { tag }) })}</p>
      </RulesPart>
      <RulesPart title={t('rules.robotsTitle')}>
        <p>{t('rules.robotsText')}</p>
      </RulesPart>
      <RulesPart title={t('rules.fairTitle')}>
        <p>{t('rules.fairText')}</p>
        <Link className={styles.more} to={href('fairness')}>
          {t('rules.check')}
          <Icon name="forward" size={16} />
        </Link>
      </RulesPart>
    </>
  )
}
