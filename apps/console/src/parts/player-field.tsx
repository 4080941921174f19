import { Alert, Box, Button, Card, Stack, TextField, Typography } from '@mui/material'
import { listPlayers, onePlayer } from '@sum28/contract/staff-players-routes.ts'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { useReply } from '#src/data/use-reply.ts'
import { Loaded } from '#src/parts/loaded.tsx'
import { MomentText, MoneyText } from '#src/parts/values.tsx'

type PlayerFieldProps = {
  /** The number of the chosen player; empty: none. */
  value: string
  onChoose: (id: string) => void
  /** What the server says against the choice. */
  fault: string | undefined
  autoFocus: boolean
}

const PAUSE_MS = 200
const SHOWN = 5

/**
 * Looks a player up, by all that the list of players finds, and shows who it is. The only one who is found is chosen;
 * of several the user chooses.
 */
export function PlayerField({ value, onChoose, fault, autoFocus }: PlayerFieldProps) {
  const translate = useTranslate()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <Stack sx={{ gap: 1 }}>
      <TextField
        inputRef={input}
        label={translate('console.player.label')}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          // Whoever was chosen was found by another text.
          onChoose('')
        }}
        error={fault !== undefined}
        helperText={fault ?? translate('console.player.hint')}
        required
        autoFocus={autoFocus}
        autoComplete="off"
      />
      {/* There from the start: what comes with its text is not read aloud. */}
      <Box role="status" sx={{ '&:empty': { marginTop: -1 } }}>
        {asked !== '' && asked === typed.trim() && value === '' && (
          <Found q={asked} onChoose={onChoose} input={input} />
        )}
        {value !== '' && <Chosen id={Number(value)} />}
      </Box>
    </Stack>
  )
}

type FoundProps = { q: string; input: RefObject<HTMLInputElement | null> }

function Found({ q, input, onChoose }: FoundProps & Pick<PlayerFieldProps, 'onChoose'>) {
  const translate = useTranslate()
  const whole = useReply(listPlayers, { q, match: 'whole', limit: SHOWN })
  const answer = useReply(listPlayers, { q, limit: SHOWN })
  // Whoever has exactly this number or name stands first, however new the others are.
  const first = whole.data?.list ?? []
  const others = answer.data?.list.filter(({ id }) => first.every((each) => each.id !== id)) ?? []
  const list = [...first, ...others]
  const [only, ...more] = list
  const isComplete = whole.data !== undefined && answer.data !== undefined
  useEffect(() => {
    if (isComplete && only && more.length === 0) onChoose(String(only.id))
  })
  return (
    <Loaded answer={whole.data ? answer : whole}>
      {({ next }) => (
        <Stack sx={{ gap: 0.5, alignItems: 'start' }}>
          {list.length === 0 && (
            <Typography color="error">{translate('console.player.none')}</Typography>
          )}
          {list.length > 1 &&
            list.map(({ id, username, email }) => (
              <Button
                key={id}
                variant="text"
                onClick={() => {
                  // This button goes with its press.
                  input.current?.focus()
                  onChoose(String(id))
                }}
              >
                {[username, id, email].filter((part) => part !== null).join(' · ')}
              </Button>
            ))}
          {next !== null && (
            <Typography color="textSecondary">{translate('console.player.more')}</Typography>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

/** Who was chosen: name, number, address, state and balance, and that he is on a break. */
function Chosen({ id }: { id: number }) {
  const translate = useTranslate()
  const answer = useReply(onePlayer, { user_id: id })
  return (
    <Loaded answer={answer}>
      {({ username, email, state, registered_at: at, exclusion, figures }) => (
        <Card sx={{ padding: 1.5 }}>
          <Link to={`/players/${id}/show`} target="_blank">
            {username}
          </Link>{' '}
          · <span className="num">{id}</span> · {email} ·{' '}
          {translate(`areas.players.state.${state}`)}
          <div>
            <MoneyText value={figures.cash} /> · {translate('console.player.since')}{' '}
            <MomentText at={at} />
          </div>
          {exclusion && (
            <Alert severity="error">{translate(`areas.players.onBreak.${exclusion.kind}`)}</Alert>
          )}
        </Card>
      )}
    </Loaded>
  )
}
