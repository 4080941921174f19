import { formatAmount } from '@sum28/domain/money.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { depositQuery, sendTestUsdt } from '#src/data/deposit.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import { readTypedAmount } from '#src/data/typed-amount.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { TextField } from '#src/parts/fields.tsx'
import { showToast } from '#src/parts/toast-store.ts'
import styles from '#src/screens/deposit/deposit.module.css'

/** USDT has six decimals. */
const DECIMALS = 6

/** In the demo only: sends test USDT to the player, over the local chain and the real watcher. */
export function DemoTransfer({ address }: { address: string }) {
  const t = useText()
  const { tag } = useLocale()
  const [amount, setAmount] = useState('1000')
  const [error, setError] = useState<string>()
  const send = useMutation({
    mutationFn: sendTestUsdt,
    onSuccess: () => {
      showToast(t('demo.sent'))
      refetchQuery(depositQuery)
    },
    onError: () => showToast(t('demo.failed')),
  })

  function submit() {
    const parsed = readTypedAmount(amount, { tag, decimalsMax: DECIMALS })
    if (!parsed.ok || parsed.amount === 0n) {
      setError(t('demo.amountWrong'))
      return
    }
    send.mutate({ to: address, amount: formatAmount(parsed.amount) })
  }

  return (
    <form
      className={styles.demo}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className="row-2 wrap">
        <span className={styles.demoBadge}>{t('demo.badge')}</span>
        <h2>{t('demo.title')}</h2>
      </div>
      <p className="quiet">{t('demo.hint')}</p>
      <div className="stack-3">
        <TextField
          label={t('demo.amount')}
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          error={error}
          onChange={(event) => {
            setAmount(event.target.value)
            setError(undefined)
          }}
          end={<span className={styles.demoUnit}>USDT</span>}
        />
        <Button type="submit" kind="soft" wide busy={send.isPending}>
          {t('demo.send')}
        </Button>
      </div>
    </form>
  )
}
