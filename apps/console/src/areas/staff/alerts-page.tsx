import {
  Alert,
  Box,
  Button,
  Card,
  Checkbox,
  Chip,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  FormControlLabel,
  FormGroup,
  Stack,
  TextField,
  Typography,
} from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import {
  ALERT_KINDS,
  type AlertKind,
  addWebhook,
  chooseAlerts,
  listWebhooks,
  ownAlerts,
  removeWebhook,
} from '@sum28/contract/staff-start-routes.ts'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { useMay, useSession } from '#src/data/session.ts'
import { useAction } from '#src/data/use-action.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton } from '#src/parts/action-button.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { type PlainColumn, PlainTable, scrolled } from '#src/parts/plain-table.tsx'
import { MomentText } from '#src/parts/values.tsx'

/** What the user is told of by mail, and, for owners and auditors, the webhooks of the house. */
export function AlertsPage() {
  const translate = useTranslate()
  const answer = useReply(ownAlerts, {})
  const email = useSession()?.email
  const may = useMay()
  return (
    <Page title="areas.staff.alerts">
      <Card sx={{ padding: 2, display: 'grid', gap: 2 }}>
        <Typography variant="h2">{translate('areas.staff.byMail')}</Typography>
        {email === null && <Alert severity="warning">{translate('areas.staff.noEmail')}</Alert>}
        <Loaded answer={answer}>
          {({ list }) =>
            list.length === 0 ? (
              <Typography>{translate('areas.staff.noAlerts')}</Typography>
            ) : (
              <Choices key={JSON.stringify(list)} list={list} />
            )
          }
        </Loaded>
      </Card>
      {may('alerts.read') && <Webhooks />}
    </Page>
  )
}

function Choices({ list }: ReplyOf<typeof ownAlerts>) {
  const translate = useTranslate()
  const { act, pending } = useAction(chooseAlerts, { done: 'areas.staff.alertsChosen' })
  const [kinds, setKinds] = useState(list.filter(({ chosen }) => chosen).map(({ kind }) => kind))
  return (
    <>
      <KindBoxes of={list.map(({ kind }) => kind)} chosen={kinds} choose={setKinds} />
      <Button
        variant="contained"
        loading={pending}
        onClick={() => void act({ kinds: kinds.join(',') })}
        sx={{ justifySelf: 'start' }}
      >
        {translate('ra.action.save')}
      </Button>
    </>
  )
}

function KindBoxes({
  of,
  chosen,
  choose,
}: {
  of: readonly AlertKind[]
  chosen: readonly AlertKind[]
  choose: (kinds: AlertKind[]) => void
}) {
  const translate = useTranslate()
  return (
    <FormGroup>
      {of.map((kind) => (
        <FormControlLabel
          key={kind}
          label={translate(`areas.staff.alert.${kind}`)}
          control={
            <Checkbox
              checked={chosen.includes(kind)}
              onChange={({ target }) =>
                choose(
                  target.checked ? [...chosen, kind] : chosen.filter((other) => other !== kind),
                )
              }
            />
          }
        />
      ))}
    </FormGroup>
  )
}

function Webhooks() {
  const translate = useTranslate()
  const answer = useReply(listWebhooks, {}, { everyMs: 15_000 })
  return (
    <Card
      sx={{ padding: 2, display: 'grid', gap: 2, overflow: 'auto' }}
      {...scrolled(translate('areas.staff.webhooks'))}
    >
      <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 2 }}>
        <Typography variant="h2">{translate('areas.staff.webhooks')}</Typography>
        <AddWebhook />
      </Stack>
      <Typography color="textSecondary">{translate('areas.staff.webhooksText')}</Typography>
      <Loaded answer={answer}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <Typography>{translate('areas.staff.noWebhooks')}</Typography>
          ) : (
            <PlainTable
              label="areas.staff.webhooks"
              rows={webhooks}
              keyOf={({ id }) => id}
              columns={WEBHOOK_COLUMNS}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

type Webhook = ReplyOf<typeof listWebhooks>[number]

const WEBHOOK_COLUMNS: readonly PlainColumn<Webhook>[] = [
  {
    heading: 'areas.staff.url',
    show: ({ url, made_by: by, made_at: at }) => (
      <Box sx={{ overflowWrap: 'anywhere' }}>
        {url}
        <Typography variant="caption" color="textSecondary" component="div">
          {by} · <MomentText at={at} />
        </Typography>
      </Box>
    ),
  },
  {
    heading: 'areas.staff.alerts',
    show: ({ kinds }) => kinds.map((kind) => <Kind key={kind} kind={kind} />),
  },
  { heading: 'console.state', show: (webhook) => <WebhookState webhook={webhook} /> },
  {
    heading: 'console.actions',
    show: ({ id, url }) => (
      <ActionButton
        route={removeWebhook}
        request={{ id }}
        label="areas.staff.remove"
        done="areas.staff.removed"
        tone="error"
      >
        {url}
      </ActionButton>
    ),
  },
]

function Kind({ kind }: { kind: AlertKind }) {
  const translate = useTranslate()
  return <div>{translate(`areas.staff.alert.${kind}`)}</div>
}

function WebhookState({ webhook }: { webhook: Webhook }) {
  const translate = useTranslate()
  const { failure, failed_since: since, waiting } = webhook
  if (failure === null) {
    return <Chip color="success" label={translate('areas.staff.works')} />
  }
  return (
    <>
      {translate('areas.staff.fails', { failure, waiting })}
      {since !== null && (
        <Typography variant="caption" component="div">
          <MomentText at={since} />
        </Typography>
      )}
    </>
  )
}

function AddWebhook() {
  const translate = useTranslate()
  const may = useMay()
  const [open, setOpen] = useState(false)
  if (!may(addWebhook.action)) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>{translate('areas.staff.addWebhook')}</Button>
      {open && <AddDialog close={() => setOpen(false)} />}
    </>
  )
}

function AddDialog({ close }: { close: () => void }) {
  const translate = useTranslate()
  const { act, pending, failure } = useAction(addWebhook)
  const [url, setUrl] = useState('')
  const [kinds, setKinds] = useState<AlertKind[]>([...ALERT_KINDS])
  const [secret, setSecret] = useState<string | null>(null)

  async function submit() {
    const done = await act({ url, kinds: kinds.join(',') })
    if (done) setSecret(done.reply.secret)
  }

  return (
    <Dialog open onClose={pending || secret ? undefined : close} fullWidth maxWidth="sm">
      <DialogTitle>{translate('areas.staff.addWebhook')}</DialogTitle>
      <DialogContent>
        <Stack sx={{ gap: 2, paddingTop: 1 }}>
          {secret === null ? (
            <>
              <TextField
                name="url"
                label={translate('areas.staff.url')}
                value={url}
                onChange={({ target }) => setUrl(target.value)}
                error={failure?.fields.url !== undefined}
                helperText={failure?.fields.url}
                autoFocus
              />
              <KindBoxes of={ALERT_KINDS} chosen={kinds} choose={setKinds} />
              {failure?.fields.kinds && <Alert severity="error">{failure.fields.kinds}</Alert>}
            </>
          ) : (
            <>
              <Typography>{translate('areas.staff.secretText')}</Typography>
              <Typography component="code" sx={{ overflowWrap: 'anywhere' }}>
                {secret}
              </Typography>
            </>
          )}
        </Stack>
      </DialogContent>
      <DialogActions>
        {secret === null ? (
          <>
            <Button variant="text" onClick={close} disabled={pending}>
              {translate('ra.action.cancel')}
            </Button>
            <Button variant="contained" loading={pending} onClick={() => void submit()}>
              {translate('areas.staff.addWebhook')}
            </Button>
          </>
        ) : (
          <Button variant="contained" onClick={close}>
            {translate('areas.staff.kept')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
