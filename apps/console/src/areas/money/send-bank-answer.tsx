import { Alert, Button } from '@mui/material'
import { answerBankBatch } from '@sum28/contract/staff-bank-routes.ts'
import { useRef, useState } from 'react'
import { useNotify, useRefresh, useTranslate } from 'react-admin'
import { call, newIdempotencyKey } from '#src/data/call.ts'
import { failureOf } from '#src/data/failure.ts'
import { useMay } from '#src/data/session.ts'

/** Uploads the bank's answer file. Its faults stay on the page until another file is uploaded. */
export function SendBankAnswer({ batch }: { batch: number }) {
  const translate = useTranslate()
  const notify = useNotify()
  const refresh = useRefresh()
  const may = useMay()
  const input = useRef<HTMLInputElement>(null)
  const [pending, setPending] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  if (!may(answerBankBatch.action)) return null

  async function send(file: File): Promise<void> {
    setPending(true)
    setFault(null)
    try {
      const options = { file, idempotencyKey: newIdempotencyKey() }
      const taken = await call(answerBankBatch, { id: batch }, options)
      notify('areas.money.answerTaken', { type: 'success', messageArgs: taken })
      refresh()
    } catch (error) {
      const { text } = failureOf(error)
      setFault(translate(text, { _: text }))
    } finally {
      setPending(false)
    }
  }

  return (
    <>
      <Button loading={pending} onClick={() => input.current?.click()}>
        {translate('areas.money.sendAnswer')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label={translate('areas.money.sendAnswer')}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file) void send(file)
        }}
      />
      {fault !== null && (
        <Alert severity="error" sx={{ flexBasis: '100%' }}>
          {fault}
        </Alert>
      )}
    </>
  )
}
