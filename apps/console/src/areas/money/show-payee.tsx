import { Button, Typography } from '@mui/material'
import { withdrawalPayee } from '@sum28/contract/staff-routes.ts'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { useMay } from '#src/data/session.ts'
import { useAction } from '#src/data/use-action.ts'

/** Shows the whole number of a card; the audit log records it. The number is forgotten when the page is left. */
export function ShowPayee({ withdrawal }: { withdrawal: number }) {
  const translate = useTranslate()
  const may = useMay()
  const { act, pending } = useAction(withdrawalPayee)
  const [number, setNumber] = useState<string | null>(null)
  if (!may(withdrawalPayee.action)) return null
  if (number !== null) {
    return (
      <Typography className="num" sx={{ alignSelf: 'center' }} role="status">
        {number}
      </Typography>
    )
  }
  return (
    <Button
      loading={pending}
      onClick={async () => setNumber((await act({ id: withdrawal }))?.reply.number ?? null)}
    >
      {translate('areas.money.showPayee')}
    </Button>
  )
}
