import { Alert, Button, Skeleton, Stack } from '@mui/material'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { failureOf } from '#src/data/failure.ts'

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
