import {
  Alert,
  Button,
  Card,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  TextField,
  Typography,
} from '@mui/material'
import {
  proposeOdds,
  proposeRoomChange,
  type RoomTerms,
} from '@sum28/contract/staff-games-routes.ts'
import { formatShare } from '@sum28/domain/odds.ts'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { ChooseRooms, type ListedRoom, ProposeOdds } from '#src/areas/games/odds-for-rooms.tsx'
import { LIMITS, readDraft, type Typed, typedReturn } from '#src/areas/games/terms-draft.ts'
import { useMay } from '#src/data/session.ts'
import { useTyped, useUnsaved } from '#src/data/unsaved.ts'
import { ActionButton, REASON } from '#src/parts/action-button.tsx'
import { scrolled } from '#src/parts/plain-table.tsx'

/** Millionths in one of the 1,000 draws. */
const WAY_PPM = 1_000
const MILLION = 1_000_000

type TermsFormProps = {
  /** The terms on which the proposal is based. */
  room: RoomTerms
  /** The terms in force; they differ if someone else has changed the room meanwhile. */
  now: RoomTerms
}

/** Limits and odds, with the return of each outcome while the user types; read-only without permission. */
export function TermsForm({ room, now }: TermsFormProps) {
  const translate = useTranslate()
  const may = useMay()
  const form = `terms ${room.id} ${room.rules_version}`
  const [typed, setTyped] = useTyped<Typed>(form, {})
  const isTyped = Object.keys(typed).length > 0
  const [others, setChosen] = useState<readonly ListedRoom[]>([])
  useUnsaved(isTyped, { form, typed })
  // What is typed stays while the change of a colleague waits, and is locked.
  const isLocked = now.waiting !== null
  const editable = may(proposeRoomChange.action) && !isLocked
  const { wrong, request } = readDraft(room, typed)
  // Limits are each room's own.
  const chosen = request && !LIMITS.some((name) => name in request) ? others : []
  const type = (name: string) => (text: string) => setTyped({ ...typed, [name]: text })
  return (
    <>
      {isLocked && isTyped && (
        <Alert severity="warning">{translate('areas.games.lockedMeanwhile')}</Alert>
      )}
      <Card sx={{ padding: 2 }}>
        <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap' }}>
          {LIMITS.map((name) => (
            <TextField
              key={name}
              label={translate(`areas.games.${name}`)}
              value={typed[name] ?? room[name]}
              disabled={!editable}
              error={wrong.has(name)}
              helperText={
                wrong.get(name)
                  ? translate(`areas.games.${wrong.get(name)}`)
                  : now[name] === room[name]
                    ? ' '
                    : translate('areas.games.inForce', { value: now[name] })
              }
              onChange={(event) => type(name)(event.target.value)}
            />
          ))}
        </Stack>
      </Card>
      <Card sx={{ overflowX: 'auto' }} {...scrolled(translate('areas.games.odds'))}>
        <Table size="small">
          <TableHead>
            <TableRow>
              {['outcome', 'ways', 'chance', 'odds', 'return'].map((name) => (
                <TableCell key={name} align={name === 'outcome' ? 'left' : 'right'}>
                  {translate(`areas.games.${name}`)}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {room.odds.map((offer, position) => (
              <OddsRow
                key={offer.rule_id}
                offer={offer}
                inForce={now.odds[position]?.odds ?? offer.odds}
                text={typed[String(offer.rule_id)] ?? offer.odds}
                editable={editable}
                type={type(String(offer.rule_id))}
              />
            ))}
          </TableBody>
        </Table>
      </Card>
      {editable && may(proposeOdds.action) && request?.odds && (
        <ChooseRooms
          except={room.id}
          chosen={chosen}
          choose={setChosen}
          disabled={LIMITS.some((name) => name in request)}
        />
      )}
      {editable && (
        <Stack
          direction="row"
          // The button stays in view below 36 outcomes.
          sx={{
            gap: 2,
            alignItems: 'center',
            position: 'sticky',
            bottom: 0,
            zIndex: 'var(--layer-above)',
            padding: 1.5,
            backgroundColor: 'background.default',
            borderTop: 1,
            borderColor: 'divider',
            '& > button': { flexShrink: 0 },
          }}
        >
          {request && chosen.length > 0 ? (
            <ProposeOdds
              rooms={[room, ...chosen]}
              odds={request.odds ?? ''}
              then={() => setTyped({})}
            />
          ) : request ? (
            <ActionButton
              route={proposeRoomChange}
              request={request}
              label="areas.games.propose"
              done="areas.games.changeProposed"
              then={() => setTyped({})}
              fields={[{ ...REASON, name: 'note' }]}
            >
              {translate('areas.games.proposeText')}
            </ActionButton>
          ) : (
            <Button disabled>{translate('areas.games.propose')}</Button>
          )}
          <Typography color={wrong.size > 0 ? 'error' : 'textSecondary'} role="status">
            {translate(wrong.size > 0 ? 'areas.games.guard' : 'areas.games.proposeText')}
          </Typography>
        </Stack>
      )}
    </>
  )
}

type OddsRowProps = {
  offer: RoomTerms['odds'][number]
  inForce: string
  text: string
  editable: boolean
  type: (text: string) => void
}

function OddsRow({ offer, inForce, text, editable, type }: OddsRowProps) {
  const translate = useTranslate()
  const typed = typedReturn(offer.ways, text)
  const wrong = !typed?.fair
  // The bounds of a return, 0.75 and 1, are the database's.
  const bound = typed && typed.ppm > MILLION ? 'returnAbove' : 'returnBelow'
  // All digits that matter: 1.0001 is not 1.00.
  const value = typed ? (typed.ppm / MILLION).toFixed(6).replace(/0{1,4}$/, '') : ''
  const why = wrong ? translate(`areas.games.${typed ? bound : 'notOdds'}`, { value }) : undefined
  return (
    <TableRow>
      <TableCell component="th" scope="row">
        {offer.outcome}
      </TableCell>
      <TableCell align="right" className="num">
        {offer.ways}
      </TableCell>
      <TableCell align="right" className="num">
        {formatShare(offer.ways * WAY_PPM)}
      </TableCell>
      <TableCell align="right" className="num">
        {editable || text !== offer.odds ? (
          <TextField
            size="small"
            value={text}
            disabled={!editable}
            error={wrong}
            helperText={
              why ??
              (inForce === offer.odds
                ? undefined
                : translate('areas.games.inForce', { value: inForce }))
            }
            slotProps={{
              htmlInput: {
                style: { textAlign: 'right' },
                'aria-label': translate('areas.games.oddsOf', { outcome: offer.outcome }),
              },
            }}
            onChange={(event) => type(event.target.value)}
          />
        ) : (
          offer.odds
        )}
      </TableCell>
      <TableCell align="right" className="num" sx={{ color: wrong ? 'error.main' : undefined }}>
        {typed ? formatShare(typed.ppm) : '—'}
      </TableCell>
    </TableRow>
  )
}
