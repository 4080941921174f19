import { Refusal } from '@sum28/contract/client.ts'
import { keyedActions, mayHaveHappened } from '@sum28/contract/keyed-actions.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { failureText } from '#src/data/failure.ts'
import { currentSession, watchSession } from '#src/data/session-watch.ts'
import { requestWithdrawal, type Withdrawal, withdrawalQuery } from '#src/data/withdrawal.ts'
import { useText } from '#src/i18n/text.ts'
import { useNavigateUnlessLeft } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { showToast } from '#src/parts/toast-store.ts'

type TypedForm = { readonly amount: string; readonly methodId: string }

const EMPTY: TypedForm = { amount: '', methodId: '' }

let kept = EMPTY
/** Also after the screen was left: a request without an answer is sent again with its own key. */
let actions = keyedActions()
watchSession(() => {
  if (currentSession()) return
  kept = EMPTY
  actions = keyedActions()
})

/** What was typed into the form, while the app is open and its player signed in. */
export const keptForm = (): TypedForm => kept

/** Keeps what is typed now; null: forgets it. */
export function keepForm(typed: TypedForm | null): void {
  kept = typed ?? EMPTY
}

/** The result, for its dialog. */
export type Outcome =
  | { kind: 'done'; withdrawal: Withdrawal }
  | { kind: 'insufficient' }
  | { kind: 'failed'; text: string }

/**
 * The state of the six digits: `unanswered` keeps them, so that the same request can be repeated.
 */
export type CodeState = 'open' | 'sending' | 'unanswered' | 'locked'

export type WithdrawalSteps = ReturnType<typeof useWithdrawal>

/** With the number of the newest request at the time of the review; 0 for none. */
type Reviewed = Withdrawal & { readonly newest: number }

/**
 * What makes two requests the same: the code may be typed again. Once a request was made, an equal one after it is another
 * action.
 */
function inputOf({ method, amount, newest }: Reviewed) {
  return { method: method.id, amount: formatAmount(amount), newest }
}

/**
 * A withdrawal from its review to its result.
 *
 * @param newest the number of the player's newest request; 0 for none. A new one closes the review of what was before it.
 */
export function useWithdrawal(newest: number) {
  const t = useText()
  const queries = useQueryClient()
  const navigate = useNavigateUnlessLeft()
  const [review, setReview] = useState<Reviewed | null>(null)
  const reviewed = review?.newest === newest ? review : null
  const [code, setCode] = useState('')
  const [codeState, setCodeState] = useState<CodeState>('open')
  const [codeError, setCodeError] = useState<string>()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const underWay = useRef(false)
  /** Whether the review is still shown when an answer comes. */
  const seen = useRef(false)
  /** Whether the screen is. */
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  useEffect(() => {
    seen.current = reviewed !== null
    return () => {
      seen.current = false
    }
  }, [reviewed])

  function open(withdrawal: Withdrawal) {
    if (underWay.current) return
    requestCode()
    setReview({ ...withdrawal, newest })
  }

  function requestCode(error?: string) {
    setCode('')
    setCodeState('open')
    setCodeError(error)
  }

  async function send(typed: string) {
    if (underWay.current || !reviewed) return
    underWay.current = true
    const token = currentSession()?.token
    const hasSignedOut = () => currentSession()?.token !== token
    setCodeState('sending')
    setCodeError(undefined)
    try {
      await actions.send(inputOf(reviewed), (idempotencyKey) =>
        requestWithdrawal(reviewed, { code: typed, idempotencyKey }),
      )
      done(reviewed)
    } catch (error) {
      // The next player must not learn of it.
      if (hasSignedOut()) return
      const isUnanswered = actions.isUnanswered(inputOf(reviewed))
      const failure = isUnanswered ? 'unanswered' : withdrawalFailure(error)
      const isMade = failure === 'unanswered' && (await wasMade(reviewed))
      if (hasSignedOut()) return
      if (isMade) done(reviewed)
      else handleFailure(failure, error)
    } finally {
      underWay.current = false
      void queries.invalidateQueries({ queryKey: withdrawalQuery.queryKey })
    }
  }

  /** Whether a request without an answer was made. */
  async function wasMade({ amount, newest }: Reviewed): Promise<boolean> {
    await queries.fetchQuery(withdrawalQuery).catch(() => null)
    const latest = queries.getQueryData(withdrawalQuery.queryKey)?.latest ?? []
    return latest.some((made) => made.id > newest && made.amount === amount)
  }

  function done(withdrawal: Reviewed) {
    actions.forget(inputOf(withdrawal))
    keepForm(null)
    finish({ kind: 'done', withdrawal })
  }

  function handleFailure(failure: WithdrawalFailure, error: unknown) {
    const text = failure === 'unanswered' ? t('withdrawal.unanswered') : failureText(error)
    switch (failure) {
      case 'insufficient':
        return finish({ kind: 'insufficient' })
      case 'refused':
        return finish({ kind: 'failed', text })
      case 'unanswered':
        setCodeState('unanswered')
        // The sheet shows it, beside the button that tries again.
        if (seen.current) return
        break
      case 'locked':
        setCodeState('locked')
        setCodeError(text)
        if (seen.current) return
        break
      case 'code-wrong':
        requestCode(text)
        if (seen.current) return
        break
      case 'no-code':
        return leadTo('code', text)
      case 'no-method':
        return leadTo('method', text)
    }
    showToast(text, { stays: true })
  }

  /** Says that the code or a pay method has to be set first, and leads to it. */
  function leadTo(missing: 'code' | 'method', text: string) {
    showToast(text, { stays: true })
    navigate(
      missing === 'code'
        ? href('securityCode', { isTrue: 'false' })
        : href('payMethods', { type: '0' }),
    )
  }

  function wordsOf(end: Outcome): string {
    if (end.kind === 'failed') return end.text
    return t(end.kind === 'done' ? 'withdrawal.doneTitle' : 'withdrawal.insufficient')
  }

  function finish(end: Outcome) {
    if (!isOpen.current) return showToast(wordsOf(end), { stays: end.kind !== 'done' })
    setReview(null)
    setCode('')
    setCodeState('open')
    setOutcome(end)
  }

  return {
    reviewed,
    review: open,
    /** Closes the review; a sent request continues. */
    leave: () => setReview(null),
    code,
    setCode: (next: string) => {
      setCode(next)
      if (next !== '') setCodeError(undefined)
    },
    codeState,
    /** The server's message about the code. */
    codeError,
    send,
    outcome,
    fail: setOutcome,
    leadTo,
    forgetOutcome: () => setOutcome(null),
  }
}

/**
 * What a failed request for a withdrawal means. `unanswered`: it may have been made; `code-wrong`:
 * ask for the code again; `locked`: no code is accepted for a while; `no-code` and `no-method`: one
 * must be set first; `insufficient` and `refused`: the server refused it.
 */
type WithdrawalFailure =
  | 'unanswered'
  | 'code-wrong'
  | 'locked'
  | 'no-code'
  | 'no-method'
  | 'insufficient'
  | 'refused'

export function withdrawalFailure(error: unknown): WithdrawalFailure {
  if (mayHaveHappened(error) || !(error instanceof Refusal)) return 'unanswered'
  switch (error.data.reason) {
    case 'security_code_wrong':
      return 'code-wrong'
    case 'security_code_locked':
      return 'locked'
    case 'security_code_not_set':
      return 'no-code'
    case 'pay_method_missing':
      return 'no-method'
    case 'insufficient_balance':
      return 'insufficient'
    default:
      return 'refused'
  }
}
