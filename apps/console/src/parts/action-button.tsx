import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  MenuItem,
  Stack,
  TextField,
  Typography,
} from '@mui/material'
import { readFields } from '@sum28/contract/read-fields.ts'
import type { ReplyOf, RequestOf } from '@sum28/contract/route.ts'
import type { StaffRoute } from '@sum28/contract/staff-route.ts'
import { createStore, useStore } from '@sum28/ui/store.ts'
import { type ComponentType, Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslate } from 'react-admin'
import { useLocation } from 'react-router'
import type { Failure } from '#src/data/failure.ts'
import { type HeldCall, hold, isRejection, useIsRejected } from '#src/data/held-calls.ts'
import { useMay, useSession, useZone } from '#src/data/session.ts'
import { useTyped, useUnsaved } from '#src/data/unsaved.ts'
import { useAction } from '#src/data/use-action.ts'
import { instantOf } from '#src/data/zone-time.ts'
import { MissingAnswers } from '#src/parts/loaded.tsx'
import { PlayerField } from '#src/parts/player-field.tsx'
import { MomentText } from '#src/parts/values.tsx'

export type ActionField = {
  /** The name in the call; the server's faults of this name are shown beside the field. */
  readonly name: string
  /** A key of the catalogs. */
  readonly label: string
  readonly hint?: string
  readonly long?: boolean
  readonly optional?: boolean
  /** The options, with keys of the catalogs. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  readonly initial?: string
  /** Stands above the field, says something of its text or begins it. */
  readonly above?: ComponentType<{ text: string; onChoose: (text: string) => void }>
  /**
   * `player`: a player's number; he is looked up, and shown. `time`: an instant, typed in the operator's zone and sent as
   * unix seconds.
   */
  readonly type?: 'password' | 'code' | 'player' | 'time'
}

/** The types of the inputs; a player is no input. */
const INPUT_TYPES = {
  text: 'text',
  code: 'text',
  player: 'text',
  password: 'password',
  time: 'datetime-local',
} as const

/** Why: staff read it, or whom it is about, as the dialog says. */
export const REASON: ActionField = { name: 'reason', label: 'console.reason', long: true }

/** Password and code once more, for what the thief of a session must not do. */
export const PROOF: readonly ActionField[] = [
  { name: 'password', label: 'console.signIn.password', type: 'password' },
  { name: 'totp', label: 'console.signIn.code', type: 'code' },
]

/** The same, if this owner decides alone what otherwise takes two owners, and has a password. */
export function useFreshProof(): readonly ActionField[] {
  const { decides_alone, has_password } = useSession() ?? {}
  return decides_alone && has_password ? PROOF : []
}

type ActionButtonProps<R extends StaffRoute> = {
  route: R
  /** The fields of the call that the user does not enter. */
  request: Partial<RequestOf<R>>
  /** A key of the catalogs: the text of the button and the dialog's heading. */
  label: string
  /** A description of the effect, in one or more sentences. */
  children?: ReactNode
  fields?: readonly ActionField[]
  /** A key of the catalogs, shown after success. */
  done?: string
  /** Called after success. */
  then?: (reply: ReplyOf<R>) => void
  tone?: 'primary' | 'error'
  /** For a reason that the call and its request do not show. */
  disabled?: boolean
}

type AnyAction = ActionButtonProps<StaffRoute>

/** A rejection that is held: the dialog in which it was made, and what was typed there. */
export type HeldAction = { readonly action: AnyAction; readonly values: Record<string, string> }

/** The dialog that is open, as its button opened it; or opened again, because its rejection was refused. */
const openDialog = createStore<
  (AnyAction & { before?: { values: Record<string, string>; failure: Failure | undefined } }) | null
>(null)

/** Opens the dialog of a rejection that was refused, with what was typed; false while another dialog is open. */
export function openAgain({ shown: { action, values }, failure }: HeldCall<HeldAction>): boolean {
  if (openDialog.get()) return false
  openDialog.set({ ...action, before: { values, failure } })
  return true
}

/**
 * Shows the open dialog. It stands outside of lists and pages: what was typed stays if another person was faster and
 * the row, with its button, is gone.
 */
export function OpenActionDialog() {
  const shown = useStore(openDialog)
  const { pathname } = useLocation()
  useEffect(() => () => openDialog.set(null), [pathname])
  return shown && <ActionDialog {...shown} close={() => openDialog.set(null)} />
}

/**
 * A button that makes one call of staff, after a dialog that describes the effect and has the needed
 * fields. Users without the permission do not see it.
 */
export function ActionButton<R extends StaffRoute>(props: ActionButtonProps<R>) {
  const { route, request, label, tone = 'primary', disabled = false } = props
  const may = useMay()
  const translate = useTranslate()
  const isRejected = useIsRejected()
  if (!may(route.action)) return null
  return (
    <Button
      color={tone}
      disabled={disabled || isRejected(route, request)}
      onClick={(event) => {
        // A click must not open the row.
        event.stopPropagation()
        openDialog.set(props as unknown as AnyAction)
      }}
    >
      {translate(label)}
    </Button>
  )
}

/** Why a call failed; and when, if another person was faster. */
export function FailureText({ failure: { text, at } }: { failure: Failure }) {
  const translate = useTranslate()
  return (
    <>
      {translate(text, { _: text })}
      {at !== undefined && (
        <>
          {' · '}
          <MomentText at={at} />
        </>
      )}
    </>
  )
}

/** The values of the fields that are no secrets. */
function without(
  values: Record<string, string>,
  secrets: readonly ActionField[],
): Record<string, string> {
  const names = secrets.map(({ name }) => name)
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
}

function ActionDialog({
  before,
  close,
  ...action
}: NonNullable<ReturnType<typeof openDialog.get>> & { close: () => void }) {
  const { route, request, label, children, fields = [], done, then, tone = 'primary' } = action
  const translate = useTranslate()
  const zone = useZone()
  const { act, pending, ...answer } = useAction(route, { ...(done && { done }), quiet: true })
  const failure = answer.failure ?? before?.failure
  // The initial values: a value that comes later, such as an uploaded picture, was not typed here.
  const [opened] = useState<Record<string, string>>(() =>
    Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])),
  )
  const form = `${route.path} ${label} ${JSON.stringify(request)}`
  const [kept, setValues] = useTyped(form, before?.values ?? {})
  const values = { ...opened, ...kept }
  const typed = fields.some(({ name }) => values[name] !== opened[name])
  const secrets = fields.filter(({ type }) => type === 'password' || type === 'code')
  useUnsaved(typed, { form, typed: without(values, secrets) })
  const faults = failure?.fields ?? {}
  const nobody = fields.some(({ name, type }) => type === 'player' && !values[name])
  const [missing, setMissing] = useState(0)
  const [sentForNobody, setSentForNobody] = useState(false)
  // The fault of a field that is not in the dialog is shown above the fields.
  const others = Object.entries(faults).filter(([name]) => !(name in values))
  const wholeForm = useRef<HTMLFormElement>(null)
  // While the call ran, the button that had the focus was disabled, and lost it.
  useEffect(() => {
    if (answer.failure)
      wholeForm.current
        ?.querySelector<HTMLElement>('[aria-invalid="true"], [type="submit"]')
        ?.focus()
  }, [answer.failure])

  async function submit() {
    setSentForNobody(nobody)
    if (nobody || missing > 0) return
    const filled = Object.fromEntries(
      Object.entries(values)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => {
          const isTime = fields.some((field) => field.name === name && field.type === 'time')
          return [name, isTime ? (instantOf(value, zone) ?? value) : value]
        }),
    )
    const whole = { ...request, ...filled }
    // What the contract refuses is sent at once, for the server's sentences.
    if (isRejection(route, whole) && readFields(route.request, whole).ok) {
      hold<HeldAction>({ route, request: whole, shown: { action, values } })
      close()
      return
    }
    const answered = await act(whole)
    if (!answered) return
    close()
    then?.(answered.reply)
  }

  return (
    <Dialog
      open
      // A click beside the dialog does not discard the input.
      onClose={pending || typed ? undefined : close}
      onClick={(event) => event.stopPropagation()}
      fullWidth
      maxWidth="sm"
    >
      <form
        ref={wholeForm}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void submit()
        }}
      >
        <DialogTitle>{translate(label)}</DialogTitle>
        <DialogContent>
          <Stack sx={{ gap: 2, paddingTop: 1 }}>
            {children && (
              <MissingAnswers value={setMissing}>
                <Typography component="div">{children}</Typography>
              </MissingAnswers>
            )}
            {failure && Object.keys(faults).length === 0 && (
              <Alert severity="error">
                <FailureText failure={failure} />
              </Alert>
            )}
            {others.map(([name, text]) => (
              <Alert key={name} severity="error">
                {name}: {text}
              </Alert>
            ))}
            {fields.map(
              ({ name, label: text, hint, long, optional, choices, above: Above, type }, index) =>
                type === 'player' ? (
                  <PlayerField
                    key={name}
                    value={values[name] ?? ''}
                    onChoose={(id) => setValues((before) => ({ ...before, [name]: id }))}
                    fault={
                      nobody && sentForNobody ? translate('console.player.choose') : faults[name]
                    }
                    autoFocus={index === 0}
                  />
                ) : (
                  <Fragment key={name}>
                    {Above && (
                      <Above
                        text={values[name] ?? ''}
                        onChoose={(text) => setValues((before) => ({ ...before, [name]: text }))}
                      />
                    )}
                    <TextField
                      name={name}
                      label={translate(text, { zone })}
                      value={values[name] ?? ''}
                      onChange={(event) => setValues({ ...values, [name]: event.target.value })}
                      error={name in faults}
                      helperText={faults[name] ?? (hint ? translate(hint) : undefined)}
                      multiline={long ?? false}
                      {...(long && { minRows: 3 })}
                      required={!optional}
                      select={choices !== undefined}
                      autoFocus={index === 0}
                      type={INPUT_TYPES[type ?? 'text']}
                      autoComplete={type === 'code' ? 'one-time-code' : 'off'}
                      slotProps={{
                        ...(type === 'time' && { inputLabel: { shrink: true } }),
                        ...(type === 'code' && { htmlInput: { inputMode: 'numeric' } }),
                      }}
                    >
                      {choices?.map((choice) => (
                        <MenuItem key={choice.value} value={choice.value}>
                          {translate(choice.label)}
                        </MenuItem>
                      ))}
                    </TextField>
                  </Fragment>
                ),
            )}
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button variant="text" onClick={close} disabled={pending}>
            {translate('ra.action.cancel')}
          </Button>
          <Button
            type="submit"
            variant="contained"
            color={tone}
            loading={pending}
            disabled={missing > 0}
          >
            {translate(label)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
