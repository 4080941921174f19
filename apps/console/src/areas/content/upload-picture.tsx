import { Button } from '@mui/material'
import { uploadPicture } from '@sum28/contract/staff-content-routes.ts'
import { PICTURES, useFilePicker } from '@sum28/ui/file-picker.tsx'
import { useState } from 'react'
import { useNotify, useTranslate } from 'react-admin'
import { call, keyedActions } from '#src/data/call.ts'
import { FAILURE_NOTICE, failureOf } from '#src/data/failure.ts'
import { useMay } from '#src/data/session.ts'

/** Uploads a picture, and passes its path to the form. */
export function UploadPicture({ onUploaded }: { onUploaded: (image: string) => void }) {
  const translate = useTranslate()
  const notify = useNotify()
  const may = useMay()
  const [pending, setPending] = useState(false)
  const [actions] = useState(keyedActions)
  const label = translate('areas.content.upload')
  const [input, choose] = useFilePicker({ accept: PICTURES, label, onFile: send })
  if (!may(uploadPicture.action)) return null

  async function send(file: File): Promise<void> {
    setPending(true)
    try {
      const { image } = await actions.send(
        [file.name, file.size, file.lastModified],
        (idempotencyKey) => call(uploadPicture, {}, { file, idempotencyKey }),
      )
      notify('areas.content.uploaded', { type: 'success', messageArgs: { image } })
      onUploaded(image)
    } catch (error) {
      notify(failureOf(error).text, FAILURE_NOTICE)
    } finally {
      setPending(false)
    }
  }

  return (
    <>
      <Button loading={pending} onClick={choose}>
        {label}
      </Button>
      {input}
    </>
  )
}
