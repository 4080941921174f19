import { Alert, Card, Stack, Typography } from '@mui/material'
import { listRooms } from '@sum28/contract/staff-games-routes.ts'
import { robots, setRobots } from '@sum28/contract/staff-house-routes.ts'
import { useTranslate } from 'react-admin'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton } from '#src/parts/action-button.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'

/** How many house robots each room has. */
export function RobotsPage() {
  const translate = useTranslate()
  const answer = useReply(robots, {})
  const { data: known = [] } = useReply(listRooms, {})
  const names = new Map(known.map(({ game_id: id, game_name: name }) => [id, name]))
  return (
    <Page title="areas.games.robots">
      <Loaded answer={answer}>
        {({ on, rooms }) => (
          <>
            {!on && <Alert severity="info">{translate('areas.games.robotsOff')}</Alert>}
            <Card sx={{ padding: 2, maxWidth: '40rem' }}>
              {rooms.map(({ id, game_id: game, title, robots: number }) => (
                <Stack
                  key={id}
                  direction="row"
                  sx={{ gap: 2, alignItems: 'center', minHeight: 40 }}
                >
                  <Typography sx={{ flex: 1 }}>
                    {translate('areas.games.roomOf', { game: names.get(game) ?? game, title })}
                  </Typography>
                  <span className="num">{number}</span>
                  <ActionButton
                    route={setRobots}
                    request={{ plan_id: id }}
                    label="areas.games.setRobots"
                    done="areas.games.robotsSet"
                    fields={[
                      { name: 'robots', label: 'areas.games.number', initial: String(number) },
                    ]}
                  >
                    {translate('areas.games.roomOf', { game: names.get(game) ?? game, title })}
                  </ActionButton>
                </Stack>
              ))}
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  )
}
