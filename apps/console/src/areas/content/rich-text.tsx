import { Box, Typography } from '@mui/material'
import { Image } from '@tiptap/extension-image'
import { EditorContent, useEditor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { useEffect, useId, useRef } from 'react'
import { useTranslate } from 'react-admin'
import { RichTextBar } from '#src/areas/content/rich-text-bar.tsx'

type RichTextProps = {
  lang: string
  value: string
  disabled: boolean
  fault: string | undefined
  onChange: (html: string) => void
}

/** The links that the server allows: a page of the app, https, or a mail address. */
const LINK = /^(https:\/\/|mailto:|\/(?!\/))/i

/** The elements that the editor supports. */
const EXTENSIONS = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    link: {
      openOnClick: false,
      isAllowedUri: (url) => LINK.test(url),
      HTMLAttributes: { target: null, rel: null },
    },
    trailingNode: false,
  }),
  Image,
]

/** The rich-text editor of one language. An empty text is ''. */
export function RichText({ lang, value, disabled, fault, onChange }: RichTextProps) {
  const translate = useTranslate()
  const label = translate('areas.content.text')
  const faultId = useId()
  const written = useRef(value)
  const editor = useEditor({
    extensions: EXTENSIONS,
    content: value,
    editable: !disabled,
    // The page's policy allows only style sheets with its nonce; the needed styles are below.
    injectCSS: false,
    editorProps: {
      attributes: {
        lang,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        ...(fault && { 'aria-invalid': 'true', 'aria-describedby': faultId }),
      },
    },
    onUpdate({ editor: changed }) {
      written.current = changed.isEmpty ? '' : changed.getHTML()
      onChange(written.current)
    },
  })

  useEffect(() => {
    if (!editor || value === written.current) return
    // The value changed outside the editor: it was saved, discarded, or typed as HTML.
    written.current = value
    editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])
  useEffect(() => {
    editor?.setEditable(!disabled, false)
  }, [editor, disabled])

  return (
    <Box
      sx={{
        border: 1,
        borderColor: fault ? 'error.main' : 'var(--field-line)',
        borderRadius: 'var(--radius-tag)',
      }}
    >
      {editor && !disabled && <RichTextBar editor={editor} />}
      <Box
        sx={{
          paddingInline: 2,
          minHeight: 320,
          maxHeight: 520,
          overflow: 'auto',
          overflowWrap: 'anywhere',
          '& .ProseMirror': { minHeight: 300, outline: 'none', whiteSpace: 'pre-wrap' },
          '& .ProseMirror:focus-visible': { outline: 'none' },
          '&:focus-within': { outline: '2px solid var(--accent)', outlineOffset: -2 },
          '& img': { maxWidth: '100%' },
          '& blockquote': { borderLeft: 3, borderColor: 'divider', marginLeft: 0, paddingLeft: 2 },
        }}
      >
        <EditorContent editor={editor} />
      </Box>
      {fault && (
        <Typography id={faultId} variant="caption" color="error" sx={{ paddingInline: 2 }}>
          {fault}
        </Typography>
      )}
    </Box>
  )
}
