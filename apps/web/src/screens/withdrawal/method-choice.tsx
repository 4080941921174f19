import { Card } from '@sum28/ui/card.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import type { ComponentProps } from 'react'
import { Link } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { type PayMethod, payMethodMark, payMethodName } from '#src/data/pay-method.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/withdrawal/method-choice.module.css'

type MethodChoiceProps = Omit<ComponentProps<'input'>, 'type' | 'className' | 'value' | 'id'> & {
  methods: readonly PayMethod[]
  error: string | undefined
}

const ADD = [
  { kind: 'card', label: 'payMethods.addCard', route: 'addBankCard' },
  { kind: 'wallet', label: 'payMethods.addWallet', route: 'addWallet' },
] as const

/** The choice among the saved pay methods, with buttons to save missing ones. */
export function MethodChoice({ methods, error, ...radio }: MethodChoiceProps) {
  const t = useText()
  return (
    <fieldset className={styles.field} aria-describedby={error ? 'method-note' : undefined}>
      <legend className={styles.legend}>{t('withdrawal.method')}</legend>
      <Card kind="rows" className={styles.card} data-invalid={error !== undefined}>
        {methods.map((method) => (
          <label key={method.id} className={styles.option}>
            <input {...radio} type="radio" className={styles.input} value={String(method.id)} />
            <span className={styles.sign}>
              <Icon name={method.kind} size={22} />
            </span>
            <span className={styles.words} translate="no">
              <b>{payMethodName(method)}</b>
              <span className="num">{payMethodMark(method)}</span>
            </span>
            <span className={styles.dot}>
              <Icon name="check" size={16} />
            </span>
          </label>
        ))}
        {ADD.filter(({ kind }) => !methods.some((method) => method.kind === kind)).map(
          ({ kind, label, route }) => (
            <Link key={kind} className={styles.add} to={href(route)}>
              <span className={styles.sign}>
                <Icon name="plus" size={22} />
              </span>
              {t(label)}
            </Link>
          ),
        )}
      </Card>
      {error && (
        <p id="method-note" className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
