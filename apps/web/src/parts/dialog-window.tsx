import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ReactNode } from 'react'
import { useText } from '#src/i18n/text.ts'
import { useBackCloses } from '#src/parts/back-closes.ts'
import { Button } from '#src/parts/button.tsx'
import styles from '#src/parts/dialog.module.css'
import { Icon, type IconName } from '#src/parts/icon.tsx'

/** The icon and colour of a dialog; its words say the same. */
export type DialogTone = 'info' | 'warn' | 'bad' | 'done'

const LOOKS = {
  info: { icon: 'info', tone: 'accent' },
  warn: { icon: 'warn', tone: 'warn' },
  bad: { icon: 'warn', tone: 'bad' },
  done: { icon: 'done', tone: 'in' },
} as const satisfies Record<DialogTone, { icon: IconName; tone: string }>

export type DialogProps = {
  open: boolean
  /** After Escape, Android's Back, the cancel button, or the only button of an alert. */
  onClose: () => void
  title: string
  tone?: DialogTone
  /** The text; screen readers read it when the dialog opens. */
  children?: ReactNode
  /** The confirming button, beside 'cancel'. Without it there is only a closing button. */
  confirm?: {
    label: string
    onConfirm: () => void
    busy?: boolean
    danger?: boolean
    disabled?: boolean
  }
  /** The closing button's label; 'OK' or 'Cancel' by default. */
  closeLabel?: string
}

export function DialogWindow({
  open,
  onClose,
  title,
  tone = 'info',
  children,
  confirm,
  closeLabel,
}: DialogProps) {
  const t = useText()
  useBackCloses(open, onClose)
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop forceRender className={styles.veil} />
        <AlertDialog.Popup className={styles.dialog}>
          <span className="emblem toned" data-tone={LOOKS[tone].tone}>
            <Icon name={LOOKS[tone].icon} size={28} />
          </span>
          <AlertDialog.Title className="title bold">{title}</AlertDialog.Title>
          {children && (
            <AlertDialog.Description render={<div />} className="full ink-2">
              {children}
            </AlertDialog.Description>
          )}
          <div className={styles.buttons}>
            <Button kind={confirm ? 'soft' : 'primary'} wide onClick={onClose}>
              {closeLabel ?? (confirm ? t('action.cancel') : t('action.ok'))}
            </Button>
            {confirm && (
              <Button
                wide
                busy={confirm.busy ?? false}
                danger={confirm.danger}
                disabled={confirm.disabled}
                onClick={confirm.onConfirm}
              >
                {confirm.label}
              </Button>
            )}
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
