import { useState } from 'react'
import { CodeField } from '../src/code-field.tsx'
import { PasswordField, TextField } from '../src/text-field.tsx'
import { GalleryPart, State } from './gallery-part.tsx'
import type { Words } from './words.ts'

export function FieldParts({ words }: { words: Words }) {
  const { label, long, sentence } = words
  return (
    <>
      <GalleryPart name="TextField, PasswordField">
        <State name="empty, with a hint">
          <TextField label={label} placeholder={long} hint={sentence} />
        </State>
        <State name="filled, with something at its end">
          <TextField label={label} defaultValue="1284.50" end={<span>u</span>} />
        </State>
        <State name="wrong">
          <TextField label={long} defaultValue="???" error={sentence} />
        </State>
        <State name="disabled">
          <TextField label={label} defaultValue="28" disabled />
        </State>
        <State name="a date">
          <TextField label={label} type="date" defaultValue="2026-11-22" />
        </State>
        <State name="a password">
          <PasswordField label={label} autoComplete="new-password" defaultValue="a long password" />
        </State>
      </GalleryPart>
      <GalleryPart name="CodeField">
        <State name="empty, with a hint">
          <Code label={label} hint={sentence} />
        </State>
        <State name="filled">
          <Code label={label} first="246810" />
        </State>
        <State name="secret, wrong">
          <Code label={long} first="246810" secret error={sentence} />
        </State>
        <State name="disabled">
          <Code label={label} first="246" disabled />
        </State>
      </GalleryPart>
    </>
  )
}

type CodeProps = {
  label: string
  first?: string
  secret?: boolean
  disabled?: boolean
  error?: string
  hint?: string
}

function Code({ first = '', ...field }: CodeProps) {
  const [value, setValue] = useState(first)
  return <CodeField {...field} value={value} onChange={setValue} />
}
