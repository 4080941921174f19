import { Button, Card, Checkbox, FormControlLabel, MenuItem, Stack, TextField } from '@mui/material'
import * as wire from '@sum28/contract/staff-content-routes.ts'
import { useTranslate } from 'react-admin'
import type { PieceForms } from '#src/areas/content/piece-forms.ts'
import { UploadPicture } from '#src/areas/content/upload-picture.tsx'
import { useMay } from '#src/data/session.ts'
import { useTyped, useUnsaved } from '#src/data/unsaved.ts'
import { useAction } from '#src/data/use-action.ts'
import { useReply } from '#src/data/use-reply.ts'

type Terms = { category_id: number; image: string; top: boolean }

/** An article's category and picture, and whether it is a hot topic. */
export function ArticleForm({ seen, now, onSaved }: PieceForms) {
  const translate = useTranslate()
  const may = useMay()
  const categories = useReply(wire.listCategories, {})
  const { act, pending, failure } = useAction(wire.setArticle, { done: 'areas.content.saved' })
  const form = `article ${seen.id} ${seen.version}`
  const [typed, setTyped] = useTyped<Partial<Terms> | null>(form, null)
  useUnsaved(typed !== null, { form, typed })
  const terms = { ...termsOf(seen), ...typed }
  const present = termsOf(now)
  const editable = may(wire.setArticle.action)
  const faults = failure?.fields ?? {}
  const change = (part: Partial<Terms>) => setTyped({ ...typed, ...part })
  const meanwhile = (name: keyof Terms) =>
    termsOf(seen)[name] === present[name]
      ? ''
      : translate('areas.content.nowIs', { value: String(present[name]) })

  async function save(): Promise<void> {
    const done = await act({ id: seen.id, version: seen.version, ...terms })
    if (!done) return
    onSaved(done.reply)
    setTyped(null)
  }

  return (
    <Card sx={{ padding: 2 }}>
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'start' }}>
        <TextField
          select
          label={translate('areas.content.category')}
          value={categories.data ? terms.category_id : ''}
          disabled={!editable}
          error={'category_id' in faults}
          helperText={faults.category_id ?? meanwhile('category_id')}
          onChange={(event) => change({ category_id: Number(event.target.value) })}
          sx={{ minWidth: '12.5rem' }}
        >
          {(categories.data ?? []).map(({ id, name }) => (
            <MenuItem key={id} value={id}>
              {name}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          label={translate('areas.content.image')}
          value={terms.image}
          disabled={!editable}
          error={'image' in faults}
          helperText={faults.image ?? (meanwhile('image') || translate('areas.content.imageHint'))}
          onChange={(event) => change({ image: event.target.value })}
          autoComplete="off"
          sx={{ flex: 1, minWidth: '15rem' }}
        />
        {editable && <UploadPicture onUploaded={(image) => change({ image })} />}
        <FormControlLabel
          label={`${translate('areas.content.top')} ${meanwhile('top')}`}
          control={
            <Checkbox
              checked={terms.top}
              disabled={!editable}
              onChange={(event) => change({ top: event.target.checked })}
            />
          }
        />
        {editable && (
          <Button onClick={() => void save()} loading={pending} disabled={typed === null}>
            {translate('areas.content.saveTerms')}
          </Button>
        )}
      </Stack>
    </Card>
  )
}

function termsOf({ category_id: category, image, top }: wire.WirePiece): Terms {
  return { category_id: category ?? 0, image, top }
}
