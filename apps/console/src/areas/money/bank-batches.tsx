import { Alert, Box, Button, Card, Chip, Stack, Typography } from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import {
  answerBankBatch,
  BATCH_STATES,
  type BankBatch,
  type BankPayment,
  bankBatchFile,
  cancelBankBatch,
  makeBankBatch,
  oneBankBatch,
  releaseBankBatch,
} from '@sum28/contract/staff-bank-routes.ts'
import { useFilePicker } from '@sum28/ui/file-picker.tsx'
import { useState } from 'react'
import { TopToolbar, useRefresh, useTranslate } from 'react-admin'
import { Link, useParams } from 'react-router'
import { ReleasePayment } from '#src/areas/money/withdrawal-parts.tsx'
import { useMay, useSession } from '#src/data/session.ts'
import { useAction } from '#src/data/use-action.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, REASON } from '#src/parts/action-button.tsx'
import { Col, LinkCol, MomentCol, MoneyCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { DownloadButton } from '#src/parts/download-button.tsx'
import { Facts } from '#src/parts/facts.tsx'
import { searchFilter, stateFilter, turnFilter } from '#src/parts/filters.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { PlainTable, scrolled } from '#src/parts/plain-table.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { MomentText, MoneyText } from '#src/parts/values.tsx'

/** The page of one batch: its file, the bank's answer, its payments. */
export function BankBatchShow() {
  const translate = useTranslate()
  const { id = '' } = useParams()
  const answer = useReply(oneBankBatch, { id: Number(id) }, { everyMs: 15_000 })
  return (
    <Page title={`${translate('areas.money.batch')} ${id}`}>
      <Loaded answer={answer}>{(batch) => <Shown batch={batch} />}</Loaded>
    </Page>
  )
}

/** The state of a batch; of an open one, whether the bank can have its file. */
function stateText({ state, file_taken_by: taker }: BankBatch): string {
  const isUntaken = state === 'open' && taker === null
  return `areas.money.batchState.${isUntaken ? 'untaken' : state}`
}

function Shown({ batch }: { batch: ReplyOf<typeof oneBankBatch> }) {
  const translate = useTranslate()
  const may = useMay()
  const self = useSession()?.name
  const refresh = useRefresh()
  const { id, state, ended_at: endedAt, file_taken_by: taker, file_taken_at: takenAt } = batch
  const isOthers = taker !== null && taker !== self
  const out = batch.list.filter((each) => each.state === 'sent' && each.obstacle !== null)
  // Who approved one of its payments does not take over what another has.
  const isBarred = isOthers && out.some(({ obstacle }) => obstacle === 'approved_by_you')
  const hasFile = may(bankBatchFile.action) && state === 'open' && !isBarred
  const taken = taker !== null && takenAt !== null && (
    <>
      {translate('areas.money.fileTaken', { name: taker })} <MomentText at={takenAt} />
    </>
  )
  return (
    <>
      <Card sx={{ padding: 2, display: 'grid', gap: 2 }}>
        <Facts
          texts="resources.bank-batches.fields"
          facts={[
            ['id', id],
            ['kind', translate(`areas.money.batchKind.${batch.kind}`)],
            ['state', translate(stateText(batch))],
            ['payments', batch.payments],
            ['quantity', <MoneyText key="quantity" value={batch.quantity} />],
            ['paid', batch.paid],
            ['failed', batch.failed],
            ['made_by', batch.made_by],
            ['made_at', <MomentText key="made" at={batch.made_at} />],
            ['file_taken', taken || null],
            ['ended_by', batch.ended_by],
            ['ended_at', endedAt === null ? null : <MomentText key="ended" at={endedAt} />],
            ['cancel_reason', batch.cancel_reason],
          ]}
        />
        {hasFile && (
          <Typography variant="body2">
            <InFile payments={batch.list} />
          </Typography>
        )}
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          {hasFile && (
            <DownloadButton
              download={bankBatchFile}
              request={{ id, ...(isOthers && { taken_from: taker }) }}
              label={isOthers ? 'areas.money.takeBatchOver' : 'areas.money.batchFile'}
              question={
                taken ? (
                  <>
                    {taken}. {translate('areas.money.fileTakenSays')}
                  </>
                ) : (
                  out.length > 0 && (
                    <>
                      <InFile payments={batch.list} /> {translate('areas.money.dropOut')}
                    </>
                  )
                )
              }
              then={refresh}
            />
          )}
          {state === 'open' && <SendBankAnswer batch={id} />}
          <Cancel batch={batch} />
          <ReleaseAll batch={batch} />
        </Box>
      </Card>
      <BankPayments payments={batch.list} />
    </>
  )
}

/** How many payments the file has, and how many it leaves out for each reason. */
function InFile({ payments }: { payments: readonly BankPayment[] }) {
  const translate = useTranslate()
  const sent = payments.filter(({ state }) => state === 'sent')
  const count = (why: BankPayment['obstacle']) =>
    sent.filter(({ obstacle }) => obstacle === why).length
  const left = {
    frozen: count('account_frozen'),
    held: count('withdrawal_on_hold'),
    own: count('approved_by_you'),
  }
  const has = translate('areas.money.fileHas', { smart_count: count(null) })
  return count(null) === sent.length ? has : `${has} ${translate('areas.money.fileLeaves', left)}`
}

/** Cancels a batch that the bank has not answered; for its maker only if he has its file, and for nobody while a payer has. */
function Cancel({ batch }: { batch: ReplyOf<typeof oneBankBatch> }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { id, state, paid, failed, made_by: maker, file_taken_by: taker } = batch
  const isOthers = taker !== null && taker !== self && !batch.file_taker_left
  const isNotYetTaken = taker === null && maker === self
  if (state !== 'open' || paid + failed > 0 || isNotYetTaken || isOthers) return null
  return (
    <ActionButton
      route={cancelBankBatch}
      request={{ id }}
      label="areas.money.cancelBatch"
      done="areas.money.batchCancelled"
      tone="error"
      fields={[REASON]}
    >
      {translate('areas.money.cancelBatchSays')}
    </ActionButton>
  )
}

/** Releases what is left of a cancelled batch into the next one; not for the person who cancelled it. */
function ReleaseAll({
  batch: { id, state, ended_by: canceller, ended_at: end, list },
}: {
  batch: ReplyOf<typeof oneBankBatch>
}) {
  const translate = useTranslate()
  const self = useSession()?.name
  const isLeft = list.some(({ denied_at: at }) => at !== null && at <= (end ?? 0))
  if (state !== 'cancelled' || canceller === self || !isLeft) return null
  return (
    <ActionButton
      route={releaseBankBatch}
      request={{ id }}
      label="areas.money.releaseBatch"
      done="areas.money.batchReleased"
    >
      {translate('areas.money.releaseBatchSays')}
    </ActionButton>
  )
}

type Checked = { file: File; taken: ReplyOf<typeof answerBankBatch> }

/** Checks the bank's answer file, shows all its wrong lines or its sums, and records it once that is accepted. */
function SendBankAnswer({ batch: id }: { batch: number }) {
  const translate = useTranslate()
  const may = useMay()
  const checking = useAction(answerBankBatch)
  const recording = useAction(answerBankBatch, { done: 'areas.money.answerTaken' })
  const [checked, setChecked] = useState<Checked | null>(null)
  const pending = checking.pending || recording.pending

  async function check(file: File): Promise<void> {
    setChecked(null)
    const done = await checking.act({ id, check: 1 }, file)
    if (done) setChecked({ file, taken: done.reply })
  }

  async function accept({ file }: Checked): Promise<void> {
    if (await recording.act({ id }, file)) setChecked(null)
  }

  const label = translate('areas.money.sendAnswer')
  const [input, choose] = useFilePicker({ accept: '.csv,text/csv', label, onFile: check })
  if (!may(answerBankBatch.action)) return null
  return (
    <>
      <Button loading={pending} onClick={choose}>
        {label}
      </Button>
      {input}
      {checked && (
        <CheckedAnswer checked={checked} pending={pending} accept={() => void accept(checked)} />
      )}
    </>
  )
}

function CheckedAnswer({
  checked: { file, taken },
  pending,
  accept,
}: {
  checked: Checked
  pending: boolean
  accept: () => void
}) {
  const translate = useTranslate()
  if (taken.faults.length > 0) {
    return (
      <Alert severity="error" sx={{ flexBasis: '100%' }}>
        {translate('areas.money.answerWrong', { name: file.name })}
        <Box component="ul" sx={{ margin: 0, paddingInlineStart: 2 }}>
          {taken.faults.map(({ line, problem }) => (
            <li key={line}>{translate('areas.money.answerLine', { line, problem })}</li>
          ))}
        </Box>
      </Alert>
    )
  }
  return (
    <Alert
      severity="info"
      role="alert"
      sx={{ flexBasis: '100%' }}
      action={
        <Button variant="contained" loading={pending} onClick={accept}>
          {translate('areas.money.acceptAnswer')}
        </Button>
      }
    >
      {translate('areas.money.answerChecked', { ...taken, name: file.name })}{' '}
      <MoneyText value={taken.quantity} />
    </Alert>
  )
}

/** Releases a failed payment into the next batch; not for the person who uploaded the bank's answer. */
function Release({ payment }: { payment: BankPayment }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { withdrawal_id: id, denied_at: at, answered_by: taker, released_by: releaser } = payment
  if (releaser !== null) return translate('areas.money.releasedBy', { name: releaser })
  if (at === null || taker === self) return null
  return <ReleasePayment id={id} deniedAt={at} />
}

/** The payments of a batch, with the bank's answer for each. */
function BankPayments({ payments }: { payments: readonly BankPayment[] }) {
  const translate = useTranslate()
  return (
    <Card sx={{ overflowX: 'auto' }} {...scrolled(translate('areas.money.batch'))}>
      <PlainTable
        rows={payments}
        keyOf={({ withdrawal_id: id }) => id}
        columns={[
          {
            heading: 'areas.money.paymentFields.withdrawal_id',
            show: ({ withdrawal_id: id }) => <Link to={`/withdrawals/${id}/show`}>{id}</Link>,
          },
          { heading: 'areas.money.paymentFields.username', show: ({ username }) => username },
          {
            heading: 'areas.money.paymentFields.quantity',
            show: ({ quantity }) => <MoneyText value={quantity} />,
            right: true,
          },
          { heading: 'areas.money.paymentFields.payee', show: ({ payee }) => payee },
          {
            heading: 'areas.money.paymentFields.state',
            show: ({ state }) => translate(`areas.money.paymentState.${state}`),
          },
          {
            heading: 'areas.money.paymentFields.answer',
            show: (payment) => <BankAnswer payment={payment} />,
          },
        ]}
      />
    </Card>
  )
}

function BankAnswer({ payment }: { payment: BankPayment }) {
  const translate = useTranslate()
  const { obstacle, state, reference, reason } = payment
  return (
    <Stack direction="row" sx={{ gap: 2, alignItems: 'center', minWidth: '10rem' }}>
      <span>
        {obstacle !== null && state === 'sent'
          ? translate(`areas.money.stopped.${obstacle}`)
          : (reference ?? reason ?? '—')}
      </span>
      <Release payment={payment} />
    </Stack>
  )
}

const FILTERS = [
  searchFilter('areas.money.searchBatches'),
  stateFilter(BATCH_STATES, 'areas.money.batchState'),
  turnFilter(),
]

const BATCH_TONES = { open: 'warning', done: 'success', cancelled: 'default' } as const

/** Batches for the bank, and for the operator's wallet. */
export function BankBatchList() {
  const translate = useTranslate()
  return (
    <DataList filters={FILTERS} actions={<Make />} refreshMs={15_000}>
      <Rows opens>
        <LinkCol sorts />
        <StateCol source="kind" texts="areas.money.batchKind" tones={{}} />
        <Col source="payments" align="right" />
        <MoneyCol source="quantity" />
        <Col source="paid" align="right" />
        <Col source="failed" align="right" />
        <Col source="made_by" />
        <MomentCol source="made_at" />
        <Col source="file_taken_by" />
        <Col
          source="state"
          render={(batch: BankBatch) => (
            <Chip color={BATCH_TONES[batch.state]} label={translate(stateText(batch))} />
          )}
        />
      </Rows>
    </DataList>
  )
}

function Make() {
  const translate = useTranslate()
  return (
    <TopToolbar>
      <ActionButton
        route={makeBankBatch}
        request={{}}
        label="areas.money.makeBatch"
        done="areas.money.batchMade"
      >
        {translate('areas.money.makeBatchSays')}
      </ActionButton>
      <ActionButton
        route={makeBankBatch}
        request={{ kind: 'wallet' }}
        label="areas.money.makeWalletBatch"
        done="areas.money.batchMade"
      >
        {translate('areas.money.makeWalletBatchSays')}
      </ActionButton>
    </TopToolbar>
  )
}
