import { Alert, Button, Skeleton, Stack } from '@mui/material'
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

/** Counts the answers beneath a dialog that are not on the screen: its decision waits for them. */
export const MissingAnswers = createContext<Dispatch<SetStateAction<number>> | null>(null)

/** The states of an answer: loading, failed, or loaded. */
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
  // The old data stays while it is fetched again.
  if (data !== undefined) return children(data)
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
