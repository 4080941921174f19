import { useState } from 'react'
import { Button } from '../src/button.tsx'
import { Dialog, type DialogTone, Sheet } from '../src/overlays.tsx'
import { showToast } from '../src/toast-store.ts'
import { GalleryPart, State, type Words } from './gallery-part.tsx'

const TONES: DialogTone[] = ['info', 'warn', 'bad', 'done']

/** Dialogs and sheets. `?open=warn` and `?open=sheet` open one with the page. */
export function OverlayParts({ words }: { words: Words }) {
  const { label, long, sentence } = words
  const [open, setOpen] = useState(new URLSearchParams(location.search).get('open'))
  const close = () => setOpen(null)
  const footer = (
    <Button wide onClick={close}>
      {long}
    </Button>
  )
  return (
    <GalleryPart name="Dialog, Sheet, toasts">
      <State name="press them" side>
        {TONES.map((tone) => (
          <Button key={tone} kind="soft" size="s" onClick={() => setOpen(tone)}>
            Dialog {tone}
          </Button>
        ))}
        <Button kind="soft" size="s" onClick={() => setOpen('sheet')}>
          Sheet
        </Button>
        <Button kind="soft" size="s" onClick={() => showToast(sentence)}>
          Toast
        </Button>
        <Button kind="soft" size="s" onClick={() => showToast(label, { busy: true })}>
          Busy toast
        </Button>
      </State>
      {TONES.map((tone) => (
        <Dialog
          key={tone}
          open={open === tone}
          onClose={close}
          title={long}
          tone={tone}
          {...(tone === 'warn' && { confirm: { label, onConfirm: close } })}
          {...(tone === 'bad' && { confirm: { label: long, onConfirm: close, danger: true } })}
        >
          {sentence}
        </Dialog>
      ))}
      <Sheet open={open === 'sheet'} onClose={close} title={long} footer={footer}>
        {sentence}
      </Sheet>
    </GalleryPart>
  )
}
