import { type ReactNode, useState } from 'react'
import { Dialog, type DialogTone } from '#src/parts/overlays.tsx'

type Question = {
  title: string
  text: ReactNode
  tone?: DialogTone
  confirm: string
  danger?: boolean
  onConfirm: () => void
}

/** A question before an action: what asks it, and its dialog. */
export function useQuestion(question: Question): [() => void, ReactNode] {
  const { title, text, tone = 'warn', confirm, danger = false, onConfirm } = question
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const act = () => {
    // It is still seen while it closes.
    if (!open) return
    close()
    onConfirm()
  }
  const dialog = (
    <Dialog
      open={open}
      onClose={close}
      title={title}
      tone={tone}
      confirm={{ label: confirm, danger, onConfirm: act }}
    >
      {text}
    </Dialog>
  )
  return [() => setOpen(true), dialog]
}
