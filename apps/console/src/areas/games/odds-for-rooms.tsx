/** The same odds for several rooms: one proposal of an owner, with before and after of each. */
import {
  Card,
  Checkbox,
  FormControlLabel,
  FormGroup,
  FormHelperText,
  FormLabel,
} from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { listRooms, proposeOdds, showRoom } from '@sum28/contract/staff-games-routes.ts'
import { formatOdds, parseOdds } from '@sum28/domain/odds.ts'
import { useTranslate } from 'react-admin'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, REASON } from '#src/parts/action-button.tsx'
import { Loaded } from '#src/parts/loaded.tsx'

export type ListedRoom = Pick<
  ReplyOf<typeof listRooms>[number],
  'id' | 'game_name' | 'title' | 'rules_version'
>

type ChooseRoomsProps = {
  /** The room whose odds are typed. */
  except: number
  chosen: readonly ListedRoom[]
  choose: (rooms: readonly ListedRoom[]) => void
  /** Whether limits are changed too, which each room has of its own. */
  disabled: boolean
}

/** Chooses the other rooms that get the odds that are typed. */
export function ChooseRooms({ except, chosen, choose, disabled }: ChooseRoomsProps) {
  const translate = useTranslate()
  const { data = [] } = useReply(listRooms, {})
  return (
    <Card sx={{ padding: 2 }} component="fieldset">
      <FormLabel component="legend" sx={{ float: 'left', width: '100%' }}>
        {translate('areas.games.sameOdds')}
      </FormLabel>
      <FormHelperText sx={{ clear: 'both' }}>
        {translate(disabled ? 'areas.games.limitsAlone' : 'areas.games.sameOddsText')}
      </FormHelperText>
      <FormGroup row>
        {data
          .filter(({ id }) => id !== except)
          .map((room) => {
            const name = nameOf(room)
            return (
              <FormControlLabel
                key={room.id}
                label={room.waiting ? translate('areas.games.changeWaits', { room: name }) : name}
                disabled={disabled || room.waiting !== null}
                control={
                  <Checkbox
                    checked={chosen.some(({ id }) => id === room.id)}
                    onChange={(_event, checked) =>
                      choose([
                        ...chosen.filter(({ id }) => id !== room.id),
                        ...(checked ? [room] : []),
                      ])
                    }
                  />
                }
              />
            )
          })}
      </FormGroup>
    </Card>
  )
}

function nameOf({ game_name: game, title }: ListedRoom): string {
  return `${game} · ${title}`
}

type ProposeOddsProps = {
  rooms: readonly ListedRoom[]
  /** Rules and their odds, `1:1.8,413:10`. */
  odds: string
  /** Called once it is proposed. */
  then: () => void
}

export function ProposeOdds({ rooms, odds, then }: ProposeOddsProps) {
  const translate = useTranslate()
  return (
    <ActionButton
      route={proposeOdds}
      request={{ rooms: rooms.map((room) => `${room.id}:${room.rules_version}`).join(), odds }}
      label={translate('areas.games.proposeOdds', { smart_count: rooms.length })}
      done="areas.games.changeProposed"
      then={then}
      fields={[{ ...REASON, name: 'note' }]}
    >
      {translate('areas.games.sameOddsText')}
      <ul>
        {rooms.map((room) => (
          <BeforeAndAfter key={room.id} room={room} odds={odds} />
        ))}
      </ul>
    </ActionButton>
  )
}

/** What changes in a room by these odds. */
function BeforeAndAfter({ room, odds }: { room: ListedRoom; odds: string }) {
  const translate = useTranslate()
  const present = useReply(showRoom, { id: room.id })
  const wanted = new Map(odds.split(',').map((part) => part.split(':') as [string, string]))
  return (
    <li>
      {nameOf(room)}:{' '}
      <Loaded answer={present}>
        {(terms) => {
          const changes = terms.odds.flatMap(({ rule_id: rule, outcome, odds: before }) => {
            const after = parseOdds(wanted.get(String(rule)) ?? before)
            if (after === null || after === parseOdds(before)) return []
            return [`${outcome} ${before} → ${formatOdds(after)}`]
          })
          return (
            <span className="num">
              {changes.join(', ') || translate('areas.games.noChangeHere')}
            </span>
          )
        }}
      </Loaded>
    </li>
  )
}
