import { Alert, Card, Chip, Stack, Typography } from '@mui/material'
import {
  openBetting,
  STOP_REASONS,
  type StopState,
  stopBetting,
  stops,
} from '@sum28/contract/staff-house-routes.ts'
import { useTranslate } from 'react-admin'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton } from '#src/parts/action-button.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { MomentText } from '#src/parts/values.tsx'

const REASONS = STOP_REASONS.map((value) => ({ value, label: `areas.games.reasons.${value}` }))

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
      <Card sx={{ padding: 2 }}>
        <Line name={translate('areas.games.all')} subject={{ scope: 'all' }} {...state} />
      </Card>
      {state.games.map((game) => (
        <Card key={game.id} component="section" sx={{ padding: 2 }}>
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

type LineProps = {
  name: string
  subject: { scope: 'all' | 'game' | 'room'; id?: number }
  stopped: boolean
  stop: StopState['stop']
  heading?: boolean
}

function Line({ name, subject, stopped, stop, heading = false }: LineProps) {
  const translate = useTranslate()
  return (
    <Stack direction="row" sx={{ gap: 2, alignItems: 'center', minHeight: 40 }}>
      <Typography variant={heading ? 'h2' : 'body1'} sx={{ flex: 1 }}>
        {name}
      </Typography>
      {stop && (
        <Typography variant="body2" color="textSecondary">
          {translate(`areas.games.reasons.${stop.reason}`)} {stop.note} · {stop.stopped_by} ·{' '}
          <MomentText at={stop.stopped_at} />
        </Typography>
      )}
      <Chip
        size="small"
        variant="outlined"
        color={stopped ? 'error' : 'success'}
        label={translate(stopped ? 'areas.games.stopped' : 'areas.games.open')}
      />
      {stopped ? (
        <ActionButton
          route={openBetting}
          request={subject}
          label="areas.games.reopen"
          done="areas.games.opened"
        >
          {name}
        </ActionButton>
      ) : (
        <ActionButton
          route={stopBetting}
          request={subject}
          label="areas.games.stop"
          done="areas.games.isStopped"
          tone="error"
          fields={[
            {
              name: 'reason',
              label: 'areas.games.reason',
              choices: REASONS,
              initial: 'maintenance',
            },
            { name: 'note', label: 'areas.games.note', optional: true, long: true },
          ]}
        >
          {name}
        </ActionButton>
      )}
    </Stack>
  )
}
