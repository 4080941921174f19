import { useState } from 'react'
import { Button } from '../src/button.tsx'
import { ChoicePills } from '../src/choice-pills.tsx'
import { CooldownButton } from '../src/cooldown-button.tsx'
import { CopyButton } from '../src/copy-button.tsx'
import { DayChip } from '../src/day-chip.tsx'
import type { DaySpan } from '../src/day-span.ts'
import { IconButton } from '../src/icon-button.tsx'
import { Link } from '../src/link.tsx'
import { OneDayChip } from '../src/one-day-chip.tsx'
import { ReloadLink } from '../src/reload-link.tsx'
import { SwitchRow } from '../src/switch-row.tsx'
import { Tabs } from '../src/tabs.tsx'
import { TickBox } from '../src/tick-box.tsx'
import { GalleryPart, State } from './gallery-part.tsx'
import type { Words } from './words.ts'

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
  const [on, setOn] = useState(true)
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
      <GalleryPart name="SwitchRow, TickBox">
        <State name="on and off, and disabled">
          <SwitchRow title={words.long} note={words.sentence} on={on} onChange={setOn} />
          <SwitchRow title={words.label} on={!on} onChange={() => setOn(!on)} />
          <SwitchRow title={words.label} on disabled onChange={() => {}} />
        </State>
        <State name="ticked, invalid, disabled">
          <TickBox defaultChecked>{words.sentence}</TickBox>
          <TickBox invalid>{words.sentence}</TickBox>
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
