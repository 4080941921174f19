import { Button } from '@sum28/ui/button.tsx'
import { Callout } from '@sum28/ui/callout.tsx'
import { CopyButton } from '@sum28/ui/copy-button.tsx'
import type { DownloadedFile } from '#src/data/read-download.ts'
import { showFailure } from '#src/features/show-failure.ts'
import { useText } from '#src/i18n/text.ts'

/**
 * Shown after a file was handed to the browser to save, which no page can observe: the browsers inside other apps ignore
 * it. So it does not say that the file is saved, and offers other ways to keep it.
 */
export function HandedFile({ file }: { file: DownloadedFile | null }) {
  const t = useText()
  if (!file) return null
  const shared = { files: [new File([file.blob], file.name, { type: file.blob.type })] }

  async function share() {
    try {
      await navigator.share(shared)
    } catch (error) {
      showFailure(error)
    }
  }

  return (
    <div className="stack-3" role="status">
      <Callout icon="info">{t('download.handed', { name: file.name })}</Callout>
      {/* Missing on pages that are not secure, unlike its type says. */}
      {navigator.canShare?.(shared) && (
        <Button kind="soft" size="s" wide onClick={share}>
          {t('download.share')}
        </Button>
      )}
      {file.blob.type === 'text/csv' && (
        <CopyButton value={() => file.blob.text()} label={t('download.copy')} />
      )}
    </div>
  )
}
