import { quantityLogList } from '@sum28/contract/money-routes.ts'
import type { LedgerRow } from '@sum28/contract/replies.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { type ListPage, PAGE_SIZE, pageAfter, pageOfReply } from '#src/data/list-page.ts'
import { DayChip } from '#src/features/day-chip.tsx'
import { HistoryList } from '#src/features/history-list.tsx'
import { Screen } from '#src/features/screen.tsx'
import type { DayRange } from '#src/i18n/days.ts'
import { useText } from '#src/i18n/text.ts'
import { clockTimeText } from '#src/i18n/time-text.ts'
import { useListFilter } from '#src/navigation/use-list-filter.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { ChoicePills } from '#src/parts/choice-pills.tsx'
import type { IconName } from '#src/parts/icon.tsx'
import { RecordBadge, RecordRow, RecordSign, type RecordTone } from '#src/parts/record-row.tsx'

/** By their number on the wire. */
const MOVEMENTS = ['deposit', 'withdrawal', 'purchase', 'profit', 'bonus'] as const

type Movement = (typeof MOVEMENTS)[number]

const CHOICES = ['all', ...MOVEMENTS] as const

/** The player's statement, by days and by kind of movement. */
export function StatementScreen() {
  const t = useText()
  const { today, span, range, choice, setSpan, setChoice } = useListFilter('statement', MOVEMENTS)
  const entries = useInfiniteQuery(statementQuery({ ...range, movement: choice }))
  const days = <DayChip span={span} today={today} onChange={setSpan} />
  return (
    <Screen title={t('statement.title')} back action={days}>
      <div className="beside">
        <ChoicePills
          label={t('statement.kind')}
          options={CHOICES.map((value) => ({ value, label: t(`statement.${value}`) }))}
          value={choice ?? 'all'}
          onChange={(value) => setChoice(MOVEMENTS.find((movement) => movement === value))}
        />
        <div className="stack-3 shrink">
          <HistoryList
            query={entries}
            keyOf={(entry) => entry.id}
            at={(entry) => entry.postedAt}
            range={JSON.stringify({ ...range, choice })}
            empty={{ title: t('statement.none'), hint: t('betHistory.noneHint') }}
          >
            {(entry) => <EntryRow entry={entry} />}
          </HistoryList>
        </div>
      </div>
    </Screen>
  )
}

const ICONS: Record<Entry['kind'], IconName> = {
  deposit: 'wallet',
  withdrawal: 'logout',
  restored: 'refresh',
  purchase: 'play',
  profit: 'trophy',
  bonus: 'star',
  refund: 'refresh',
  partReturn: 'refresh',
  other: 'card',
}

const TONES = { waiting: 'warn', passed: 'accent', rejected: 'bad' } as const satisfies Record<
  Entry['state'],
  RecordTone
>

const toneOf = ({ amount, kind }: Entry): RecordTone =>
  amount > 0n && kind !== 'partReturn' ? 'in' : 'quiet'

function EntryRow({ entry }: { entry: Entry }) {
  const t = useText()
  const when = useTimeFormat()
  const kind = t(`statement.${entry.kind}`)
  // Of a bonus or a correction the server says which of both it is, and why.
  const title = entry.kind === 'bonus' && entry.mark ? entry.mark : kind
  const time = clockTimeText(entry.postedAt, when)
  // Withdrawals always show their state; other movements only while they are not done.
  const showsState = entry.kind === 'withdrawal' || entry.state !== 'passed'
  return (
    <RecordRow
      sign={<RecordSign icon={ICONS[entry.kind]} tone={toneOf(entry)} />}
      title={
        <>
          {title}
          {showsState && (
            <RecordBadge tone={TONES[entry.state]}>{t(`statement.${entry.state}`)}</RecordBadge>
          )}
        </>
      }
      value={<AmountText value={entry.amount} decimals="all" signed />}
      note={
        entry.mark && entry.mark !== title && entry.mark !== kind ? `${entry.mark} · ${time}` : time
      }
      noteEnd={
        <>
          {t('home.balance')} <AmountText value={entry.balanceAfter} decimals="all" />
        </>
      }
    />
  )
}

type StatementFilter = DayRange & {
  /** Undefined: all. */
  readonly movement: Movement | undefined
}

function statementQuery(filter: StatementFilter) {
  const { from, to, movement } = filter
  return infiniteQueryOptions({
    queryKey: ['statement', filter],
    initialPageParam: 1,
    getNextPageParam: (last: ListPage<Entry>) => pageAfter(last),
    queryFn: async ({ pageParam, signal }): Promise<ListPage<Entry>> => {
      const reply = await call(
        quantityLogList,
        {
          begin_date: from,
          end_date: to,
          type: movement && MOVEMENTS.indexOf(movement),
          page: pageParam,
          limit: PAGE_SIZE,
        },
        { signal },
      )
      const page = pageOfReply(reply)
      return { ...page, list: page.list.map(entryFromWire) }
    },
  })
}

/** By their number on the wire. */
const STATES = ['waiting', 'passed', 'rejected'] as const

/** The mark of a stake that was returned because its round was voided; the same in every language. */
const REFUND_MARK = 'refund'

type Entry = ReturnType<typeof entryFromWire>

export function entryFromWire(row: LedgerRow) {
  const kind = kindOf(row)
  return {
    id: row.id,
    /** Milliseconds since 1970. */
    postedAt: row.createtime * 1_000,
    kind,
    state: STATES[row.status] ?? 'waiting',
    /** The server's note, in the player's language; empty if it adds nothing to the kind. */
    mark: kind === 'refund' || kind === 'partReturn' ? '' : row.mark.trim(),
    /** Negative for money that went out. */
    amount: amountFromWire(row.quantity),
    balanceAfter: amountFromWire(row.over),
  }
}

/**
 * `refund`: a returned stake, which is a purchase on the wire. `restored`: the money of a rejected
 * withdrawal, which is a withdrawal on the wire. `partReturn`: a win that pays no more than its bet cost, which is a
 * profit on the wire: nothing to celebrate.
 */
function kindOf(row: LedgerRow): Movement | 'refund' | 'restored' | 'partReturn' | 'other' {
  if (row.mark === REFUND_MARK) return 'refund'
  const movement = MOVEMENTS[row.type]
  if (movement === 'withdrawal' && amountFromWire(row.quantity) > 0n) return 'restored'
  const isPart =
    movement === 'profit' &&
    row.stake !== undefined &&
    amountFromWire(row.quantity) <= amountFromWire(row.stake)
  return isPart ? 'partReturn' : (movement ?? 'other')
}
