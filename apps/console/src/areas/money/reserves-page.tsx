import { Alert, Box, Card, Stack, Typography } from '@mui/material'
import type { OwedCountOnWire } from '@sum28/contract/fairness-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import {
  addReserveAddress,
  proposeBankBalance,
  readReserves,
  removeReserveAddress,
  reserveStatement,
} from '@sum28/contract/staff-reserve-routes.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { useTranslate } from 'react-admin'
import { useMay } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton } from '#src/parts/action-button.tsx'
import { Facts } from '#src/parts/facts.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { type PlainColumn, PlainTable, scrolled } from '#src/parts/plain-table.tsx'
import { MomentText, MoneyText } from '#src/parts/values.tsx'

type Reserves = ReplyOf<typeof readReserves>

/** What the house owes and holds, with its history, and its addresses on the chain. */
export function ReservesPage() {
  const translate = useTranslate()
  const answer = useReply(readReserves, {})
  const known = answer.data
  return (
    <Page
      title="areas.money.reserves.title"
      aside={
        known && (
          <>
            <AddAddress host={known.host} today={known.today} />
            <EnterBankBalance today={known.today} />
          </>
        )
      }
    >
      <Loaded answer={answer}>
        {(reserves) => (
          <>
            <Card sx={{ padding: 2 }}>
              <ReservesSummary counts={reserves.counts} />
            </Card>
            <Card sx={{ padding: 2, display: 'grid', gap: 2 }}>
              <Typography variant="h6" component="h2">
                {translate('areas.money.reserves.addresses')}
              </Typography>
              <AddressTable addresses={reserves.addresses} />
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** What is held of what is owed, in percent, rounded down: 99.99 is not all. Null if nothing is owed. */
function coverOf(count: OwedCountOnWire): number | null {
  const owed = amountFromWire(count.owed)
  const held = amountFromWire(count.on_chain) + amountFromWire(count.at_bank ?? '0.00')
  return owed === 0n ? null : Number((held * 1_000n) / owed) / 10
}

function coverText(count: OwedCountOnWire): string | null {
  const cover = coverOf(count)
  return cover === null ? null : `${cover.toFixed(1)}%`
}

const COUNTS_MS = 60_000

/** The last count of what is owed and held, with the history: for pages of figures. */
export function OwedAndHeld() {
  return useMay()('reserves.read') && <ReservesCard />
}

function ReservesCard() {
  const translate = useTranslate()
  const answer = useReply(readReserves, {}, { everyMs: COUNTS_MS })
  return (
    <Card component="section" sx={{ padding: 2 }}>
      <Typography variant="h2" sx={{ marginBottom: 2 }}>
        {translate('areas.money.reserves.title')}
      </Typography>
      <Loaded answer={answer}>{({ counts }) => <ReservesSummary counts={counts} />}</Loaded>
    </Card>
  )
}

const COUNT_COLUMNS: readonly PlainColumn<OwedCountOnWire>[] = [
  {
    heading: 'areas.money.reserves.fields.countedAt',
    show: ({ counted_at: at }) => <MomentText at={at} />,
  },
  {
    heading: 'areas.money.reserves.fields.owed',
    show: ({ owed }) => <MoneyText value={owed} />,
    right: true,
  },
  {
    heading: 'areas.money.reserves.fields.onChain',
    show: ({ on_chain: held }) => <MoneyText value={held} />,
    right: true,
  },
  {
    heading: 'areas.money.reserves.fields.atBank',
    show: ({ at_bank: held }) => held && <MoneyText value={held} />,
    right: true,
  },
  { heading: 'areas.money.reserves.history', show: coverText, right: true },
]

/** The last count, and all that are kept. */
function ReservesSummary({ counts }: { counts: readonly OwedCountOnWire[] }) {
  const translate = useTranslate()
  const [last] = counts
  if (!last) {
    return <Typography color="textSecondary">{translate('areas.money.reserves.none')}</Typography>
  }
  const cover = coverOf(last)
  return (
    <Stack sx={{ gap: 2 }}>
      <Alert severity={cover === null || cover >= 100 ? 'success' : 'error'}>
        {cover === null
          ? translate('areas.money.reserves.nothing')
          : translate('areas.money.reserves.cover', { cover: coverText(last) })}
      </Alert>
      <Facts
        texts="areas.money.reserves.fields"
        facts={[
          ['owed', <MoneyText key="owed" value={last.owed} />],
          ['onChain', <MoneyText key="chain" value={last.on_chain} />],
          ['atBank', last.at_bank && <MoneyText key="bank" value={last.at_bank} />],
          ['count', last.number],
          ['countedAt', <MomentText key="at" at={last.counted_at} />],
          ['block', last.block],
        ]}
      />
      <Box
        sx={{ maxHeight: '16rem', overflow: 'auto' }}
        {...scrolled(translate('areas.money.reserves.title'))}
      >
        <PlainTable rows={counts} keyOf={({ number }) => number} columns={COUNT_COLUMNS} />
      </Box>
    </Stack>
  )
}

function AddAddress({ host, today }: Pick<Reserves, 'host' | 'today'>) {
  const translate = useTranslate()
  const address = translate('areas.money.reserves.itsAddress')
  return (
    <ActionButton
      route={addReserveAddress}
      request={{ day: today }}
      label="areas.money.reserves.add"
      done="areas.money.reserves.added"
      fields={[
        { name: 'address', label: 'areas.money.reserves.address' },
        { name: 'signature', label: 'areas.money.reserves.signature', long: true },
      ]}
    >
      {translate('areas.money.reserves.sign')}
      <Box component="code" sx={{ display: 'block', marginTop: 1, overflowWrap: 'anywhere' }}>
        {reserveStatement({ host, address, day: today })}
      </Box>
    </ActionButton>
  )
}

function EnterBankBalance({ today }: Pick<Reserves, 'today'>) {
  const translate = useTranslate()
  return (
    <ActionButton
      route={proposeBankBalance}
      request={{}}
      label="areas.money.reserves.enterBank"
      done="areas.money.reserves.bankEntered"
      fields={[
        { name: 'money', label: 'areas.money.reserves.bankAmount' },
        { name: 'day', label: 'areas.money.reserves.bankDay', initial: today },
        { name: 'reason', label: 'areas.money.reserves.bankReason' },
      ]}
    >
      {translate('areas.money.reserves.bankText')}
    </ActionButton>
  )
}

/** A text without spaces that is broken anywhere, and not into a column of single letters. */
function Wrapped({ children }: { children: string }) {
  return (
    <Box sx={{ minWidth: '9rem', maxWidth: '28rem', overflowWrap: 'anywhere' }}>{children}</Box>
  )
}

function AddressTable({ addresses }: Pick<Reserves, 'addresses'>) {
  const translate = useTranslate()
  if (addresses.length === 0) {
    return (
      <Typography color="textSecondary">{translate('areas.money.reserves.noAddress')}</Typography>
    )
  }
  return (
    <Box sx={{ overflowX: 'auto' }} {...scrolled(translate('areas.money.reserves.addresses'))}>
      <PlainTable
        rows={addresses}
        keyOf={({ id }) => id}
        columns={[
          {
            heading: 'areas.money.reserves.address',
            show: ({ address }) => <Wrapped>{address}</Wrapped>,
          },
          {
            heading: 'areas.money.reserves.statement',
            show: ({ statement }) => <Wrapped>{statement}</Wrapped>,
          },
          {
            heading: 'areas.money.reserves.held',
            show: ({ quantity }) => quantity && <MoneyText value={quantity} />,
            right: true,
          },
          {
            heading: 'console.actions',
            show: ({ id, address }) => (
              <ActionButton
                route={removeReserveAddress}
                request={{ id }}
                label="areas.money.reserves.remove"
                done="areas.money.reserves.removed"
                tone="error"
              >
                {translate('areas.money.reserves.removeText', { address })}
              </ActionButton>
            ),
            right: true,
          },
        ]}
      />
    </Box>
  )
}
