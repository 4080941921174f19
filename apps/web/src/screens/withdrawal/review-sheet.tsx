import { useEffect, useRef } from 'react'
import { maskedNumber, payMethodName, unitOf } from '#src/data/pay-method.ts'
import type { Withdrawal } from '#src/data/withdrawal.ts'
import { type TextKey, useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'
import { CodeField } from '#src/parts/code-field.tsx'
import { LabelAmount, LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { Sheet } from '#src/parts/overlays.tsx'
import { useLastValue } from '#src/parts/use-last-value.ts'
import type { CodeState, WithdrawalSteps } from '#src/screens/withdrawal/use-withdrawal.ts'

const HINTS: Partial<Record<CodeState, TextKey>> = {
  open: 'withdrawal.codeHint',
  sending: 'withdrawal.sending',
}

/** The review of a withdrawal; the sixth digit of the code sends it. */
export function ReviewSheet({ withdrawal: steps }: { withdrawal: WithdrawalSteps }) {
  const t = useText()
  const { reviewed } = steps
  const shown = useLastValue(reviewed)
  return (
    <Sheet
      open={reviewed !== null}
      onClose={steps.leave}
      title={t('withdrawal.reviewTitle')}
      describedBy="review"
    >
      <div className="stack-4">
        {shown && <Lines withdrawal={shown} />}
        <Code steps={steps} />
      </div>
    </Sheet>
  )
}

function Lines({ withdrawal: { amount, method } }: { withdrawal: Withdrawal }) {
  const t = useText()
  return (
    <div id="review" className="stack-3">
      <LabelValues kind="boxed">
        <LabelAmount label={t('withdrawal.amount')} value={amount} />
        <LabelValue label={t('withdrawal.method')}>
          <span className="stack shrink anywhere" translate="no">
            <span>{payMethodName(method)}</span>
            {method.kind === 'card' ? (
              <>
                <span className="num medium">{maskedNumber(method)}</span>
                <span className="medium">{method.holder}</span>
              </>
            ) : (
              <span className="mono caption ink">{method.address}</span>
            )}
          </span>
        </LabelValue>
        <LabelValue label={t('withdrawal.fee')}>{t('withdrawal.noFee')}</LabelValue>
        <LabelAmount
          label={t('withdrawal.arrives')}
          weight="strong"
          value={amount}
          unit={unitOf(method)}
        />
      </LabelValues>
      <p className="hint">{t('withdrawal.noWayBack')}</p>
    </div>
  )
}

function Code({ steps }: { steps: WithdrawalSteps }) {
  const t = useText()
  const { code, codeState, codeError } = steps
  const first = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLButtonElement>(null)
  const refused = codeState === 'open' && codeError !== undefined
  // After a wrong code, the first box has the focus.
  useEffect(() => {
    if (refused) first.current?.focus()
  }, [refused])
  // The field has just been disabled; on a small screen the button may be out of view.
  useEffect(() => {
    if (codeState === 'unanswered') again.current?.focus()
  }, [codeState])
  return (
    <>
      <CodeField
        label={t('settings.securityCode')}
        value={code}
        onChange={steps.setCode}
        onComplete={steps.send}
        error={codeError}
        hint={HINTS[codeState] && t(HINTS[codeState])}
        secret
        disabled={codeState !== 'open'}
        ref={first}
      />
      {codeState === 'unanswered' && (
        <div className="grid-3">
          <div role="alert">
            <Callout icon="warn" tone="warn">
              {t('withdrawal.unanswered')}
            </Callout>
          </div>
          <Button ref={again} wide onClick={() => steps.send(code)}>
            {t('action.retry')}
          </Button>
        </div>
      )}
    </>
  )
}
