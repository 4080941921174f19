import { useState } from 'react'
import { Button } from '../src/button.tsx'
import { ChoicePills } from '../src/choice-pills.tsx'
import { CodeField } from '../src/code-field.tsx'
import { CooldownButton } from '../src/cooldown-button.tsx'
import { CopyButton } from '../src/copy-button.tsx'
import { DayChip, OneDayChip } from '../src/day-chip.tsx'
import type { DaySpan } from '../src/days.ts'
import { ReloadLink } from '../src/empty-state.tsx'
import { IconButton } from '../src/icon.tsx'
import { Link } from '../src/link.tsx'
import { Tabs } from '../src/tabs.tsx'
import { PasswordField, TextField } from '../src/text-field.tsx'
import { TickBox } from '../src/tick-box.tsx'
import { GalleryPart, State, type Words } from './gallery-part.tsx'

const KINDS = ['primary', 'soft', 'plain'] as const
const TODAY = '2026-11-22'

export function ActionParts({ words }: { words: Words }) {
  return (
    <>
      <GalleryPart name="Button">
        {KINDS.map((kind) => (
          <State key={kind} name={`${kind}: m, s, disabled, busy, danger`} side>
            <Button kind={kind}>{words.label}</Button>
            <Button kind={kind} size="s">
              {words.label}
            </Button>
            <Button kind={kind} size="s" disabled>
              {words.label}
            </Button>
            <Button kind={kind} size="s" busy>
              {words.label}
            </Button>
            <Button kind={kind} size="s" danger>
              {words.label}
            </Button>
          </State>
        ))}
        <State name="wide, with long words">
          <Button wide>{words.long}</Button>
        </State>
      </GalleryPart>
      <GalleryPart name="CooldownButton, CopyButton, IconButton, Link, ReloadLink">
        <State name="press them" side>
          <CooldownButton name="gallery" onPress={async () => 60}>
            {words.label}
          </CooldownButton>
          <IconButton icon="bell" label={words.label} onPress={() => {}} />
          <IconButton icon="bell" label={words.label} onPress={() => {}} disabled />
          <CopyButton small value="28" label={words.label} />
          <Link to="#">{words.label}</Link>
          <ReloadLink onReload={() => {}} />
        </State>
        <State name="CopyButton, wide">
          <CopyButton value="28" label={words.long} />
        </State>
      </GalleryPart>
      <Choices words={words} />
      <Chips />
    </>
  )
}

function Choices({ words }: { words: Words }) {
  const [value, setValue] = useState('0')
  const options = [words.label, words.long, '28', words.label, 'u'].map((label, at) => ({
    value: String(at),
    label,
  }))
  const tabs = options.map((option) => ({ ...option, content: words.sentence }))
  return (
    <>
      <GalleryPart name="ChoicePills">
        {(['strip', 'grid', 'wrap'] as const).map((kind) => (
          <State key={kind} name={kind}>
            <ChoicePills {...{ kind, options, value }} label={words.label} onChange={setValue} />
          </State>
        ))}
      </GalleryPart>
      <GalleryPart name="Tabs">
        <State name="segments">
          <Tabs
            label={words.label}
            tabs={tabs.slice(0, 2)}
            value={value === '1' ? '1' : '0'}
            onChange={setValue}
          />
        </State>
        <State name="strip, with a game's tint">
          <Tabs
            label={words.label}
            kind="strip"
            tabs={tabs.map((tab, at) => ({ ...tab, game: ['dot', 'bch', 'eth', 'btc'][at] ?? '' }))}
            value={value}
            onChange={setValue}
          />
        </State>
      </GalleryPart>
      <GalleryPart name="TickBox">
        <State name="ticked, invalid, disabled">
          <TickBox defaultChecked>{words.sentence}</TickBox>
          <TickBox error={words.sentence}>{words.sentence}</TickBox>
          <TickBox disabled>{words.label}</TickBox>
        </State>
      </GalleryPart>
    </>
  )
}

function Chips() {
  const [span, setSpan] = useState<DaySpan>('today')
  const [day, setDay] = useState<string | null>(null)
  return (
    <GalleryPart name="DayChip, OneDayChip (press them for their sheets)">
      <State name="quick choice, two dates, all days, one day" side>
        <DayChip span={span} today={TODAY} onChange={setSpan} />
        <DayChip
          span={{ from: '2025-12-30', to: '2026-01-02' }}
          today={TODAY}
          onChange={() => {}}
        />
        <OneDayChip day={day} today={TODAY} withAll onChange={setDay} />
        <OneDayChip day={TODAY} today={TODAY} withAll={false} onChange={() => {}} />
      </State>
    </GalleryPart>
  )
}

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
