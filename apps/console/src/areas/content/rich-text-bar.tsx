import FormatBold from '@mui/icons-material/FormatBold'
import FormatItalic from '@mui/icons-material/FormatItalic'
import FormatListBulleted from '@mui/icons-material/FormatListBulleted'
import FormatListNumbered from '@mui/icons-material/FormatListNumbered'
import FormatQuote from '@mui/icons-material/FormatQuote'
import FormatUnderlined from '@mui/icons-material/FormatUnderlined'
import HorizontalRule from '@mui/icons-material/HorizontalRule'
import InsertLink from '@mui/icons-material/InsertLink'
import Redo from '@mui/icons-material/Redo'
import StrikethroughS from '@mui/icons-material/StrikethroughS'
import Title from '@mui/icons-material/Title'
import Undo from '@mui/icons-material/Undo'
import {
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  IconButton,
  TextField,
  Tooltip,
} from '@mui/material'
import { type Editor, useEditorState } from '@tiptap/react'
import { type ReactNode, useState } from 'react'
import { useTranslate } from 'react-admin'
import { UploadPicture } from '#src/areas/content/upload-picture.tsx'

type Tool = {
  name: string
  icon: ReactNode
  /** Whether it is active at the cursor. */
  on: (editor: Editor) => boolean
  run: (editor: Editor) => void
}

const never = () => false

const TOOLS: readonly Tool[] = [
  heading(2),
  heading(3),
  {
    name: 'bold',
    icon: <FormatBold />,
    on: (editor) => editor.isActive('bold'),
    run: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    name: 'italic',
    icon: <FormatItalic />,
    on: (editor) => editor.isActive('italic'),
    run: (editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    name: 'underline',
    icon: <FormatUnderlined />,
    on: (editor) => editor.isActive('underline'),
    run: (editor) => editor.chain().focus().toggleUnderline().run(),
  },
  {
    name: 'strike',
    icon: <StrikethroughS />,
    on: (editor) => editor.isActive('strike'),
    run: (editor) => editor.chain().focus().toggleStrike().run(),
  },
  {
    name: 'bulletList',
    icon: <FormatListBulleted />,
    on: (editor) => editor.isActive('bulletList'),
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    name: 'orderedList',
    icon: <FormatListNumbered />,
    on: (editor) => editor.isActive('orderedList'),
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    name: 'blockquote',
    icon: <FormatQuote />,
    on: (editor) => editor.isActive('blockquote'),
    run: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
  {
    name: 'rule',
    icon: <HorizontalRule />,
    on: never,
    run: (editor) => editor.chain().focus().setHorizontalRule().run(),
  },
  {
    name: 'undo',
    icon: <Undo />,
    on: never,
    run: (editor) => editor.chain().focus().undo().run(),
  },
  {
    name: 'redo',
    icon: <Redo />,
    on: never,
    run: (editor) => editor.chain().focus().redo().run(),
  },
]

function heading(level: 2 | 3): Tool {
  return {
    name: `heading${level}`,
    icon: <Title fontSize={level === 2 ? 'medium' : 'small'} />,
    on: (editor) => editor.isActive('heading', { level }),
    run: (editor) => editor.chain().focus().toggleHeading({ level }).run(),
  }
}

/** The editor's buttons; `aria-pressed` shows whether each is active at the cursor. */
export function RichTextBar({ editor }: { editor: Editor }) {
  const translate = useTranslate()
  const on = useEditorState({
    editor,
    selector: ({ editor: now }) => TOOLS.map((tool) => tool.on(now)),
  })
  return (
    <Box
      role="toolbar"
      aria-label={translate('areas.content.tools')}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        borderBottom: 1,
        borderColor: 'divider',
        padding: 0.5,
      }}
    >
      {TOOLS.map((tool, index) => (
        <Tooltip key={tool.name} title={translate(`areas.content.tool.${tool.name}`)}>
          <IconButton
            size="small"
            color={on[index] ? 'primary' : 'default'}
            aria-pressed={on[index] ?? false}
            aria-label={translate(`areas.content.tool.${tool.name}`)}
            onClick={() => tool.run(editor)}
          >
            {tool.icon}
          </IconButton>
        </Tooltip>
      ))}
      <LinkTool editor={editor} />
      <UploadPicture onUploaded={(src) => editor.chain().focus().setImage({ src }).run()} />
    </Box>
  )
}

/** Makes the selected words a link, changes the link that the cursor is in, or removes it. */
function LinkTool({ editor }: { editor: Editor }) {
  const translate = useTranslate()
  const [href, setHref] = useState<string | null>(null)
  const [wrong, setWrong] = useState(false)
  const label = translate('areas.content.tool.link')

  function set(): void {
    const link = editor.chain().focus().extendMarkRange('link')
    const done = href?.trim() ? link.setLink({ href: href.trim() }).run() : link.unsetLink().run()
    setWrong(!done)
    if (done) setHref(null)
  }

  return (
    <>
      <Tooltip title={label}>
        <IconButton
          size="small"
          aria-label={label}
          onClick={() => setHref(String(editor.getAttributes('link').href ?? ''))}
        >
          <InsertLink />
        </IconButton>
      </Tooltip>
      <Dialog open={href !== null} onClose={() => setHref(null)} fullWidth maxWidth="sm">
        <DialogTitle>{label}</DialogTitle>
        <DialogContent>
          <TextField
            autoFocus
            fullWidth
            margin="dense"
            label={translate('areas.content.linkTo')}
            value={href ?? ''}
            error={wrong}
            helperText={translate(wrong ? 'areas.content.hrefWrong' : 'areas.content.hrefHint')}
            onChange={(event) => setHref(event.target.value)}
            autoComplete="off"
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setHref(null)}>{translate('ra.action.cancel')}</Button>
          <Button variant="contained" onClick={set}>
            {translate('areas.content.setLink')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
