import { protectionChanges } from '@sum28/contract/protection-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { type ListPage, PAGE_SIZE, pageAfter } from '#src/data/list-page.ts'
import { HistoryList } from '#src/features/history-list.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useLimitWords } from '#src/features/use-limit-left.ts'
import { type TextKey, useText } from '#src/i18n/text.ts'
import { clockTimeText } from '#src/i18n/time-text.ts'
import { ListRow } from '#src/parts/list-row.tsx'

/** The player's own log of changes of his protection, newest first. */
export function ChangesScreen() {
  const t = useText()
  const changes = useInfiniteQuery(changesQuery)
  return (
    <Screen title={t('changes.title')} back>
      <HistoryList
        query={changes}
        keyOf={(change) => change.id}
        at={(change) => change.createtime * 1_000}
        range="all"
        empty={{ title: t('changes.none'), hint: t('changes.noneHint') }}
      >
        {(change) => <ChangeRow change={change} />}
      </HistoryList>
    </Screen>
  )
}

const WORDS: Readonly<Record<string, TextKey>> = {
  limit_lowered: 'changes.limitLowered',
  limit_raise_asked: 'changes.raiseAsked',
  limit_raised: 'changes.raised',
  limit_same: 'changes.raiseDropped',
  check_set: 'changes.checkSet',
  check_acknowledged: 'changes.checkAcknowledged',
  time_out: 'changes.timeOut',
  self_exclusion: 'changes.exclusion',
  end_requested: 'changes.endRequested',
  passkey_added: 'changes.passkeyAdded',
  passkey_removed: 'changes.passkeyRemoved',
  passkey_cloned: 'changes.passkeyCloned',
  push_on: 'changes.pushOn',
  push_off: 'changes.pushOff',
  push_chosen: 'changes.pushChosen',
  factor_on: 'changes.factorOn',
  factor_off: 'changes.factorOff',
  recovery_renewed: 'changes.recoveryRenewed',
  recovery_used: 'changes.recoveryUsed',
  email_changed: 'changes.emailChanged',
  email_restored: 'changes.emailRestored',
  account_locked: 'changes.accountLocked',
  password_changed: 'changePassword.done',
  security_code_changed: 'securityCode.saved',
  code_reset: 'changes.codeReset',
  password_required: 'changes.passwordRequired',
  signed_out: 'changes.signedOut',
}

function ChangeRow({ change }: { change: ProtectionChange }) {
  const t = useText()
  const when = useTimeFormat()
  const { nameOf, farAway } = useLimitWords()
  const { createtime, what, kind, period, before, after, until, name } = change
  const word = WORDS[what]

  function amount(value: string | null): string {
    if (value === null) return t('check.nothing')
    return `${amountText(amountFromWire(value), { tag: when.tag, decimals: 'two' })}\u00a0u`
  }

  function minutes(value: string | null): string {
    return value === null ? t('changes.usual') : t('changes.minutes', { count: Number(value) })
  }

  const parts = []
  if (kind && period) parts.push(nameOf({ kind, period }), `${amount(before)} → ${amount(after)}`)
  if (what === 'check_set') parts.push(`${minutes(before)} → ${minutes(after)}`)
  if (name !== null && what !== 'recovery_used') parts.push(name)
  if (until !== null) parts.push(t('changes.until', { time: farAway(until * 1_000) }))
  return (
    <ListRow
      title={word ? t(word) : t('changes.other')}
      note={parts.length > 0 && parts.join(' · ')}
      end={clockTimeText(createtime * 1_000, when)}
    />
  )
}

const changesQuery = infiniteQueryOptions({
  queryKey: ['protection-changes'],
  initialPageParam: 1,
  staleTime: 0,
  getNextPageParam: (last: ListPage<ProtectionChange>) => pageAfter(last),
  queryFn: ({ pageParam, signal }): Promise<ListPage<ProtectionChange>> => {
    const page = { page: pageParam, limit: PAGE_SIZE }
    return call(protectionChanges, page, { signal })
  },
})

/** With `name` of a passkey, or a new address; `kind` and `period` of a limit. */
type ProtectionChange = ReplyOf<typeof protectionChanges>['list'][number]
