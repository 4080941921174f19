import { Button, Typography } from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { type listRooms, type RoomTerms, showRoom } from '@sum28/contract/staff-games-routes.ts'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { Link, useParams } from 'react-router'
import { TermsForm } from '#src/areas/games/terms-form.tsx'
import { ProposalsAbout } from '#src/areas/proposals/proposal-parts.tsx'
import { useReply } from '#src/data/use-reply.ts'
import { Col, LinkCol, MoneyCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { StaleAlert } from '#src/parts/stale-alert.tsx'
import { StateChip } from '#src/parts/values.tsx'

/** Other members of staff may change the room meanwhile. */
const LIVE = { everyMs: 15_000 }

/** One room: its limits and odds, and the pending change. */
export function RoomPage() {
  const id = Number(useParams().id)
  const translate = useTranslate()
  const answer = useReply(showRoom, { id }, LIVE)
  return (
    <Page
      title={
        answer.data
          ? translate('areas.games.roomOf', {
              game: answer.data.game_name,
              title: answer.data.title,
            })
          : 'areas.games.room'
      }
      aside={
        <Button component={Link} to={historyOf(id)}>
          {translate('areas.games.history')}
        </Button>
      }
    >
      <Loaded answer={answer}>
        {(room) => (
          <>
            <Typography variant="h2">
              {translate('areas.games.roomOf', { game: room.game_name, title: room.title })} ·{' '}
              {translate('areas.games.version', { version: room.rules_version })}
            </Typography>
            {room.waiting && (
              <ProposalsAbout request={{ subject: `room:${id}`, state: room.waiting }} />
            )}
            <Terms key={room.id} room={room} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** The list of the room's changes. */
function historyOf(id: number): string {
  return `/proposals?filter=${encodeURIComponent(JSON.stringify({ subject: `room:${id}` }))}`
}

/** The form of the terms as they were loaded first; a warning shows that other terms are in force now. */
function Terms({ room }: { room: RoomTerms }) {
  const translate = useTranslate()
  const [seen, setSeen] = useState(room)
  const stale = seen.rules_version !== room.rules_version
  return (
    <>
      {stale && (
        <StaleAlert label="areas.games.takePresent" onReload={() => setSeen(room)}>
          {translate('areas.games.stale', { version: room.rules_version })}
        </StaleAlert>
      )}
      <TermsForm room={seen} now={room} />
    </>
  )
}

type Listed = ReplyOf<typeof listRooms>[number]

const WAITS = { proposed: 'warning', confirmed: 'warning' } as const

/** Rooms with their limits; each opens its page. */
export function RoomList() {
  return (
    <DataList>
      <Rows opens>
        <LinkCol />
        <Col source="title" render={(room: Listed) => `${room.game_name} · ${room.title}`} />
        <MoneyCol source="entry_min" />
        <MoneyCol source="stake_min" />
        <MoneyCol source="stake_max" />
        <Col source="rules_version" align="right" />
        <Col
          source="waiting"
          render={({ waiting }: Listed) =>
            waiting ? (
              <StateChip source="waiting" texts="areas.proposals.state" tones={WAITS} />
            ) : (
              '—'
            )
          }
        />
      </Rows>
    </DataList>
  )
}
