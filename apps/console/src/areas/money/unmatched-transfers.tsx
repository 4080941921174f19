import ContentCopy from '@mui/icons-material/ContentCopy'
import { Alert, Box, Button, Card, IconButton, Stack } from '@mui/material'
import {
  assignTransfer,
  dismissTransfer,
  oneUnmatchedTransfer,
  reopenTransfer,
  UNMATCHED_STATES,
  type WireUnmatchedTransfer,
} from '@sum28/contract/staff-transfer-routes.ts'
import { copyText } from '@sum28/ui/copy-text.ts'
import { useNotify, useTranslate } from 'react-admin'
import { Link, useParams } from 'react-router'
import { TakeBack } from '#src/areas/money/propose-adjustment.tsx'
import { PLAYER } from '#src/areas/money/record-bank-deposit.tsx'
import { Transaction } from '#src/areas/money/transaction.tsx'
import { ProposalsAbout } from '#src/areas/proposals/proposal-parts.tsx'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, REASON } from '#src/parts/action-button.tsx'
import { Col, MoneyCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Facts } from '#src/parts/facts.tsx'
import { searchFilter, stateFilter, turnFilter } from '#src/parts/filters.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { Moment, MomentText, MoneyText } from '#src/parts/values.tsx'

/** The page of one transfer of no member. Its id is `<transaction>-<log>`. */
export function UnmatchedTransferShow() {
  const translate = useTranslate()
  const [tx = '', log = ''] = (useParams().id ?? '').split('-')
  const answer = useReply(oneUnmatchedTransfer, { tx_id: tx, log_index: Number(log) })
  return (
    <Page title={`${translate('areas.money.transfer')} ${tx.slice(0, 10)}…`}>
      <Loaded answer={answer}>{(transfer) => <Transfer transfer={transfer} />}</Loaded>
    </Page>
  )
}

function Transfer({ transfer }: { transfer: WireUnmatchedTransfer }) {
  const translate = useTranslate()
  const { tx_id: tx, log_index: log, user_id: player, explorer } = transfer
  return (
    <>
      <Card sx={{ padding: 2, display: 'grid', gap: 2 }}>
        <Facts
          texts="resources.unmatched-transfers.fields"
          width="20rem"
          facts={[
            ['from', <Copied key="from" text={transfer.from} />],
            ['to', <Copied key="to" text={transfer.to} />],
            ['tx_id', <Copied key="tx" text={tx} />],
            ['quantity', <MoneyText key="quantity" value={transfer.quantity} />],
            ['createtime', <MomentText key="at" at={transfer.createtime} />],
            ['block', <Copied key="block" text={String(transfer.block)} />],
            ['state', translate(`areas.money.state.${transfer.state}`)],
            [
              'username',
              player && (
                <Link key="player" to={`/players/${player}/show`}>
                  {transfer.username}
                </Link>
              ),
            ],
            ['reason', transfer.reason],
            ['proposed_by', transfer.proposed_by],
            ['decided_by', transfer.decided_by],
          ]}
        />
        <Ours transfer={transfer} />
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          {explorer && (
            <Button component="a" href={explorer} target="_blank" rel="noreferrer">
              {translate('areas.money.inExplorer')}
            </Button>
          )}
          <DecideTransfer transfer={transfer} />
        </Stack>
      </Card>
      <ProposalsAbout request={{ subject: `transfer:${tx}:${log}` }} />
    </>
  )
}

/** A text with a button that copies it. */
function Copied({ text }: { text: string }) {
  const translate = useTranslate()
  const notify = useNotify()
  return (
    <>
      {text}{' '}
      <IconButton
        size="small"
        aria-label={`${translate('areas.money.copy')} ${text}`}
        onClick={async () =>
          notify((await copyText(text)) ? 'areas.money.copied' : 'areas.money.notCopied')
        }
      >
        <ContentCopy fontSize="inherit" />
      </IconButton>
    </>
  )
}

/** Says that the house itself sent it, if it did. */
function Ours({ transfer }: { transfer: WireUnmatchedTransfer }) {
  const translate = useTranslate()
  return transfer.ours && <Alert severity="info">{translate('areas.money.ours')}</Alert>
}

/** What the dialogs say of the transfer. */
function About({ transfer }: { transfer: WireUnmatchedTransfer }) {
  return (
    <>
      <MoneyText value={transfer.quantity} /> · <MomentText at={transfer.createtime} />
      <Box sx={{ overflowWrap: 'anywhere' }}>
        {transfer.from} → {transfer.to}
      </Box>
      <Ours transfer={transfer} />
    </>
  )
}

/** Proposes the owner of a transfer, takes it back from the wrong one, dismisses it, or takes the dismissal back. */
function DecideTransfer({ transfer }: { transfer: WireUnmatchedTransfer }) {
  const { tx_id, log_index, ours, state, quantity, user_id, username, proposal } = transfer
  const key = { tx_id, log_index }
  const about = <About transfer={transfer} />
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      {state === 'waiting' && !ours && (
        <ActionButton
          route={assignTransfer}
          request={key}
          label="areas.money.assign"
          done="areas.money.proposed"
          fields={[PLAYER, { name: 'note', label: 'areas.money.evidence', long: true }]}
        >
          {about}
        </ActionButton>
      )}
      {(state === 'waiting' || state === 'proposed') && (
        <ActionButton
          route={dismissTransfer}
          request={key}
          label="areas.money.dismiss"
          done="areas.money.dismissed"
          tone="error"
          fields={[REASON]}
        >
          {about}
        </ActionButton>
      )}
      {state === 'assigned' && user_id && username && proposal && (
        <TakeBack deposit={{ user_id, username, quantity }} number={proposal} />
      )}
      {state === 'dismissed' && (
        <ActionButton
          route={reopenTransfer}
          request={key}
          label="areas.money.reopen"
          done="areas.money.reopened"
          fields={[REASON]}
        >
          {about}
        </ActionButton>
      )}
    </Stack>
  )
}

const FILTERS = [
  searchFilter('areas.money.searchTransfers'),
  stateFilter(UNMATCHED_STATES, 'areas.money.state'),
  turnFilter(),
]

/** Transfers of USDT to an address of the operator that are of no member. */
export function UnmatchedTransferList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'block', order: 'DESC' }} refreshMs={15_000}>
      <Rows opens>
        <Col
          source="tx_id"
          render={(transfer: WireUnmatchedTransfer) => (
            <Link to={`/unmatched-transfers/${transfer.tx_id}-${transfer.log_index}/show`}>
              <Transaction of={transfer} />
            </Link>
          )}
        />
        <MoneyCol source="quantity" />
        <Col sorts source="block" label="resources.unmatched-transfers.fields.createtime">
          <Moment source="createtime" />
        </Col>
        <StateCol
          source="state"
          texts="areas.money.state"
          tones={{ waiting: 'warning', proposed: 'warning', assigned: 'success' }}
        />
        <Col
          source="proposal"
          sx={{ minWidth: '10rem' }}
          render={({ username, reason, proposed_by: by }: WireUnmatchedTransfer) =>
            [username, reason, by].filter(Boolean).join(' · ')
          }
        />
        <Col
          label="console.actions"
          render={(transfer: WireUnmatchedTransfer) => <DecideTransfer transfer={transfer} />}
        />
      </Rows>
    </DataList>
  )
}
