import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { isUndecided, publishedRoundQuery } from '#src/data/fairness.ts'
import { type Receipt, readReceipt } from '#src/data/receipt.ts'
import { useText } from '#src/i18n/text.ts'
import { Button, buttonClass } from '#src/parts/button.tsx'
import { FieldFrame } from '#src/parts/fields.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'
import { CheckResult } from '#src/screens/fairness/check-result.tsx'
import styles from '#src/screens/fairness/fairness.module.css'

/** A receipt, pasted, opened from a file or passed by a bet's page, and its check. */
export function ReceiptPart({ sent }: { sent: Receipt | null }) {
  const t = useText()
  const [receipt, setReceipt] = useState(sent)
  if (!receipt) return <ReceiptInput onReceipt={setReceipt} />
  return (
    <>
      <ReceiptCheck receipt={receipt} />
      <Button kind="soft" size="s" wide onClick={() => setReceipt(null)}>
        {t('check.another')}
      </Button>
    </>
  )
}

function ReceiptInput({ onReceipt }: { onReceipt: (receipt: Receipt) => void }) {
  const t = useText()
  const id = useId()
  const [text, setText] = useState('')
  const [refused, setRefused] = useState(false)

  function take(given: string) {
    const receipt = readReceipt(given)
    setRefused(receipt === null)
    if (receipt) onReceipt(receipt)
  }

  return (
    <form
      className="stack-3"
      onSubmit={(event) => {
        event.preventDefault()
        take(text)
      }}
    >
      <FieldFrame
        id={id}
        label={t('check.paste')}
        hint={t('check.pasteHint')}
        error={refused ? t('check.notReceipt') : undefined}
      >
        <textarea
          id={id}
          className={styles.paste}
          rows={5}
          value={text}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          aria-invalid={refused || undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => {
            setText(event.target.value)
            setRefused(false)
          }}
        />
      </FieldFrame>
      <div className={styles.receiptButtons}>
        <label className={`${buttonClass({ kind: 'soft' })} ${styles.receiptFile}`}>
          <input
            type="file"
            className="unseen"
            accept=".json,application/json,text/plain"
            onChange={async (event) => {
              const file = event.target.files?.[0]
              // So that the same file can be chosen again.
              event.target.value = ''
              if (file) take(await file.text())
            }}
          />
          {t('check.open')}
        </label>
        <Button type="submit" disabled={text.trim() === ''}>
          {t('check.run')}
        </Button>
      </div>
    </form>
  )
}

function ReceiptCheck({ receipt }: { receipt: Receipt }) {
  const { game_id: gameId, issue: roundId } = receipt.proof
  const published = useQuery(publishedRoundQuery({ gameId, roundId }))
  // A reply from before the draw must not contradict a receipt from after it.
  const outdated = receipt.proof.digits !== null && published.data && isUndecided(published.data)
  if (published.isPending || (outdated && published.isFetching)) return <Skeleton height={320} />
  return <CheckResult input={{ round: receipt.proof, receipt }} published={published.data} />
}
