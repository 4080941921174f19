import { Alert, Card, Chip, Stack, Typography } from '@mui/material'
import {
  cancelPlannedStop,
  openBetting,
  planStop,
  STOP_REASONS,
  type StopState,
  stopBetting,
  stops,
} from '@sum28/contract/staff-house-routes.ts'
import { useTranslate } from 'react-admin'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { MomentText } from '#src/parts/values.tsx'

const REASONS = STOP_REASONS.map((value) => ({ value, label: `areas.games.reasons.${value}` }))

const PLAN: readonly ActionField[] = [
  { name: 'begins_at', label: 'areas.games.stopsAt', type: 'time' },
  { name: 'ends_at', label: 'areas.games.opensAt', type: 'time' },
  { name: 'told', label: 'areas.games.told', hint: 'areas.games.toldHint', long: true },
]

/** Not wider than one reads across, from a name to its buttons. */
const CARD = { padding: 2, maxWidth: '60rem' }

/** Stops and opens betting: all of it, a game, or a room. */
export function StopsPage() {
  const answer = useReply(stops, {}, { everyMs: 15_000 })
  return (
    <Page title="areas.games.stops">
      <Loaded answer={answer}>{(state) => <Stops state={state} />}</Loaded>
    </Page>
  )
}

function Stops({ state }: { state: StopState }) {
  const translate = useTranslate()
  return (
    <>
      {state.clocks_apart_since !== null && (
        <Alert severity="error">
          {translate('areas.games.clocksApart')} <MomentText at={state.clocks_apart_since} />
        </Alert>
      )}
      <Planned state={state} />
      <Card sx={CARD}>
        <Line
          name={translate('areas.games.all')}
          subject={{ scope: 'all' }}
          byClocks={state.clocks_apart_since !== null}
          {...state}
        />
      </Card>
      {state.games.map((game) => (
        <Card key={game.id} component="section" sx={CARD}>
          <Line {...game} subject={{ scope: 'game', id: game.id }} heading />
          {game.rooms.map((room) => (
            <Line
              key={room.id}
              name={`${game.name} · ${room.title}`}
              subject={{ scope: 'room', id: room.id }}
              {...room}
            />
          ))}
        </Card>
      ))}
    </>
  )
}

/** The stops that begin and end by themselves. */
function Planned({ state: { planned, games } }: { state: StopState }) {
  const translate = useTranslate()
  if (planned.length === 0) return null
  const names = new Map<string, string>([
    ['all 0', translate('areas.games.all')],
    ...games.flatMap(({ id, name, rooms }): [string, string][] => [
      [`game ${id}`, name],
      ...rooms.map((room): [string, string] => [`room ${room.id}`, `${name} · ${room.title}`]),
    ]),
  ])
  return (
    <Card component="section" sx={CARD}>
      <Typography variant="h2">{translate('areas.games.planned')}</Typography>
      {planned.map(({ id, scope, subject_id: subject, told, ...plan }) => (
        <Stack
          key={id}
          direction="row"
          sx={{ gap: 2, alignItems: 'center', minHeight: 40, flexWrap: 'wrap' }}
        >
          <Typography sx={{ flex: 1, minWidth: '12rem' }}>
            {names.get(`${scope} ${subject}`)}: {told}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            <MomentText at={plan.begins_at} /> – <MomentText at={plan.ends_at} /> ·{' '}
            {plan.planned_by}
          </Typography>
          {plan.begun ? (
            <Chip color="error" label={translate('areas.games.begun')} />
          ) : (
            <ActionButton
              route={cancelPlannedStop}
              request={{ id }}
              label="areas.games.cancelPlanned"
              done="areas.games.plannedCancelled"
              tone="error"
            >
              {told}
            </ActionButton>
          )}
        </Stack>
      ))}
    </Card>
  )
}

type LineProps = {
  name: string
  subject: { scope: 'all' | 'game' | 'room'; id?: number }
  stopped: boolean
  stop: StopState['stop']
  /** Whether the clocks stop it: that ends by itself, and a person can stop it too. */
  byClocks?: boolean
  heading?: boolean
}

function Line({ name, subject, stopped, stop, byClocks = false, heading = false }: LineProps) {
  const translate = useTranslate()
  const isStopped = stopped || byClocks
  const facts = (
    <>
      {name}
      {stop && (
        <p>
          <StopText stop={stop} />
        </p>
      )}
    </>
  )
  return (
    <Stack direction="row" sx={{ gap: 2, alignItems: 'center', minHeight: 40, flexWrap: 'wrap' }}>
      <Typography variant={heading ? 'h2' : 'body1'} sx={{ flex: 1, minWidth: '12rem' }}>
        {name}
      </Typography>
      {stop && (
        <Typography variant="body2" color="textSecondary">
          <StopText stop={stop} />
        </Typography>
      )}
      <Chip
        color={isStopped ? 'error' : 'success'}
        label={translate(isStopped ? 'areas.games.stopped' : 'areas.games.open')}
        sx={{ marginInlineStart: 'auto' }}
      />
      <ActionButton
        route={planStop}
        request={subject}
        label="areas.games.planStop"
        done="areas.games.stopPlanned"
        fields={PLAN}
      >
        {name}
        <p>{translate('areas.games.planText')}</p>
      </ActionButton>
      <ActionButton
        route={stopBetting}
        request={subject}
        label="areas.games.stop"
        done="areas.games.isStopped"
        tone="error"
        fields={[
          {
            name: 'reason',
            label: 'console.reason',
            choices: REASONS,
            initial: stop?.reason ?? 'maintenance',
          },
          {
            name: 'note',
            label: 'areas.games.note',
            optional: true,
            long: true,
            initial: stop?.note ?? '',
          },
        ]}
      >
        {facts}
      </ActionButton>
      {stopped && (
        <ActionButton
          route={openBetting}
          request={{ ...subject, stop_id: stop?.id }}
          label="areas.games.reopen"
          done="areas.games.opened"
        >
          {facts}
        </ActionButton>
      )}
    </Stack>
  )
}

/** Why something is stopped, by whom and since when. */
function StopText({ stop }: { stop: NonNullable<StopState['stop']> }) {
  const reason = useTranslate()(`areas.games.reasons.${stop.reason}`)
  return (
    <>
      {[reason, stop.note].filter(Boolean).join(': ')} · {stop.stopped_by} ·{' '}
      <MomentText at={stop.stopped_at} />
    </>
  )
}
