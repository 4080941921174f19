import { sumOfDigits } from '@sum28/domain/digits.ts'
import { useFilePicker } from '@sum28/ui/file-picker.tsx'
import { deviceNow } from '@sum28/ui/server-clock.ts'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { fetchedAt } from '#src/data/draw-check.ts'
import { publishedRoundQuery } from '#src/data/fairness.ts'
import { useGameZone } from '#src/data/game-day.ts'
import { useLiveGames } from '#src/data/live/use-channel.ts'
import { type Receipt, readReceipt } from '#src/data/receipt.ts'
import type { PastRound } from '#src/data/rounds/past-round.ts'
import { DAY_ROUNDS_MAX, useRoundChoice } from '#src/data/rounds/use-rounds.ts'
import { gameCode } from '#src/features/game-logo.tsx'
import { EmptyState, Loaded } from '#src/features/loaded.tsx'
import { FIRST_DAY } from '#src/i18n/days.ts'
import { useText } from '#src/i18n/text.ts'
import { useRouteQuery } from '#src/navigation/navigation.tsx'
import { Button } from '#src/parts/button.tsx'
import { FieldFrame, TextField } from '#src/parts/fields.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'
import { CheckResult } from '#src/screens/fairness/check-result.tsx'
import styles from '#src/screens/fairness/fairness.module.css'
import { GamePills } from '#src/screens/fairness/part.tsx'

/** The check of a round, chosen by game, day and number, or named in the address. */
export function RoundPart() {
  const t = useText()
  const { today } = useGameZone()
  const [query, choose] = useRouteQuery('fairness', { stays: true })
  const [day, setDay] = useState('')
  const games = useLiveGames()
  const gameId = (query.game_id ? Number(query.game_id) : null) ?? games.data?.[0]?.id ?? 1
  const rounds = useRoundChoice({ gameId, day: day === '' ? null : day })
  const roundId = query.issue ?? rounds.data?.[0]?.roundId ?? null

  return (
    <div className="stack-3 shrink" data-game={gameCode(gameId)}>
      <GamePills chosen={gameId} onChoose={(chosen) => choose({ game_id: String(chosen) })} />
      <div className="grid-3">
        <TextField
          label={t('day.field')}
          type="date"
          min={FIRST_DAY}
          max={today}
          value={day}
          onChange={(event) => {
            setDay(event.target.value)
            choose({ game_id: String(gameId) })
          }}
        />
        <RoundSelect
          rounds={rounds.data ?? []}
          value={roundId}
          onChange={(chosen) => choose({ game_id: String(gameId), issue: chosen })}
        />
      </div>
      {roundId === null ? (
        <Loaded query={rounds} skeleton={<Skeleton height={320} />}>
          {() => (
            <EmptyState
              title={t('check.noRounds')}
              hint={t('check.noRoundsHint')}
              onReload={() => rounds.refetch()}
            />
          )}
        </Loaded>
      ) : (
        <RoundCheck key={`${gameId} ${roundId}`} gameId={gameId} roundId={roundId} />
      )}
    </div>
  )
}

function RoundCheck({ gameId, roundId }: { gameId: number; roundId: string }) {
  const t = useText()
  const round = useQuery(publishedRoundQuery({ gameId, roundId }))
  return (
    <Loaded query={round} skeleton={<Skeleton height={320} />}>
      {(found) =>
        found ? (
          <CheckResult input={{ round: found, ...fetchedAt(found, round.dataUpdatedAt) }} />
        ) : (
          <EmptyState icon="search" title={t('check.unknown')} hint={t('check.unknownHint')} />
        )
      }
    </Loaded>
  )
}

type RoundSelectProps = {
  rounds: readonly PastRound[]
  value: string | null
  onChange: (roundId: string) => void
}

function RoundSelect({ rounds, value, onChange }: RoundSelectProps) {
  const t = useText()
  const id = useId()
  const listed = rounds.some(({ roundId }) => roundId === value)
  const hint =
    rounds.length === DAY_ROUNDS_MAX ? t('day.newest', { count: DAY_ROUNDS_MAX }) : undefined
  return (
    <FieldFrame id={id} label={t('room.round')} hint={hint}>
      <select
        id={id}
        aria-describedby={hint && `${id}-note`}
        className={styles.roundSelect}
        value={value ?? ''}
        disabled={value === null && rounds.length === 0}
        onChange={(event) => onChange(event.target.value)}
      >
        {!listed && <option value={value ?? ''}>{value ?? '–'}</option>}
        {rounds.map(({ roundId, digits }) => (
          <option key={roundId} value={roundId}>
            {digits
              ? `${roundId} · ${digits.join(' ')} = ${sumOfDigits(digits)}`
              : t('check.voidedOption', { round: roundId })}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}

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
  const area = useRef<HTMLTextAreaElement>(null)

  function take(given: string) {
    const receipt = readReceipt(given)
    setRefused(receipt === null)
    if (receipt) onReceipt(receipt)
    else area.current?.focus()
  }
  const [field, openFile] = useFilePicker({
    accept: '.json,application/json,text/plain',
    label: t('check.open'),
    onFile: async (file) => take(await file.text()),
  })

  return (
    <form
      className="stack-3"
      onSubmit={(event) => {
        event.preventDefault()
        take(text)
      }}
    >
      {field}
      <FieldFrame
        id={id}
        label={t('receipt.title')}
        hint={t('check.pasteHint')}
        error={refused ? t('check.notReceipt') : undefined}
      >
        <textarea
          ref={area}
          id={id}
          className={`mono ${styles.paste}`}
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
      <div className="halves">
        <Button kind="soft" onClick={openFile}>
          {t('check.open')}
        </Button>
        <Button type="submit" disabled={text.trim() === ''}>
          {t('check.run')}
        </Button>
      </div>
    </form>
  )
}

function ReceiptCheck({ receipt }: { receipt: Receipt }) {
  const { game_id: gameId, issue: roundId } = receipt.proof
  const [openedAt] = useState(deviceNow)
  const query = publishedRoundQuery({ gameId, roundId })
  const round = useQuery({ ...query, refetchOnMount: 'always' })
  // A reply from before the seal, the draw or the void must not contradict a receipt from after it.
  const isEarlier = round.dataUpdatedAt < openedAt
  if (isEarlier && round.isFetching) return <Skeleton height={320} />
  const published = isEarlier ? undefined : round.data
  return <CheckResult input={{ round: receipt.proof, receipt, published }} />
}
