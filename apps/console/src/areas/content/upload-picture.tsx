import { Button } from '@mui/material'
import { uploadPicture } from '@sum28/contract/staff-content-routes.ts'
import { PICTURES, useFilePicker } from '@sum28/ui/file-picker.tsx'
import { useTranslate } from 'react-admin'
import { useMay } from '#src/data/session.ts'
import { useAction } from '#src/data/use-action.ts'

/** Uploads a picture, and passes its path to the form. */
export function UploadPicture({ onUploaded }: { onUploaded: (image: string) => void }) {
  const translate = useTranslate()
  const may = useMay()
  const { act, pending } = useAction(uploadPicture, { done: 'areas.content.uploaded' })
  const label = translate('areas.content.upload')
  const [input, choose] = useFilePicker({ accept: PICTURES, label, onFile: send })
  if (!may(uploadPicture.action)) return null

  async function send(file: File): Promise<void> {
    const done = await act({}, file)
    if (done) onUploaded(done.reply.image)
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
