import { Alert, type AlertProps, Button, Skeleton, Stack } from '@mui/material'
import type { UseQueryResult } from '@tanstack/react-query'
import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useContext,
  useLayoutEffect,
} from 'react'
import { useTranslate } from 'react-admin'
import { failureOf } from '#src/data/failure.ts'
import { MomentText } from '#src/parts/values.tsx'

/** Counts the answers beneath a dialog that are not on the screen: its decision waits for them. */
export const MissingAnswers = createContext<Dispatch<SetStateAction<number>> | null>(null)

type NotRefreshedProps = {
  refetch: () => unknown
  /** When the answer came that is shown, in milliseconds since 1970; 0 if none came. */
  dataUpdatedAt?: number
  /** A key of the catalogs: what may be old. */
  text?: string
  sx?: AlertProps['sx']
}

/** Warns that what is shown is an earlier answer, because the present one could not be fetched. */
export function NotRefreshed({
  refetch,
  dataUpdatedAt = 0,
  text = 'console.notRefreshed',
  sx = {},
}: NotRefreshedProps) {
  const translate = useTranslate()
  return (
    <Alert
      severity="warning"
      sx={sx}
      action={<Button onClick={() => void refetch()}>{translate('console.again')}</Button>}
    >
      {translate(text)}{' '}
      {dataUpdatedAt > 0 && (
        <>
          {translate('console.lastAnswer')} <MomentText at={Math.floor(dataUpdatedAt / 1_000)} />
        </>
      )}
    </Alert>
  )
}

/** The states of an answer: loading, failed, or loaded; and of a loaded one, whether it could be refreshed. */
export function Loaded<Data>({
  answer,
  children,
}: {
  answer: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}) {
  const translate = useTranslate()
  const { data, error, isPending, refetch } = answer
  const count = useContext(MissingAnswers)
  const isMissing = data === undefined
  // Before the first paint, so that no press is faster.
  useLayoutEffect(() => {
    if (!count || !isMissing) return
    count((before) => before + 1)
    return () => count((before) => before - 1)
  }, [count, isMissing])
  // The old data stays while it is fetched again, and if that fails.
  if (data !== undefined) {
    return (
      <>
        {error && <NotRefreshed {...answer} />}
        {children(data)}
      </>
    )
  }
  if (isPending) {
    return (
      <Stack sx={{ gap: 1 }} aria-busy="true">
        <Skeleton />
        <Skeleton />
        <Skeleton width="60%" />
      </Stack>
    )
  }
  const { text } = failureOf(error)
  return (
    <Alert
      severity="error"
      action={<Button onClick={() => void refetch()}>{translate('console.again')}</Button>}
    >
      {translate(text, { _: text })}
    </Alert>
  )
}
